// SPDX-License-Identifier: GPL-2.0-only
/* Times of a recording as people name them, in a zone of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <time.h>

#include "base/when.h"

/* 2026-11-29T22:59:58.500Z, which is 23:59:58.5 in that zone: midnight is 1.5 s later. The recording's own clock is at 7000 s. */
static const int64_t begin_unix_ns = INT64_C(1795993198500000000);
static const nt_time start = 7000 * NT_NS_PER_S, ms = NT_NS_PER_MS;

static nt_time at(const char *text)
{
	struct nt_when when;
	if (!nt_when_parse(text, &when))
		fail_msg("%s is no time", text);
	return nt_when_in(&when, start, begin_unix_ns - (int64_t)start) - start;
}

static void set_zone(const char *zone)
{
	assert_int_equal(setenv("TZ", zone, 1), 0);
	tzset();
}

static void each_form_is_a_time_of_it(void **state)
{
	(void)state;
	set_zone("XXX-1"); /* POSIX's sign: an hour east */
	static const struct {
		const char *text;
		nt_time ms;
	} good[] = {
		{ "+0", 0 },
		{ "+90", 90000 },
		{ "+1.5", 1500 },
		{ "+0.0010009999999", 1 },
		{ "23:59:59", 500 },
		{ "23:59:59.25", 750 },
		{ "00:00", 1500 },
		{ "00:01:00", 61500 },
		{ "2026-11-30T00:00:10", 11500 },
		{ "2026-11-30 00:00:10.125", 11625 },
		{ "2026-11-29T23:00:10Z", 11500 },
		{ "2026-11-30T02:00:10+0300", 11500 },
		{ "2026-11-29T18:30:10-04:30", 11500 },
		{ "2026-11-29T12:00", 0 }, /* before its begin */
		{ "23:59:58", 0 },
		{ "23:59:57", 24 * 3600 * 1000 - 1500 }, /* of the next day */
	};
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (at(good[i].text) / ms != good[i].ms)
			fail_msg("%s is %.3f s since the begin, not %.3f", good[i].text, (double)at(good[i].text) / 1e9,
				 (double)good[i].ms / 1e3);
}

/* A day is not always of 24 hours. */
static void a_day_with_another_hour(void **state)
{
	(void)state;
	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	struct nt_when when;
	assert_true(nt_when_parse("01:00", &when));
	const int64_t begin = INT64_C(1774738800000000000); /* 2026-03-29T00:00:00+0100; 02:00 is 03:00 */
	assert_int_equal(nt_when_in(&when, start, begin - (int64_t)start) - start, 3600 * NT_NS_PER_S);
	assert_true(nt_when_parse("04:00", &when));
	assert_int_equal(nt_when_in(&when, start, begin - (int64_t)start) - start, 3 * 3600 * NT_NS_PER_S);
}

static void what_is_no_time(void **state)
{
	(void)state;
	static const char *const bad[] = { "",
					   "+",
					   "+x",
					   "+1.",
					   "+1s",
					   "-5",
					   "12",
					   "12:",
					   "24:00",
					   "12:60",
					   "12:0x",
					   "12:00:61",
					   "12:00:00.",
					   "12:00:00 ",
					   "noon",
					   "2026-11-29",
					   "2026-13-01T00:00",
					   "2026-00-01T00:00",
					   "1969-01-01T00:00",
					   "2026-11-29T12:00+1",
					   "+12345678901" };
	struct nt_when when;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (nt_when_parse(bad[i], &when))
			fail_msg("'%s' is a time", bad[i]);
		assert_int_equal(when.sort, NT_WHEN_NEVER);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_is_a_time_of_it),
		cmocka_unit_test(a_day_with_another_hour),
		cmocka_unit_test(what_is_no_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
