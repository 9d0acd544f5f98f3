// SPDX-License-Identifier: GPL-2.0-only
/* Fields of events as lines, and back: what is written is found by its name, however hostile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/told_text.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 400 };

static const struct nt_told_field fields[] = {
	{ .name = "PauseNs", .kind = NT_TOLD_UNSIGNED, .u = 1200 },
	{ .name = "Who", .kind = NT_TOLD_TEXT, .text = "Ann\n=\"\x1b[31m" },
	{ .name = "a\nb", .kind = NT_TOLD_BOOL, .u = 1 },
	{ .name = "", .kind = NT_TOLD_REAL, .real = 0.5 },
};
static const struct nt_told_event event = { .fields = fields, .field_count = sizeof(fields) / sizeof(fields[0]) };

static void a_line_each_without_control_characters(void **state)
{
	bool cut;
	(void)state;
	char *lines = nt_told_lines(&event, ROOM, &cut);
	assert_string_equal(lines, "PauseNs=1200\nWho=\"Ann\\x0a=\"\\x1b[31m\"\na\\x0ab=true\n=0.5");
	assert_false(cut);
	free(lines);
}

static void found_by_name_in_whatever_case(void **state)
{
	bool cut;
	struct nt_told_line line;
	(void)state;
	char *lines = nt_told_lines(&event, ROOM, &cut);
	assert_true(nt_told_find(lines, "pausens", 7, &line));
	assert_int_equal(line.value_length, 4);
	assert_memory_equal(line.value, "1200", 4);
	assert_false(line.is_text);
	assert_true(nt_told_find(lines, "Who", 3, &line));
	assert_true(line.is_text);
	assert_memory_equal(line.value, "Ann", 3);
	assert_false(nt_told_find(lines, "Pause", 5, &line));
	assert_false(nt_told_find(NULL, "Pause", 5, &line));
	free(lines);
}

static void too_many_are_cut_at_a_line(void **state)
{
	static char text[ROOM * 2];
	struct nt_told_field long_ones[8];
	bool cut;
	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	for (size_t i = 0; i < 8; i++)
		long_ones[i] = (struct nt_told_field){ .name = "T", .kind = NT_TOLD_TEXT, .text = text };
	const struct nt_told_event large = { .fields = long_ones, .field_count = 8 };
	char *lines = nt_told_lines(&large, ROOM, &cut);
	assert_true(cut);
	assert_true(strlen(lines) <= ROOM && strlen(lines) > ROOM / 2);
	assert_string_equal(lines + strlen(lines) - 4, "…\"");
	free(lines);
	const struct nt_told_event none = { .cut = true };
	lines = nt_told_lines(&none, ROOM, &cut);
	assert_string_equal(lines, "");
	assert_true(cut);
	free(lines);
}

static void the_runtime_is_called_clr(void **state)
{
	char guid[NT_GUID_TEXT];
	static const uint8_t bytes[16] = { 4, 3, 2, 1, 6, 5, 8, 7, 9, 10, 11, 12, 13, 14, 15, 16 };
	(void)state;
	assert_string_equal(nt_told_provider("Microsoft-Windows-DotNETRuntime"), "clr");
	assert_string_equal(nt_told_provider("Shop-Told"), "Shop-Told");
	assert_string_equal(nt_guid_text(bytes, guid), "01020304-0506-0708-090a-0b0c0d0e0f10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_each_without_control_characters),
		cmocka_unit_test(found_by_name_in_whatever_case),
		cmocka_unit_test(too_many_are_cut_at_a_line),
		cmocka_unit_test(the_runtime_is_called_clr),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
