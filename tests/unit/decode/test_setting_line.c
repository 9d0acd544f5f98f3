// SPDX-License-Identifier: GPL-2.0-only
/* Files of settings, line by line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/common/setting_line.h"

#include <string.h>

static void test_lines(void **state)
{
	static const struct {
		const char *text, *key, *value;
	} lines[] = {
		{ "delay = 2", "delay", "2" },
		{ "\t delay=2\r", "delay", "2" },
		{ "sort.methods = total_pct  descending  # as in top", "sort.methods", "total_pct  descending" },
		{ "a = b#c", "a", "b#c" },
		{ "a =", "a", "" },
		{ "a = # nothing", "a", "" },
		{ "a = b = c", "a", "b = c" },
		{ "", NULL, NULL },
		{ "  # a = b", NULL, NULL },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct nt_setting_line line;
		size_t at = 0, length = strlen(lines[i].text);
		if (!length)
			continue;
		assert_true(nt_setting_line_next(lines[i].text, length, &at, &line));
		assert_int_equal(at, length);
		assert_null(line.problem);
		assert_int_equal(line.number, 1);
		assert_true(!line.key == !lines[i].key);
		if (!line.key)
			continue;
		assert_int_equal(line.key_length, strlen(lines[i].key));
		assert_memory_equal(line.key, lines[i].key, line.key_length);
		assert_int_equal(line.value_length, strlen(lines[i].value));
		assert_memory_equal(line.value, lines[i].value, line.value_length);
	}
}

static void test_broken_lines(void **state)
{
	static const char text[] = "delay 2\n= 2\nde lay = 2\n\na = \033[2J\nb = 1";
	static const bool broken[] = { true, true, true, false, true, false };
	struct nt_setting_line line;
	size_t at = 0, count = 0;
	(void)state;
	while (nt_setting_line_next(text, sizeof(text) - 1, &at, &line)) {
		assert_true(count < sizeof(broken));
		assert_int_equal(!!line.problem, broken[count++]);
		assert_int_equal(line.number, count);
	}
	assert_int_equal(count, sizeof(broken));
}

static void test_a_line_without_end(void **state)
{
	static char text[NT_SETTING_LINE_BYTES + 8];
	struct nt_setting_line line;
	size_t at = 0;
	(void)state;
	memset(text, 'x', sizeof(text));
	assert_true(nt_setting_line_next(text, sizeof(text), &at, &line));
	assert_non_null(line.problem);
	assert_false(nt_setting_line_next(text, sizeof(text), &at, &line));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_broken_lines),
		cmocka_unit_test(test_a_line_without_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
