// SPDX-License-Identifier: GPL-2.0-only
/* Numbers that mean everybody to kill(2) are refused before it sees them. Signal 0 only: should the check be gone, nobody is hurt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/signal_to.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

static void test_nobody_means_everybody(void **state)
{
	(void)state;
	static const pid_t wrong[] = { 0, -1, 1, INT_MIN, -2 };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		errno = 0;
		assert_false(nt_signal_process(wrong[i], 0));
		assert_int_equal(errno, EINVAL);
		errno = 0;
		assert_false(nt_signal_group(wrong[i], 0));
		assert_int_equal(errno, EINVAL);
	}
}

static void test_who_is_there(void **state)
{
	(void)state;
	assert_true(nt_signal_process(getpid(), 0));
	assert_true(nt_signal_group(getpgrp(), 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_nobody_means_everybody), cmocka_unit_test(test_who_is_there) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
