// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/assembly/bundle.h"

#include <string.h>

static const uint8_t signature[] = { 0x8b, 0x12, 0x02, 0xb9, 0x6a, 0x61, 0x20, 0x38, 0x72, 0x7b, 0x93, 0x02, 0x14, 0xd7, 0xa0, 0x32,
				     0x13, 0xf5, 0xb9, 0xe6, 0xef, 0xae, 0x33, 0x18, 0xee, 0x3b, 0x2d, 0xce, 0x24, 0xb3, 0x6a, 0xae };

/* The header that the SDK 10.0 wrote: version 6.0, 175 files, id VUNo3WCpaA8p, deps.json at 73557352, runtimeconfig.json at 11941888. */
static const uint8_t header[] =
	"\6\0\0\0\0\0\0\0\xaf\0\0\0\x0cVUNo3WCpaA8p\x68\x65\x62\4\0\0\0\0\x43\x67\0\0\0\0\0\0\0\x38\xb6\0\0\0\0\0\xd1\1\0\0\0\0\0\0";
enum { HEADER = sizeof(header) - 1 };

static void test_host(void **state)
{
	(void)state;
	uint8_t data[100] = { 0 };
	assert_int_equal(nt_bundle_find(data, sizeof(data)), 0);
	memcpy(data + 28, signature, sizeof(signature));
	assert_int_equal(nt_bundle_find(data, sizeof(data)), 0); /* a host without a bundle */
	memcpy(data + 20, "\xab\xcc\x62\4\0\0\0\0", 8);
	assert_int_equal(nt_bundle_find(data, sizeof(data)), 73583787);
	assert_int_equal(nt_bundle_find(data, 28 + sizeof(signature) - 1), 0);
	assert_int_equal(nt_bundle_find(data + 21, sizeof(data) - 21), 0);
}

static void test_header(void **state)
{
	(void)state;
	struct nt_bundle_part part;
	assert_true(nt_bundle_config(header, HEADER, &part));
	assert_int_equal(part.offset, 11941888);
	assert_int_equal(part.length, 465);
	for (size_t length = 0; length < HEADER; length++)
		assert_false(nt_bundle_config(header, length, &part));
	uint8_t other[HEADER];
	memcpy(other, header, HEADER);
	other[0] = 1; /* .NET Core 3.1: without these places */
	assert_false(nt_bundle_config(other, HEADER, &part));
	memcpy(other, header, HEADER);
	other[12] = 200; /* an id that goes beyond the end */
	assert_false(nt_bundle_config(other, HEADER, &part));
	memcpy(other, header, HEADER);
	memset(other + HEADER - 16, 0, 16); /* no runtimeconfig.json */
	assert_false(nt_bundle_config(other, HEADER, &part));
}

enum { HEADER_AT = 64 };

/* A header that speaks of four milliards of files, then zeros for ever. */
static bool read_zeros(void *context, uint64_t offset, void *buf, size_t size)
{
	(void)context;
	memset(buf, 0, size);
	if (offset)
		return true;
	memcpy((uint8_t *)buf + HEADER_AT, header, HEADER);
	memset((uint8_t *)buf + HEADER_AT + 8, 0xff, 4);
	return true;
}

/* Zeros take no room on a disk, and each 26 of them are an entry. */
static void test_four_milliards_of_files(void **state)
{
	(void)state;
	enum { MOST = 1 << 16 };
	const struct nt_window_source source = { .read = read_zeros, .size = UINT64_C(1) << 40 };
	struct nt_window *window = nt_window_new(&source);
	struct nt_bundle_files files;
	struct nt_bundle_file file;
	uint32_t count = 0;
	assert_true(nt_bundle_files(window, HEADER_AT, &files));
	while (count <= MOST && nt_bundle_files_next(&files, &file))
		count++;
	assert_int_equal(count, MOST);
	nt_window_free(window);
}

/* The header above, with three files: the second one is packed, the last one has a path that is too long. */
struct listed {
	uint8_t bytes[1024];
};

static bool read_listed(void *context, uint64_t offset, void *buf, size_t size)
{
	const struct listed *listed = context;
	memcpy(buf, listed->bytes + offset, size);
	return true;
}

static size_t put_file(uint8_t *at, uint8_t packed, uint16_t letters, char letter)
{
	memset(at, 0, 25);
	at[0] = 8; /* offset, length */
	at[8] = 16;
	at[16] = packed;
	at[24] = NT_BUNDLE_ASSEMBLY;
	at[25] = letters < 128 ? (uint8_t)letters : (uint8_t)(letters | 0x80);
	at[26] = (uint8_t)(letters >> 7);
	size_t prefix = letters < 128 ? 1 : 2;
	memset(at + 25 + prefix, letter, letters);
	return 25 + prefix + letters;
}

static void test_names_of_files(void **state)
{
	(void)state;
	static struct listed listed;
	const struct nt_window_source source = { .read = read_listed, .context = &listed, .size = sizeof(listed.bytes) };
	memcpy(listed.bytes + HEADER_AT, header, HEADER);
	memcpy(listed.bytes + HEADER_AT + 8, "\3\0\0\0", 4);
	size_t at = HEADER_AT + HEADER + 8; /* flags */
	at += put_file(listed.bytes + at, 0, 5, 'a');
	at += put_file(listed.bytes + at, 7, 200, 'b');
	put_file(listed.bytes + at, 0, NT_BUNDLE_NAME, 'c');
	struct nt_window *window = nt_window_new(&source);
	struct nt_bundle_files files;
	struct nt_bundle_file file;
	assert_true(nt_bundle_files(window, HEADER_AT, &files));
	assert_true(nt_bundle_files_next(&files, &file));
	assert_string_equal(file.name, "aaaaa");
	assert_true(!file.compressed && file.part.length == 16);
	assert_true(nt_bundle_files_next(&files, &file));
	assert_int_equal(strlen(file.name), 200);
	assert_int_equal(strspn(file.name, "b"), 200);
	assert_true(file.compressed);
	assert_true(nt_bundle_files_next(&files, &file));
	assert_string_equal(file.name, ""); /* one too long */
	assert_false(nt_bundle_files_next(&files, &file));
	nt_window_free(window);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_four_milliards_of_files),
		cmocka_unit_test(test_names_of_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
