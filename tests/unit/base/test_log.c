// SPDX-License-Identifier: GPL-2.0-only
/* The log: what programs write becomes lines that a terminal can show; the oldest go first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/log.h"

#include <stdio.h>
#include <string.h>

static void test_lines_are_made_safe(void **state)
{
	(void)state;
	static const struct {
		const char *given, *kept;
	} cases[] = {
		{ "plain", "plain" },
		{ "", "" },
		{ "\033[1;31mfail\033[0m: x", "fail: x" },
		{ "\033]0;title\aafter", "after" },
		{ "\033]8;;http://x\033\\link\033]8;;\033\\", "link" },
		{ "\033(Bx\033=y", "xy" },
		{ "cut\033[38;5", "cut" },
		{ "cut\033", "cut" },
		{ "a\tb", "a       b" },
		{ "12345678\tb", "12345678        b" },
		{ "windows\r", "windows" },
		{ "bell\a\b", "bell\\x07\\x08" },
		{ "gr\303\274n", "gr\303\274n" },
		{ "\377", "\357\277\275" },
	};
	struct nt_log *log = nt_log_new();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		nt_log_add(log, 5 + i, NT_LOG_ERROR, cases[i].given, strlen(cases[i].given));
		struct nt_log_line line = nt_log_line(log, i);
		assert_string_equal(line.text, cases[i].kept);
		assert_int_equal(line.time, 5 + i);
		assert_int_equal(line.kind, NT_LOG_ERROR);
	}
	nt_log_free(log);
}

static void test_the_oldest_go_first(void **state)
{
	(void)state;
	struct nt_log *log = nt_log_new();
	for (unsigned i = 0; i < NT_LOG_LINES + 3; i++) {
		char text[16];
		int length = snprintf(text, sizeof(text), "%u", i);
		nt_log_add(log, i, NT_LOG_OUTPUT, text, (size_t)length);
	}
	assert_int_equal(nt_log_count(log), NT_LOG_LINES);
	assert_int_equal(nt_log_dropped(log), 3);
	assert_string_equal(nt_log_line(log, 0).text, "3");
	assert_int_equal(nt_log_line(log, NT_LOG_LINES - 1).time, NT_LOG_LINES + 2);
	nt_log_free(log);
}

static void test_a_long_line_is_cut(void **state)
{
	(void)state;
	static char text[3 * NT_LOG_LINE_BYTES];
	struct nt_log *log = nt_log_new();
	memset(text, '\a', sizeof(text)); /* grows fourfold */
	nt_log_add(log, 1, NT_LOG_OUTPUT, text, sizeof(text));
	assert_true(strlen(nt_log_line(log, 0).text) < NT_LOG_LINE_BYTES);
	nt_log_free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_are_made_safe),
		cmocka_unit_test(test_the_oldest_go_first),
		cmocka_unit_test(test_a_long_line_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
