// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/status.h"

#include <errno.h>
#include <string.h>

static void expect(const struct nt_error *err, const char *reason, const char *text)
{
	char buf[2 * NT_ERROR_TEXT];
	assert_string_equal(nt_error_reason(err, buf, sizeof(buf)), reason);
	assert_string_equal(nt_error_text(err, buf, sizeof(buf)), text);
}

static void test_chain(void **state)
{
	(void)state;
	struct nt_error err;
	assert_int_equal(nt_error_errno(&err, NT_ERR_FAILED, EACCES, "cannot open %s", "a"), NT_ERR_FAILED);
	expect(&err, "cannot open a: Permission denied", "cannot open a: Permission denied");
	nt_error_wrap(&err, "attaching");
	assert_int_equal(err.status, NT_ERR_FAILED);
	expect(&err, "attaching: cannot open a: Permission denied", "attaching: cannot open a: Permission denied");
	nt_error_set(&err, NT_ERR_GONE, "it ended");
	expect(&err, "it ended", "it ended");
}

static void test_fix(void **state)
{
	(void)state;
	struct nt_error err;
	nt_error_set(&err, NT_ERR_FORBIDDEN, "no permission");
	nt_error_set_fix(&err, "sudo nettop");
	nt_error_wrap(&err, "perf");
	expect(&err, "perf: no permission", "perf: no permission; sudo nettop");
	/* Another error does not inherit it. */
	nt_error_set(&err, NT_ERR_GONE, "it ended");
	expect(&err, "it ended", "it ended");
}

static void test_hostile_texts(void **state)
{
	(void)state;
	struct nt_error err;
	char small[8];
	nt_error_set(&err, NT_ERR_FAILED, "%s", "a\x1b[2Jb");
	nt_error_set_fix(&err, "c\nd");
	expect(&err, "a\\x1b[2Jb", "a\\x1b[2Jb; c\\x0ad");
	assert_string_equal(nt_error_text(&err, small, sizeof(small)), "a\\x1b[2");
	nt_error_errno(&err, NT_ERR_FAILED, ENOENT, "%s", "\xc2\x9bm\xe2\x80\xae\xd8\x9c\xff");
	nt_error_wrap(&err, "%s", "\a");
	expect(&err, "\\x07: \\x9bm\\u{202e}\\u{061c}\xef\xbf\xbd: No such file or directory",
	       "\\x07: \\x9bm\\u{202e}\\u{061c}\xef\xbf\xbd: No such file or directory");
}

/* A cause that is too long ends with a whole character. */
static void test_long_texts(void **state)
{
	(void)state;
	struct nt_error err;
	for (int lead = 0; lead < 3; lead++) {
		char text[2 * NT_ERROR_TEXT] = "aa";
		for (size_t at = (size_t)lead; at < sizeof(text) - 4; at += 3)
			strcpy(text + at, "\xe6\x97\xa5");
		nt_error_set(&err, NT_ERR_FAILED, "%s", text);
		size_t length = strlen(err.cause[0]);
		assert_in_range(length, NT_ERROR_TEXT - 3, NT_ERROR_TEXT - 1);
		assert_int_equal((length - (size_t)lead) % 3, 0);
		assert_null(strstr(err.cause[0], "\xef\xbf\xbd"));
	}
}

static void test_nobody_wants_the_text(void **state)
{
	(void)state;
	assert_int_equal(nt_error_set(NULL, NT_ERR_GONE, "it ended"), NT_ERR_GONE);
	nt_error_set_fix(NULL, "nothing");
	nt_error_wrap(NULL, "nothing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_fix),
		cmocka_unit_test(test_hostile_texts),
		cmocka_unit_test(test_long_texts),
		cmocka_unit_test(test_nobody_wants_the_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
