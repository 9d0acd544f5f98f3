// SPDX-License-Identifier: GPL-2.0-only
/* Which lines of a perf map hold when there have been several for an address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/files/perf_map_write.h"

#include <stdlib.h>
#include <string.h>

enum { LINES = 12 };

/* A method, or with a small letter a stub. */
struct line {
	uint64_t start, size;
	const char *name;
};

static const struct merge_case {
	const char *what;
	struct line lines[LINES];
	const char *expected;
} cases[] = {
	{ "nothing", { { 0 } }, "" },
	{ "in the order of addresses",
	  { { 0x300, 0x10, "C" }, { 0x100, 0x10, "A" }, { 0x200, 0x10, "B" } },
	  "100 10 A\n200 10 B\n300 10 C\n" },
	{ "side by side", { { 0x100, 0x10, "A" }, { 0x110, 0x10, "B" } }, "100 10 A\n110 10 B\n" },
	{ "code in the place of another", { { 0x100, 0x40, "A" }, { 0x100, 0x10, "B" } }, "100 10 B\n" },
	{ "the same, twice", { { 0x100, 0x40, "A" }, { 0x100, 0x40, "A" } }, "100 40 A\n" },
	{ "over the end", { { 0x100, 0x40, "A" }, { 0x120, 0x40, "B" } }, "120 40 B\n" },
	{ "over the beginning", { { 0x120, 0x40, "A" }, { 0x100, 0x40, "B" } }, "100 40 B\n" },
	{ "over two", { { 0x100, 0x10, "A" }, { 0x110, 0x10, "B" }, { 0x108, 0x10, "C" } }, "108 10 C\n" },
	{ "what replaced one was replaced",
	  { { 0x100, 0x20, "A" }, { 0x110, 0x20, "B" }, { 0x120, 0x20, "C" }, { 0x140, 0x10, "D" } },
	  "120 20 C\n140 10 D\n" },
	{ "stubs say more than their size", { { 0x100, 0x40, "a" }, { 0x110, 0x40, "b" } }, "100 10 a\n110 40 b\n" },
	{ "of stubs at one place the last", { { 0x100, 0x40, "a" }, { 0x100, 0x20, "b" } }, "100 20 b\n" },
	{ "a stub ends where a method begins", { { 0x100, 0x40, "a" }, { 0x110, 0x10, "B" } }, "100 10 a\n110 10 B\n" },
	{ "a stub in a method is none", { { 0x100, 0x40, "A" }, { 0x110, 0x10, "b" }, { 0x100, 0x10, "c" } }, "100 40 A\n" },
	{ "up to the last address", { { UINT64_MAX - 0x10, 0x10, "A" } }, "ffffffffffffffef 10 A\n" },
	{ "bytes of somebody else", { { 0x100, 0x10, "A\x1b[2J\xff" } }, "100 10 A\\x1b[2J\xef\xbf\xbd\n" },
};

static void test_merge(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_perf_map_line lines[LINES];
		size_t count = 0, size;
		char *text = NULL;
		for (const struct line *line = cases[i].lines; line->name; line++)
			lines[count++] = (struct nt_perf_map_line){ line->start, line->size, line->name, strlen(line->name),
								    .stub = line->name[0] >= 'a' && line->name[0] <= 'z' };
		FILE *out = open_memstream(&text, &size);
		assert_non_null(out);
		nt_perf_map_write(out, lines, nt_perf_map_merge(lines, count));
		fclose(out);
		if (strcmp(text, cases[i].expected) != 0)
			fail_msg("%s:\n%s", cases[i].what, text);
		free(text);
	}
}

/* Whatever the lines, what is left is sorted and disjoint, and the newest method is in it. */
static void test_any_lines(void **state)
{
	(void)state;
	uint32_t seed = 1;
	for (int round = 0; round < 2000; round++) {
		struct nt_perf_map_line lines[64];
		for (size_t i = 0; i < 64; i++) {
			seed = seed * 1664525 + 1013904223;
			lines[i] = (struct nt_perf_map_line){ (seed >> 8) % 512, 1 + (seed >> 20) % 64, "x", 1, .stub = (seed >> 30) % 2 };
		}
		lines[63].stub = false;
		const struct nt_perf_map_line newest = lines[63];
		size_t count = nt_perf_map_merge(lines, 64);
		bool found = false;
		for (size_t i = 0; i < count; i++) {
			assert_true(lines[i].size > 0);
			assert_true(i == 0 || lines[i - 1].start + lines[i - 1].size <= lines[i].start);
			found |= lines[i].start == newest.start && lines[i].size == newest.size && !lines[i].stub;
		}
		assert_true(found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_merge), cmocka_unit_test(test_any_lines) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
