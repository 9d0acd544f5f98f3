// SPDX-License-Identifier: GPL-2.0-only
/* Questions for code: this test program is the target. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemap_fixture.h"

#include "nettop/annotation.h"
#include "source/image/disassembly.h"

/* push rbp; mov rbp, rsp; a byte that begins no instruction in this mode; ret */
static const uint8_t x86[] = { 0x55, 0x48, 0x89, 0xe5, 0x06, 0xc3 };

static const char *text_of(const struct nt_disassembly *code, size_t line)
{
	static char text[256];
	snprintf(text, sizeof(text), "%.*s", (int)code->lines[line].length, code->text + code->lines[line].offset);
	return text;
}

static void test_disassembly(void **state)
{
	(void)state;
#if defined(__x86_64__)
	struct nt_disassembly code;
	assert_int_equal(nt_disassemble(x86, sizeof(x86), 0x7f0000001000, &code, NULL), NT_OK);
	assert_int_equal(code.count, 4);
	assert_string_equal(text_of(&code, 0), "push    rbp");
	assert_string_equal(text_of(&code, 1), "mov     rbp, rsp");
	assert_int_equal(code.lines[1].start, 0x7f0000001001);
	assert_int_equal(code.lines[1].size, 3);
	assert_string_equal(text_of(&code, 2), ".byte   0x06");
	assert_string_equal(text_of(&code, 3), "ret");
	nt_disassembly_fini(&code);
	assert_int_equal(nt_disassemble(x86, 0, 0, &code, NULL), NT_OK);
	assert_int_equal(code.count, 0);
	nt_disassembly_fini(&code);
#else
	print_message("the bytes of this test are x86-64's\n");
	skip();
#endif
}

/* Whatever the bytes are: every one is in a line, in order. */
static void test_random_bytes(void **state)
{
	(void)state;
	enum { BYTES = 4096, ROUNDS = 50 };
	uint8_t bytes[BYTES];
	unsigned seed = getenv("SEED") ? (unsigned)strtoul(getenv("SEED"), NULL, 10) : (unsigned)nt_clock_now();
	print_message("SEED=%u\n", seed);
	srand(seed);
	for (int round = 0; round < ROUNDS; round++) {
		struct nt_disassembly code;
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)rand();
		assert_int_equal(nt_disassemble(bytes, sizeof(bytes), 0x1000, &code, NULL), NT_OK);
		uint64_t next = 0x1000;
		for (size_t i = 0; i < code.count; i++) {
			assert_int_equal(code.lines[i].start, next);
			assert_true(code.lines[i].length > 0);
			next += code.lines[i].size;
		}
		assert_true(next <= 0x1000 + BYTES && 0x1000 + BYTES - next < 16); /* the last one may be cut */
		nt_disassembly_fini(&code);
	}
}

static bool has_answer(const struct fixture *f, size_t from, const void *what)
{
	(void)what;
	return fixture_count(f, from, NT_EV_ASSEMBLY) > 0;
}

static const struct seen *ask(struct fixture *f, uint64_t start, uint64_t end)
{
	const struct nt_question question = { .pid = FIXTURE_PID, .map_start = start, .map_end = end, .image = NT_CODE_IMAGE };
	size_t seen = f->seen_count;
	assert_int_equal(nt_source_codemap.ask(f->source, &question, 1), 1);
	fixture_wait(f, seen, has_answer, NULL);
	const struct seen *answer = fixture_last(f, seen, NT_EV_ASSEMBLY);
	assert_int_equal(answer->event.u.assembly.start, start);
	return answer;
}

static void test_questions(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	free(f->target.proc_dir);
	f->target.proc_dir = nt_strdup("/proc/self");
	fixture_start(f);
	const struct seen *answer = ask(f, (uintptr_t)x86, (uintptr_t)x86 + sizeof(x86));
	assert_int_equal(answer->event.u.assembly.count, 4);
	assert_string_equal(answer->text[0], "");
	/* Longer than what is read at once. */
	uint8_t *much = calloc(2, NT_CODE_BYTES_MAX);
	memset(much, 0x90, (size_t)2 * NT_CODE_BYTES_MAX);
	answer = ask(f, (uintptr_t)much, (uintptr_t)much + (uintptr_t)2 * NT_CODE_BYTES_MAX);
	assert_int_equal(answer->event.u.assembly.count, NT_CODE_BYTES_MAX);
	free(much);
	/* Nothing there; nonsense. */
	answer = ask(f, 0, 4096);
	assert_int_equal(answer->event.u.assembly.count, 0);
	assert_string_equal(answer->text[0], "its code is not in the target's memory any more");
	answer = ask(f, 4096, 0);
	assert_int_equal(answer->event.u.assembly.count, 0);
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disassembly),
		cmocka_unit_test(test_random_bytes),
		cmocka_unit_test(test_questions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
