// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/frame/json_value.h"

#include <stdlib.h>
#include <string.h>

static void becomes(const char *text, const char *expected)
{
	json_t *value = nt_json_text(text);
	char *written = json_dumps(value, JSON_ENCODE_ANY);
	assert_string_equal(written, expected);
	free(written);
	json_decref(value);
}

/* Whoever takes the text out of the JSON may print it. */
static void texts_have_no_controls(void **state)
{
	(void)state;
	becomes("h\xc3\xa4 \"x\"", "\"h\xc3\xa4 \\\"x\\\"\"");
	becomes("\x1b[2J\n", "\"\\\\x1b[2J\\\\x0a\"");
	becomes("\xc2\x9b\xe2\x80\xae\xd8\x9c", "\"\\\\x9b\\\\u{202e}\\\\u{061c}\"");
	becomes("\xff\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	becomes("", "\"\"");
	becomes(NULL, "null");
}

static void nothing_is_null_where_it_is_asked_for(void **state)
{
	(void)state;
	json_t *none = nt_json_text_if_any(""), *some = nt_json_text_if_any("a\a");
	assert_true(json_is_null(none));
	assert_string_equal(json_string_value(some), "a\\x07");
	json_decref(none);
	json_decref(some);
}

static void a_long_text_is_cut_between_characters(void **state)
{
	(void)state;
	enum { COUNT = 3000 };
	char *text = malloc(3 * COUNT + 1), *at = text;
	for (int i = 0; i < COUNT; i++)
		at = stpcpy(at, "\xe2\x80\xae");
	json_t *value = nt_json_text(text);
	const char *made = json_string_value(value);
	assert_non_null(made);
	assert_int_equal(strlen(made) % strlen("\\u{202e}"), 0);
	assert_memory_equal(made, "\\u{202e}", strlen("\\u{202e}"));
	json_decref(value);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_have_no_controls),
		cmocka_unit_test(nothing_is_null_where_it_is_asked_for),
		cmocka_unit_test(a_long_text_is_cut_between_characters),
	};
	return cmocka_run_group_tests_name("json value", tests, NULL, NULL);
}
