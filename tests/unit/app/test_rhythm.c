// SPDX-License-Identifier: GPL-2.0-only
/* When the sources are looked at: seldom, and always just after the end of the interval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/session/rhythm.h"

static const nt_time ms = NT_NS_PER_MS;
static const int periods_ms[] = { NT_RHYTHM_PERIOD_MS, 250, 321 };
enum { PERIODS = sizeof(periods_ms) / sizeof(periods_ms[0]) };

/* Looks from `now` on until the interval can be closed; returns the time of the last, and how many in *count. */
static nt_time look_until_closed(nt_time now, nt_time interval_end, nt_time period, int *count)
{
	*count = 0;
	do {
		nt_time next = nt_rhythm_next(now, interval_end, period);
		assert_true(next > now);
		assert_true(next - now <= period * 5 / 4);
		now = next;
		++*count;
	} while (now < interval_end);
	return now;
}

static int looks_until_asked(int length_ms, int period_ms)
{
	int asking_ms = length_ms - NT_RHYTHM_ASK_MS;
	if (asking_ms <= 0)
		return 0;
	/* What is left of whole periods has a look of its own unless it is too short for one. */
	int looks = asking_ms / period_ms + (asking_ms % period_ms >= period_ms / 4);
	return looks ? looks : 1;
}

static void look_through_interval(int length_ms, int period_ms)
{
	nt_time start = 7000 * ms + 3, end = start + (nt_time)length_ms * ms;
	int count;
	assert_int_equal(look_until_closed(start, end, (nt_time)period_ms * ms, &count), end + NT_RHYTHM_AFTER_MS * ms);
	assert_int_equal(count, looks_until_asked(length_ms, period_ms) + 1);
}

static void closing_look_comes_just_after_the_end(void **state)
{
	(void)state;
	static const int lengths_ms[] = { 50, 100, 333, 1000, 1500, 10000 };
	for (size_t i = 0; i < sizeof(lengths_ms) / sizeof(lengths_ms[0]); i++)
		for (size_t p = 0; p < PERIODS; p++)
			look_through_interval(lengths_ms[i], periods_ms[p]);
}

static void what_is_new_is_asked_about_once_before_the_end(void **state)
{
	(void)state;
	nt_time start = 7000 * ms, end = start + 1000 * ms;
	for (size_t p = 0; p < PERIODS; p++) {
		int asking = 0;
		for (nt_time now = start; now < end; now = nt_rhythm_next(now, end, (nt_time)periods_ms[p] * ms))
			asking += nt_rhythm_asks(now, end);
		assert_int_equal(asking, 1);
	}
	assert_false(nt_rhythm_asks(end - NT_RHYTHM_ASK_MS * ms - 1, end));
	assert_false(nt_rhythm_asks(end, end));
}

/* After each look a bit of time has passed: the next must not come at once for that. */
static void two_looks_in_a_second(void **state)
{
	(void)state;
	nt_time now = 1000 * ms, end = 2000 * ms;
	int count = 0;
	for (; now < 11000 * ms; count++) {
		now = nt_rhythm_next(now, end, NT_RHYTHM_PERIOD_MS * ms) + (nt_time)(count % 7) * ms / 3;
		if (now >= end)
			end += 1000 * ms;
	}
	assert_in_range(count, 20, 21);
}

/* A source whose time came between the look and the question for its patience. */
static void what_is_due_is_looked_at_at_once(void **state)
{
	(void)state;
	nt_time now = 1000 * ms;
	assert_int_equal(nt_rhythm_next(now, now + 1000 * ms, 0), now + 1);
}

static void looks_again_while_an_interval_waits_for_a_source(void **state)
{
	(void)state;
	nt_time end = 1000 * ms, now = end + NT_RHYTHM_AFTER_MS * ms;
	for (size_t p = 0; p < PERIODS; p++)
		assert_int_equal(nt_rhythm_next(now, end, (nt_time)periods_ms[p] * ms), now + NT_RHYTHM_LATE_MS * ms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closing_look_comes_just_after_the_end),
		cmocka_unit_test(what_is_new_is_asked_about_once_before_the_end),
		cmocka_unit_test(two_looks_in_a_second),
		cmocka_unit_test(what_is_due_is_looked_at_at_once),
		cmocka_unit_test(looks_again_while_an_interval_waits_for_a_source),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
