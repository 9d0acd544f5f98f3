// SPDX-License-Identifier: GPL-2.0-only
/* What is usual for a route, and when it is slow: second by second. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/history/usual.h"

#define MS   NT_NS_PER_MS
#define NEAR (10 * NT_NS_PER_S)

static struct nt_usual usual;
static nt_time now;
static struct nt_usual_now last;

static int set_up(void **state)
{
	(void)state;
	usual = (struct nt_usual){ 0 };
	now = 5000 * NT_NS_PER_S;
	return 0;
}

/* A second in which so many ended, with that p99; 0 = none did, or nobody told. Was it high? */
static bool second(uint64_t count, uint64_t p99_ms)
{
	now += NT_NS_PER_S;
	if (count)
		nt_usual_add(&usual, now, count, p99_ms * MS);
	last = nt_usual_close(&usual, now, NEAR);
	return last.high;
}

static void healthy(unsigned seconds)
{
	for (unsigned i = 0; i < seconds; i++)
		assert_false(second(20, 40 + i % 7));
}

static void what_becomes_slow_is_high_after_three_seconds(void **state)
{
	(void)state;
	healthy(120);
	assert_true(last.level_ns.known && last.level_ns.v <= 46 * MS);
	assert_true(last.usual_ns.known && last.usual_ns.v >= 44 * MS && last.usual_ns.v <= 46 * MS);
	assert_true(last.usual_over_ns >= 80 * NT_NS_PER_S && last.usual_over_ns <= 120 * NT_NS_PER_S);
	assert_false(second(20, 900));
	assert_false(second(20, 1000));
	assert_true(second(20, 1100));
	assert_int_equal(last.level_ns.v, 900 * MS);
	assert_int_equal(last.count, 100);
	for (unsigned i = 0; i < 300; i++) /* what is high does not become usual */
		assert_true(second(20, 1000));
	assert_true(last.usual_ns.v <= 46 * MS);
	second(20, 40);
	second(20, 40);
	assert_false(second(20, 40));
}

/* A collection, a first request of its kind, a client that reads slowly: now and then, or two seconds in a row. */
static void outliers_are_not(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 900; i++)
		assert_false(second(20, i % 60 < 2 ? 5000 : 40));
}

static void it_is_not_known_before_there_is_a_minute(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 50; i++) {
		assert_false(second(20, i < 20 ? 5 : 3000)); /* a start-up under load */
		assert_false(last.usual_ns.known);
	}
}

static void few_requests_say_nothing(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 900; i++) {
		assert_false(second(1, i % 3 ? 10 : 2000));
		assert_false(last.level_ns.known || last.usual_ns.known);
	}
	set_up(state);
	healthy(120);
	for (unsigned i = 0; i < 60; i++)
		assert_false(second(i % 15 == 0, 3000)); /* the night: one now and then */
}

/* Idle, or nobody tells any more: what was before is no level of now. */
static void silence_is_not_known(void **state)
{
	(void)state;
	healthy(120);
	for (unsigned i = 0; i < 12; i++)
		second(0, 0);
	assert_false(last.level_ns.known || last.high);
	for (unsigned i = 0; i < 700; i++)
		second(0, 0);
	assert_false(last.usual_ns.known);
	for (unsigned i = 0; i < 50; i++)
		assert_false(second(20, 3000)); /* another load after a night: nothing to compare it with */
}

static void a_little_more_is_no_matter(void **state)
{
	(void)state;
	healthy(120);
	for (unsigned i = 0; i < 60; i++)
		assert_false(second(20, 280)); /* six times, and not by much */
	set_up(state);
	for (unsigned i = 0; i < 120; i++)
		assert_false(second(20, 2000));
	for (unsigned i = 0; i < 60; i++)
		assert_false(second(20, 5500)); /* by much, and not three times */
}

/* Slow seconds that come again and again are usual. */
static void what_happens_in_a_third_of_the_time_is_usual(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 1200; i++) {
		bool high = second(20, i % 30 < 10 ? 1000 : 40);
		assert_false(i >= 120 && high);
	}
}

static void what_lasts_ten_minutes_is_usual(void **state)
{
	(void)state;
	unsigned high = 0, i;
	healthy(120);
	for (i = 0; i < 1200; i++)
		high += second(20, 1000);
	assert_in_range(high, 590, 610);
	assert_false(last.high);
	assert_true(last.usual_ns.v >= 990 * MS);
}

/* Longer intervals have one of their seconds each; numbers without end overflow nothing. */
static void extremes(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 40; i++) {
		now += 10 * NT_NS_PER_S;
		nt_usual_add(&usual, now, 5, 40 * MS);
		last = nt_usual_close(&usual, now, 50 * NT_NS_PER_S);
	}
	assert_true(last.level_ns.known && last.usual_ns.known && !last.high);
	for (unsigned i = 0; i < 200; i++)
		second(UINT64_MAX / 8, UINT64_MAX / MS);
	assert_true(last.high);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_becomes_slow_is_high_after_three_seconds),
		TEST(outliers_are_not),
		TEST(it_is_not_known_before_there_is_a_minute),
		TEST(few_requests_say_nothing),
		TEST(silence_is_not_known),
		TEST(a_little_more_is_no_matter),
		TEST(what_happens_in_a_third_of_the_time_is_usual),
		TEST(what_lasts_ten_minutes_is_usual),
		TEST(extremes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
