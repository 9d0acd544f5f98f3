// SPDX-License-Identifier: GPL-2.0-only
/* Figures of the last ten minutes, and how a level among them has grown. */
#include "../covered.h"
#include "build.h"

#include "model/history/kept_figures.h"
#include "model/history/slope.h"

#include <string.h>

static struct nt_kept_figures kept;
static struct nt_process_snapshot process;
static nt_time now;

static int set_up(void **state)
{
	(void)state;
	kept = (struct nt_kept_figures){ 0 };
	process = (struct nt_process_snapshot){ 0 };
	now = START;
	return 0;
}

/* An interval of `process`. */
static bool pass(nt_time length_ns)
{
	const struct nt_span span = { .t0 = now, .t1 = now + length_ns, .start = START };
	cover_span(&process.interval, length_ns);
	now = span.t1;
	return nt_kept_add(&kept, &span, &process);
}

static struct nt_f64 value(size_t back, enum nt_kept_series series)
{
	return nt_kept_value(nt_kept_moment(&kept, back), series);
}

static void short_intervals_are_one_moment(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		process.interval.memory.rss_bytes = nt_u64_of(100 + i);
		process.interval.requests.count = nt_u64_of(3);
		assert_int_equal(pass(100 * NT_NS_PER_MS), i == 9);
	}
	assert_int_equal(nt_kept_moment(&kept, 0)->time, START + NT_NS_PER_S);
	assert_true(value(0, NT_KEPT_RSS).v == 109);
	assert_true(value(0, NT_KEPT_SERVED).v == 30);
	assert_null(nt_kept_moment(&kept, 1));
	/* Timers are early; a long one is a moment of its own. */
	assert_true(pass(960 * NT_NS_PER_MS));
	assert_true(pass(7 * NT_NS_PER_S));
	assert_true(value(0, NT_KEPT_SERVED).v == 3.0 / 7);
	assert_false(pass(0));
}

static void what_is_not_known_is_not_kept_as_nothing(void **state)
{
	(void)state;
	process.interval.threads.count = nt_u64_of(0);
	assert_true(pass(NT_NS_PER_S));
	assert_true(value(0, NT_KEPT_THREADS).known);
	for (unsigned i = 0; i < NT_KEPT_COUNT; i++)
		assert_int_equal(value(0, (enum nt_kept_series)i).known, i == NT_KEPT_THREADS);
	/* Nor what was known for a small part of a moment only. */
	process.interval.pool.completed_count = nt_u64_of(5);
	assert_false(pass(400 * NT_NS_PER_MS));
	process.interval.pool.completed_count.known = false;
	assert_true(pass(600 * NT_NS_PER_MS));
	assert_false(value(0, NT_KEPT_DONE).known);
}

static void old_moments_are_forgotten(void **state)
{
	(void)state;
	for (unsigned i = 0; i < NT_KEPT_MOMENTS + 100; i++) {
		process.interval.threads.count = nt_u64_of(i);
		assert_true(pass(NT_NS_PER_S));
	}
	for (unsigned i = 0; i < NT_KEPT_MOMENTS; i++)
		assert_true(value(i, NT_KEPT_THREADS).v == NT_KEPT_MOMENTS + 99 - i);
	assert_null(nt_kept_moment(&kept, NT_KEPT_MOMENTS));
}

/* What a collection of all generations left stays until the next one. */
static void full_collections_are_kept(void **state)
{
	(void)state;
	const struct nt_gc_row young = { .finished = true, .after_bytes = NT_KNOWN(900), .end = START },
			       full = { .finished = true, .generation = 2, .after_bytes = NT_KNOWN(400), .end = START },
			       open = { .generation = 2, .after_bytes = NT_KNOWN(5) };
	const struct nt_gc_row *rows[] = { &open, &young, &full };
	process.collections = rows;
	process.collection_count = 2;
	assert_true(pass(NT_NS_PER_S));
	assert_false(value(0, NT_KEPT_HEAP_FULL).known);
	process.collection_count = 3;
	assert_true(pass(NT_NS_PER_S));
	assert_true(value(0, NT_KEPT_HEAP_FULL).v == 400);
	process.collection_count = 0;
	assert_true(pass(NT_NS_PER_S));
	assert_true(value(0, NT_KEPT_HEAP_FULL).v == 400);
}

/* ---- slopes ---- */

static double noise(void)
{
	static uint32_t lots = 12345;
	lots = lots * 1103515245 + 12345;
	return (double)(lots >> 16 & 1023) / 1023;
}

/* Levels at a second. */
static double flat(unsigned second)
{
	return 200 + 0.0 * second;
}

