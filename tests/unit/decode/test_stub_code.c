// SPDX-License-Identifier: GPL-2.0-only
/* The bytes are those of .NET 10.0.12 in running processes, with the addresses that happened to be in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/codemap/stub_code.h"

#include <string.h>

#define ADDRESS UINT64_C(0x7f26097fc000)

enum { BEFORE = 320, ROOM = 1024 };

struct example {
	const char *kind, *digits;
};

static const struct example examples[] = {
	{ "FixupPrecode", "ff25fa3f00004c8b15fb3f0000ff25fd3f000090662e0f1f" },
	{ "FixupPrecode", "ff25fa0f00004c8b15fb0f0000ff25fd0f000090662e0f1f" }, /* .NET 8: pages of 4 KB */
	{ "StubPrecode", "4c8b15f93f0000ff25fb3f0000906690ff25fa3f00004c8b" },
	{ "CallCountingStub", "488b05f93f000066ff087406ff25f63f0000ff25f83f0000" },
	{ "VSD_LookupStub", "9048b801000000020000005048b870c7bf6d8f7f0000ffe0" },
	{ "VSD_DispatchStub", "48b8704573ef8e7f00004839079048b8989065ef8e7f00000f8517fcffffffe0" },
	{ "VSD_DispatchStub", "48b8704573ef8e7f00004839079048b8989065ef8e7f0000750cffe048b8989065ef8e7f0000ffe0" },
	{ "VSD_ResolveStub",
	  "488b075249bae87a40da90550000488bd048c1e80c4803c24835301600004825f87f00004a8b041049ba000000008a000000483b5000752b4c3b50087525"
	  "488b40105affe048b8442c3cda905500008300ff7dac4983cb015249ba000000008a0000005048b830c8ffc1ce7f0000ffe0" },
	{ "VSD_VTableStub", "488b07488b4040ff603807000000" },
	{ "VSD_VTableStub", "488b07488b80b0000000ff602074000000" },
	{ "DelegateShuffleThunk", "488bc44989fb4d8b53204983c32041ffe2" },
	{ "DelegateShuffleThunk", "488bc44989fb4889f74889d64d8b53204983c32041ffe2" },
	{ "InstantiatingStub", "48bea863a50b267f000048b848a1780b267f0000ffe0" },
	{ "InstantiatingStub", "4d89c14989c84889d14889f248bed8bcbd0c267f000048b8181ebb0c267f0000ffe0" },
	{ "UnboxingStub", "4883c70848b8b0ab780b267f0000ffe0" },
	{ "UnboxingStub", "488b374883c70848b8b88e780b267f0000ffe0" },
	{ "DynamicHelper", "48bfe86ce144ce7f0000e9295b557e" },
	{ "DynamicHelper", "488bf748bfe86ce144ce7f0000e996b5faff" },
	{ "DynamicHelper", "48ba5022e044ce7f0000e969c0faff" },
	{ "DynamicHelper", "48b848b0a642ce7f0000c3" },
	{ "DynamicHelper", "48a1080b0013837f00004883c008c3" },
	{ "DynamicHelper", "488b4730488b4008c3" },
	{ "DynamicHelper", "488b4718488b4010488b80a00000004885c07401c348be6842aa43ce7f0000e907d9faff" },
	{ "JumpStub", "48b8181ebb0c267f0000ffe0" },
};

static size_t from_digits(const char *digits, uint8_t *out)
{
	size_t length = strlen(digits) / 2;
	for (size_t i = 0; i < length; i++) {
		static const char hex[] = "0123456789abcdef";
		out[i] = (uint8_t)((strchr(hex, digits[2 * i]) - hex) << 4 | (strchr(hex, digits[2 * i + 1]) - hex));
	}
	return length;
}

