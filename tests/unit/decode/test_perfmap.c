// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/codemap/perfmap.h"
#include "decode/names/method_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines and names of what was parsed last. */
struct seen {
	struct nt_perfmap_lines lines;
	const char *text;
};

static void assert_line(const struct seen *seen, unsigned i, uint64_t start, uint64_t size, const char *name)
{
	const struct nt_batch_line *line = &seen->lines.items[i];
	assert_true(i < seen->lines.count);
	assert_true(line->start == start);
	assert_true(line->size == size);
	assert_int_equal(line->length, strlen(name));
	assert_memory_equal(seen->text + line->offset, name, strlen(name));
}

static size_t parse(struct nt_perfmap_parser *parser, const char *text, struct seen *seen)
{
	seen->text = text;
	return nt_perfmap_parse(parser, text, strlen(text), &seen->lines);
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
	assert_int_equal(seen.lines.count, 4);
	assert_line(&seen, 0, 0x7f1484588090, 0x1a3, "void [a] B::C()[Optimized]");
	assert_line(&seen, 1, 0x7f1484588090, 0x1a3, "stub<17> X<Y>");
	assert_line(&seen, 2, UINT64_C(0xffffffffffffff00), 0xff, "last page");
	assert_line(&seen, 3, 0x10, 1, "n");
	assert_int_equal(parser.line_count, 4);
	assert_int_equal(parser.bad_count, 0);
}

static void test_half_written_line_waits(void **state)
{
	(void)state;
	struct nt_perfmap_parser parser = { 0 };
	struct seen seen = { 0 };
	assert_int_equal(parse(&parser, "1000 10 a\n2000 2", &seen), 10);
	assert_int_equal(seen.lines.count, 1);
	assert_int_equal(parse(&parser, "2000 20 b\n", &seen), 10);
	assert_line(&seen, 0, 0x2000, 0x20, "b");
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
	assert_int_equal(seen.lines.count, 0);
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
	assert_int_equal(seen.lines.count, 2);
	assert_line(&seen, 0, 0x7fe7eaeb5690, 0x50, "instance void [app] dynamicClass::IL_STUB_Array_Set()[Optimized]");
	assert_line(&seen, 1, 0x1000, 0x10, "next");
	assert_int_equal(parser.bad_count, 1);
}

static void test_endless_line_is_skipped(void **state)
{
	(void)state;
	struct nt_perfmap_parser parser = { 0 };
	struct seen seen = { 0 };
	char *text = malloc(NT_PERFMAP_LINE_MAX + 1);
	memset(text, '1', NT_PERFMAP_LINE_MAX);
	assert_int_equal(nt_perfmap_parse(&parser, text, NT_PERFMAP_LINE_MAX - 1, &seen.lines), 0);
	assert_int_equal(nt_perfmap_parse(&parser, text, NT_PERFMAP_LINE_MAX, &seen.lines), NT_PERFMAP_LINE_MAX);
	assert_int_equal(nt_perfmap_parse(&parser, text, NT_PERFMAP_LINE_MAX, &seen.lines), NT_PERFMAP_LINE_MAX);
	assert_int_equal(parse(&parser, "1000 10 still the same line\n2000 20 b\n", &seen), 38);
	assert_int_equal(seen.lines.count, 1);
	assert_line(&seen, 0, 0x2000, 0x20, "b");
	assert_int_equal(parser.bad_count, 1);
	free(text);
}

/* The rest of such a name is nobody's. */
static void test_long_name_is_cut(void **state)
{
	(void)state;
	struct nt_perfmap_parser parser = { 0 };
	struct seen seen = { 0 };
	char text[NT_RAW_NAME_MAX + 200];
	snprintf(text, sizeof(text), "1000 10 %0*d\n2000 20 b\n", NT_RAW_NAME_MAX + 100, 1);
	assert_int_equal(parse(&parser, text, &seen), strlen(text));
	assert_int_equal(seen.lines.count, 2);
	assert_int_equal(seen.lines.items[0].length, NT_RAW_NAME_MAX);
	assert_line(&seen, 1, 0x2000, 0x20, "b");
}

/* More lines than fit: the rest comes with the next calls. */
static void test_many_lines(void **state)
{
	(void)state;
	enum { LINES = 2 * NT_PERFMAP_LINES, LINE_BYTES = sizeof("1000 10 a\n") - 1 };
	char *text = malloc(LINES * LINE_BYTES + 1);
	for (unsigned i = 0; i < LINES; i++)
		snprintf(text + i * LINE_BYTES, LINE_BYTES + 1, "%x 10 %c\n", 0x1000 + i, 'a' + (int)(i % 26));
	struct nt_perfmap_parser parser = { 0 };
	struct seen seen = { 0 };
	assert_int_equal(parse(&parser, text, &seen), NT_PERFMAP_LINES * LINE_BYTES);
	assert_int_equal(seen.lines.count, NT_PERFMAP_LINES);
	assert_line(&seen, 1, 0x1001, 0x10, "b");
	assert_int_equal(parse(&parser, text + NT_PERFMAP_LINES * LINE_BYTES, &seen), NT_PERFMAP_LINES * LINE_BYTES);
	assert_line(&seen, 2, 0x1002 + NT_PERFMAP_LINES, 0x10, (char[]){ (char)('a' + (NT_PERFMAP_LINES + 2) % 26), 0 });
	assert_int_equal(parse(&parser, "", &seen), 0);
	assert_int_equal(seen.lines.count, 0);
	assert_int_equal(parser.line_count, LINES);
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
		cmocka_unit_test(test_long_name_is_cut),
		cmocka_unit_test(test_many_lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