static double leak(unsigned second)
{
	return 200 + second;
}

static double leak_of_a_sawtooth(unsigned second)
{
	return 200 + second + second % 7 * 50;
}

static double sawtooth(unsigned second)
{
	return 200 + second % 17 * 50;
}

static double step(unsigned second)
{
	return second < 200 ? 200 : 800;
}

static double filled_once(unsigned second)
{
	return second < 200 ? 200 : second < 260 ? 200 + 10 * (second - 200.0) : 800;
}

static double warms_up(unsigned second)
{
	return 200 + 600 * (1 - 1 / (1 + second / 5.0));
}

static double noisy(unsigned second)
{
	return flat(second) + 100 * noise();
}

static double noisy_leak(unsigned second)
{
	return leak(second) + 100 * noise();
}

static double falls(unsigned second)
{
	return 2000 - (double)second;
}

static void only_what_rises_all_the_time_is_steady(void **state)
{
	static const struct {
		double (*level)(unsigned second);
		bool steady;
	} cases[] = {
		{ flat, false },        { leak, true },   { leak_of_a_sawtooth, true }, { sawtooth, false }, { step, false },
		{ filled_once, false }, { noisy, false }, { noisy_leak, true },         { falls, false },    { warms_up, false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		unsigned steady = 0, judged = 0;
		for (unsigned second = 0; second < 500; second++) {
			struct nt_slope slope;
			process.interval.memory.rss_bytes = nt_u64_of((uint64_t)cases[i].level(second));
			assert_true(pass(NT_NS_PER_S));
			nt_time since = second < 250 ? START : now - 250 * NT_NS_PER_S;
			bool known = nt_slope_of(&kept, NT_KEPT_RSS, since, &slope);
			assert_int_equal(known, second >= 120);
			judged += known;
			steady += known && slope.steady && slope.to - slope.from >= 64;
		}
		/* What warms up is judged when the most of it is over. */
		assert_int_equal(steady > 0, cases[i].steady);
		if (cases[i].steady)
			assert_true(steady > judged * 9 / 10);
	}
}

static void a_slope_is_that_of_most_of_the_time(void **state)
{
	(void)state;
	struct nt_slope slope;
	for (unsigned second = 0; second < 400; second++) {
		/* Of it a minute was out of the ordinary. */
		double level = leak_of_a_sawtooth(second) + (second >= 100 && second < 160 ? 500 : 0);
		process.interval.memory.rss_bytes = nt_u64_of((uint64_t)level);
		pass(NT_NS_PER_S);
	}
	assert_true(nt_slope_of(&kept, NT_KEPT_RSS, START, &slope));
	assert_true(slope.per_s > 0.8 && slope.per_s < 1.2);
	assert_int_equal(slope.over_ns, 360 * NT_NS_PER_S);
	assert_true(slope.from >= 219 && slope.from < 240 && slope.to >= 579 && slope.to < 600);
}

/* A gap, and moments that are too long. */
static void what_is_not_known_has_no_slope(void **state)
{
	(void)state;
	struct nt_slope slope;
	for (unsigned second = 0; second < 300; second++) {
		process.interval.memory.rss_bytes = (struct nt_u64){ .v = second, .known = second < 60 || second > 200 };
		pass(NT_NS_PER_S);
	}
	assert_false(nt_slope_of(&kept, NT_KEPT_RSS, START, &slope));
	set_up(state);
	for (unsigned minute = 0; minute < 20; minute++) {
		process.interval.memory.rss_bytes = nt_u64_of(minute);
		pass(60 * NT_NS_PER_S);
	}
	assert_false(nt_slope_of(&kept, NT_KEPT_RSS, START, &slope));
	/* Every tenth second is enough. */
	set_up(state);
	for (unsigned second = 0; second < 300; second++) {
		process.interval.memory.rss_bytes = (struct nt_u64){ .v = second, .known = second % 10 == 0 };
		pass(NT_NS_PER_S);
	}
	assert_true(nt_slope_of(&kept, NT_KEPT_RSS, START, &slope) && slope.steady);
}

#define WITH_SET_UP(test) cmocka_unit_test_setup(test, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SET_UP(short_intervals_are_one_moment),
		WITH_SET_UP(what_is_not_known_is_not_kept_as_nothing),
		WITH_SET_UP(old_moments_are_forgotten),
		WITH_SET_UP(full_collections_are_kept),
		WITH_SET_UP(only_what_rises_all_the_time_is_steady),
		WITH_SET_UP(a_slope_is_that_of_most_of_the_time),
		WITH_SET_UP(what_is_not_known_has_no_slope),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