static void test_each_kind_at_each_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		uint8_t code[ROOM];
		memset(code, 0xcc, sizeof(code));
		size_t length = from_digits(examples[i].digits, code + BEFORE);
		struct nt_stub_code found;
		for (size_t at = BEFORE; at < BEFORE + length; at++) {
			if (!nt_stub_code_find(code, sizeof(code), ADDRESS, at, &found))
				fail_msg("%s at byte %zu: not found", examples[i].digits, at - BEFORE);
			assert_string_equal(found.kind, examples[i].kind);
			assert_int_equal(found.start, BEFORE);
			assert_int_equal(found.end, BEFORE + length);
		}
		assert_false(nt_stub_code_find(code, sizeof(code), ADDRESS, BEFORE + length, &found));
		assert_false(nt_stub_code_find(code, sizeof(code), ADDRESS, BEFORE - 1, &found));
		/* Not where a stub may begin; not all of it there. */
		assert_false(nt_stub_code_find(code, sizeof(code), ADDRESS + 1, BEFORE, &found));
		assert_false(nt_stub_code_find(code, BEFORE + length - 1, ADDRESS, BEFORE, &found));
	}
}

/* One answer for a page of them. */
static void test_stubs_in_a_row(void **state)
{
	(void)state;
	enum { COUNT = 9, EACH = 24 };
	uint8_t code[ROOM] = { 0 };
	struct nt_stub_code found;
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(from_digits(examples[0].digits, code + BEFORE + i * EACH), EACH);
	from_digits("488b05f93f000066ff087406ff25f63f0000ff25f83f0000", code + BEFORE + COUNT * EACH);
	assert_true(nt_stub_code_find(code, sizeof(code), ADDRESS, BEFORE + 100, &found));
	assert_string_equal(found.kind, "FixupPrecode");
	assert_int_equal(found.start, BEFORE);
	assert_int_equal(found.end, BEFORE + COUNT * EACH);
	assert_true(nt_stub_code_find(code + BEFORE, COUNT * EACH, ADDRESS + BEFORE, COUNT * EACH - 1, &found));
	assert_int_equal(found.start, 0);
	assert_int_equal(found.end, COUNT * EACH);
}

static void test_write_barriers(void **state)
{
	(void)state;
	uint8_t code[ROOM] = { 0 };
	struct nt_stub_code found;
	size_t head =
		from_digits("c3662e0f1f8400000000000f1f440000488d05e91c0d00483b387212488d05e51c0d00483b387306ff25da3f0c00488937c3", code);
	assert_int_equal(head, 50);
	/* In the barrier itself, whatever its code is. */
	assert_true(nt_stub_code_find(code, sizeof(code), ADDRESS, 0x83, &found));
	assert_string_equal(found.kind, "JIT_CopiedWriteBarriers");
	assert_int_equal(found.start, 0);
	assert_int_equal(found.end, 272);
	assert_false(nt_stub_code_find(code, sizeof(code), ADDRESS, 272, &found));
}

static void test_what_is_no_stub(void **state)
{
	(void)state;
	struct nt_stub_code found;
	/* The begin of a compiled method; nothing. */
	uint8_t method[64] = { 0 };
	from_digits("55415741565350488d6c24204c8bff488bde4885db0f8460ffffffc57e7f4580", method);
	for (size_t at = 0; at < sizeof(method); at++)
		assert_false(nt_stub_code_find(method, sizeof(method), ADDRESS, at, &found));
	assert_false(nt_stub_code_find(method, 0, ADDRESS, 0, &found));
	assert_false(nt_stub_code_find(method, sizeof(method), ADDRESS, sizeof(method), &found));
}

/* As its header says of all of them. */
static void test_patterns_are_whole(void **state)
{
	(void)state;
	static const struct {
		const char *kind, *pattern;
		size_t align;
	} forms[] = {
#define STUB_CODE(kind, align, pattern) { kind, pattern, align },
#include "decode/codemap/stub_code.def"
	};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		assert_true(forms[i].align % 4 == 0);
		assert_int_equal(strspn(forms[i].pattern, "0123456789abcdef? {}*"), strlen(forms[i].pattern));
		size_t digits = 0;
		for (const char *p = forms[i].pattern;; p++) {
			if (*p == '{')
				p = strchr(p, '}') + 1;
			if (*p && strchr("0123456789abcdef?", *p)) {
				digits++;
				continue;
			}
			if (digits % 2)
				fail_msg("%s: half a byte in: %s", forms[i].kind, forms[i].pattern);
			digits = 0;
			if (!*p)
				break;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_kind_at_each_byte), cmocka_unit_test(test_stubs_in_a_row),
		cmocka_unit_test(test_write_barriers),         cmocka_unit_test(test_what_is_no_stub),
		cmocka_unit_test(test_patterns_are_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
