// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/common/calendar.h"
#include "nettop/clock.h"

#include <time.h>

static int64_t of(unsigned year, unsigned month, unsigned day, unsigned hour, unsigned minute, unsigned second)
{
	return nt_calendar_unix_ns(&(struct nt_calendar_time){ year, month, day, hour, minute, second }, 0);
}

/* Each day of the years that there are, by the C library. */
static void days_are_those_of_the_c_library(void **state)
{
	(void)state;
	const int64_t day_s = 86400, last = 230 * 365; /* 2199 */
	for (int64_t days = 1; days < last; days++) {
		time_t seconds = (time_t)(days * day_s + days % day_s);
		struct tm parts;
		assert_non_null(gmtime_r(&seconds, &parts));
		assert_int_equal(of((unsigned)parts.tm_year + 1900, (unsigned)parts.tm_mon + 1, (unsigned)parts.tm_mday,
				    (unsigned)parts.tm_hour, (unsigned)parts.tm_min, (unsigned)parts.tm_sec),
				 (int64_t)seconds * (int64_t)NT_NS_PER_S);
	}
}

static void the_rest_of_a_second(void **state)
{
	(void)state;
	const struct nt_calendar_time time = { 2026, 11, 29, 23, 2, 30 };
	assert_int_equal(nt_calendar_unix_ns(&time, 611 * NT_NS_PER_MS), INT64_C(1795993350611000000));
	assert_int_equal(nt_calendar_unix_ns(&time, NT_NS_PER_S), 0);
}

static void what_is_no_date(void **state)
{
	(void)state;
	assert_int_equal(of(0, 0, 0, 0, 0, 0), 0);
	assert_int_equal(of(1969, 12, 31, 0, 0, 0), 0);
	assert_int_equal(of(2200, 1, 1, 0, 0, 0), 0);
	assert_int_equal(of(2026, 2, 29, 0, 0, 0), 0);
	assert_int_not_equal(of(2028, 2, 29, 0, 0, 0), 0);
	assert_int_equal(of(2026, 13, 1, 0, 0, 0), 0);
	assert_int_equal(of(2026, 1, 0, 0, 0, 0), 0);
	assert_int_equal(of(2026, 1, 1, 24, 0, 0), 0);
	assert_int_equal(of(2026, 1, 1, 0, 60, 0), 0);
	assert_int_equal(of(2026, 1, 1, 0, 0, 61), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(days_are_those_of_the_c_library), cmocka_unit_test(the_rest_of_a_second),
					    cmocka_unit_test(what_is_no_date) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
