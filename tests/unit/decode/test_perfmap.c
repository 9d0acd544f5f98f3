// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/perfmap.h"

#include <stdlib.h>
#include <string.h>

enum { SEEN_MAX = 8 };

struct seen {
	struct nt_perfmap_entry entry[SEEN_MAX];
	unsigned count;
};

static void see(void *context, const struct nt_perfmap_entry *entry)
{
	struct seen *seen = context;
	assert_true(seen->count < SEEN_MAX);
	seen->entry[seen->count++] = *entry;
}

static void assert_entry(const struct nt_perfmap_entry *entry, uint64_t start, uint64_t size, const char *name)
{
	assert_true(entry->start == start);
	assert_true(entry->size == size);
	assert_int_equal(entry->name_length, strlen(name));
	assert_memory_equal(entry->name, name, strlen(name));
}

static size_t parse(struct nt_perfmap_parser *parser, const char *text, struct seen *seen)
{
	return nt_perfmap_parse(parser, text, strlen(text), see, seen);
}

static void test_spellings(void **state)
{
	(void)state;
	struct nt_perfmap_parser parser = { 0 };
	struct seen seen = { 0 };
	const char *text = "0x7f1484588090 1a3 void [a] B::C()[Optimized]\n"
			   "00007F1484588090 1A3 stub<17> X<Y>\n"
			   "ffffffffffffff00 0xff last page\n\n"
			   "10 1 n\r\n";
	assert_int_equal(parse(&parser, text, &seen), strlen(text));
	assert_int_equal(seen.count, 4);
	assert_entry(&seen.entry[0], 0x7f1484588090, 0x1a3, "void [a] B::C()[Optimized]");
	assert_entry(&seen.entry[1], 0x7f1484588090, 0x1a3, "stub<17> X<Y>");
	assert_entry(&seen.entry[2], UINT64_C(0xffffffffffffff00), 0xff, "last page");
	assert_entry(&seen.entry[3], 0x10, 1, "n");
	assert_int_equal(parser.line_count, 4);
	assert_int_equal(parser.bad_count, 0);
}

static void test_half_written_line_waits(void **state)
{
	(void)state;
	struct nt_perfmap_parser parser = { 0 };
	struct seen seen = { 0 };
	assert_int_equal(parse(&parser, "1000 10 a\n2000 2", &seen), 10);
	assert_int_equal(seen.count, 1);
	assert_int_equal(parse(&parser, "2000 20 b\n", &seen), 10);
	assert_entry(&seen.entry[1], 0x2000, 0x20, "b");
	assert_int_equal(parse(&parser, "", &seen), 0);
	assert_int_equal(parser.bad_count, 0);
}

static void test_bad_lines_are_counted(void **state)
{
	(void)state;
	struct nt_perfmap_parser parser = { 0 };
	struct seen seen = { 0 };
	const char *text = "hello\n"
			   "1000\n"
			   "1000 10\n"
			   "1000 10 \n"
			   "1000 0 empty\n"
			   "-1000 10 sign\n"
			   "ffffffffffffffff 2 wraps\n"
			   "12345678901234567 1 more than 64 bits\n"
			   " 1000 10 indented\n"
			   "0x 10 no digits\n";
	assert_int_equal(parse(&parser, text, &seen), strlen(text));
	assert_int_equal(seen.count, 0);
	assert_int_equal(parser.bad_count, 10);
}

/* As .NET 10.0.12 writes the line of Shop.Odd.\u00dcn\u00efcode::Gr\u00fc\u00dfe, and the line after it. */
static void test_line_that_the_runtime_broke(void **state)
{
	(void)state;
	struct nt_perfmap_parser parser = { 0 };
	struct seen seen = { 0 };
	const char *text = "\x03\xd1Jy\x12V\xe8"
			   "c instance string [app] Shop.Odd.\xc3\x9cn\xc3\xaf"
			   "code::Gr\xc3\xbc\xc3\x9f"
			   "e(string)[QuickJitt0x7fe7eaeb5690 50 instance void [app] dynamicClass::IL_STUB_Array_Set()[Optimized]\n"
			   "1000 10 next\n";
	assert_int_equal(parse(&parser, text, &seen), strlen(text));
	assert_int_equal(seen.count, 2);
	assert_entry(&seen.entry[0], 0x7fe7eaeb5690, 0x50, "instance void [app] dynamicClass::IL_STUB_Array_Set()[Optimized]");
	assert_entry(&seen.entry[1], 0x1000, 0x10, "next");
	assert_int_equal(parser.bad_count, 1);
}

static void test_endless_line_is_skipped(void **state)
{
	(void)state;
	struct nt_perfmap_parser parser = { 0 };
	struct seen seen = { 0 };
	char *text = malloc(NT_PERFMAP_LINE_MAX + 1);
	memset(text, '1', NT_PERFMAP_LINE_MAX);
	assert_int_equal(nt_perfmap_parse(&parser, text, NT_PERFMAP_LINE_MAX - 1, see, &seen), 0);
	assert_int_equal(nt_perfmap_parse(&parser, text, NT_PERFMAP_LINE_MAX, see, &seen), NT_PERFMAP_LINE_MAX);
	assert_int_equal(nt_perfmap_parse(&parser, text, NT_PERFMAP_LINE_MAX, see, &seen), NT_PERFMAP_LINE_MAX);
	assert_int_equal(parse(&parser, "1000 10 still the same line\n2000 20 b\n", &seen), 38);
	assert_int_equal(seen.count, 1);
	assert_entry(&seen.entry[0], 0x2000, 0x20, "b");
	assert_int_equal(parser.bad_count, 1);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_half_written_line_waits),
		cmocka_unit_test(test_bad_lines_are_counted),
		cmocka_unit_test(test_line_that_the_runtime_broke),
		cmocka_unit_test(test_endless_line_is_skipped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
