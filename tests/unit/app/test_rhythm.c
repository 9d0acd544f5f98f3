// SPDX-License-Identifier: GPL-2.0-only
/* When the sources are looked at: seldom, and always just after the end of the interval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/rhythm.h"

static const nt_time ms = NT_NS_PER_MS;

/* Looks from `now` on until the interval can be closed; returns the time of the last, and how many in *count. */
static nt_time look_until_closed(nt_time now, nt_time interval_end, int *count)
{
	*count = 0;
	do {
		nt_time next = nt_rhythm_next(now, interval_end);
		assert_true(next > now);
		assert_true(next - now <= (nt_time)NT_RHYTHM_PERIOD_MS * 5 / 4 * ms);
		now = next;
		++*count;
	} while (now < interval_end);
	return now;
}

static void closing_look_comes_just_after_the_end(void **state)
{
	(void)state;
	static const nt_time lengths_ms[] = { 50, 100, 333, 1000, 1500, 10000 };
	for (size_t i = 0; i < sizeof(lengths_ms) / sizeof(lengths_ms[0]); i++) {
		nt_time start = 7000 * ms + 3, end = start + lengths_ms[i] * ms;
		int count;
		assert_int_equal(look_until_closed(start, end, &count), end + NT_RHYTHM_AFTER_MS * ms);
		/* What is left of whole periods has a look of its own unless it is too short for one. */
		const int least_ms = NT_RHYTHM_PERIOD_MS / 4 - NT_RHYTHM_AFTER_MS, length_ms = (int)lengths_ms[i];
		int expected = length_ms / NT_RHYTHM_PERIOD_MS + (length_ms % NT_RHYTHM_PERIOD_MS > least_ms);
		assert_int_equal(count, expected ? expected : 1);
	}
}

/* After each look a bit of time has passed: the next must not come at once for that. */
static void four_looks_in_a_second(void **state)
{
	(void)state;
	nt_time now = 1000 * ms, end = 2000 * ms;
	int count = 0;
	for (; now < 11000 * ms; count++) {
		now = nt_rhythm_next(now, end) + (nt_time)(count % 7) * ms / 3;
		if (now >= end)
			end += 1000 * ms;
	}
	assert_in_range(count, 40, 41);
}

static void looks_again_while_an_interval_waits_for_a_source(void **state)
{
	(void)state;
	nt_time end = 1000 * ms, now = end + NT_RHYTHM_AFTER_MS * ms;
	assert_int_equal(nt_rhythm_next(now, end), now + NT_RHYTHM_LATE_MS * ms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closing_look_comes_just_after_the_end),
		cmocka_unit_test(four_looks_in_a_second),
		cmocka_unit_test(looks_again_while_an_interval_waits_for_a_source),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
