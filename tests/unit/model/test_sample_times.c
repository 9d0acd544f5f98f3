// SPDX-License-Identifier: GPL-2.0-only
/* When in the interval samples were taken: a burst is where it was, and what nobody knows is not told. */
#include "sampled_world.h"

enum { CODE = 0x10000 };

static void sample_from_to(struct world *w, double from, double to, double step, uint64_t address)
{
	for (double at = from; at < to; at += step)
		sample_at(&w->perf, at, 1, address);
}

static const struct nt_interval_samples *times_of(const struct nt_snapshot *snapshot)
{
	return &snapshot->processes[0].interval_samples;
}

static uint64_t sum_of(const struct nt_interval_samples *times)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < NT_INTERVAL_PARTS; i++)
		sum += times->parts[i];
	return sum;
}

static void test_burst_is_at_its_time(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	code_line(&w.codemap, 0, CODE, 0x100, "Shop.Burst()", NT_TIER_1);
	sample_from_to(&w, 400, 700, 10, CODE);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_interval_samples *times = times_of(s);
	assert_true(times->known);
	for (unsigned i = 0; i < NT_INTERVAL_PARTS; i++)
		assert_int_equal(times->parts[i], i >= 20 && i < 35 ? 2 : 0);
	assert_int_equal(sum_of(times), 30);
	assert_int_equal(times->late, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_first_and_last_moment(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	sample_at(&w.perf, 0, 1, CODE);
	sample_at(&w.perf, 999.999999, 1, CODE);
	sample_at(&w.perf, 1000, 1, CODE); /* of the next one */
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(times_of(s)->parts[0], 1);
	assert_int_equal(times_of(s)->parts[NT_INTERVAL_PARTS - 1], 1);
	assert_int_equal(sum_of(times_of(s)), 2);
	nt_snapshot_release(s);
	sample_at(&w.perf, 500, 1, CODE); /* told late */
	s = close_all(&w, 2000);
	assert_int_equal(sum_of(times_of(s)), 1);
	assert_int_equal(times_of(s)->late, 1);
	nt_snapshot_release(s);
	end(&w);
}

/* The code map is not read yet up to its time: it is counted in a later interval, and was taken in this one. */
static void test_one_that_waits_has_its_time(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	event(&w.codemap, NT_EV_IDLE, 100, 0);
	raw_line(&w.codemap, 0, CODE, 0x100, "void [Shop] dynamicClass::made()[OptimizedTier1]");
	sample_at(&w.perf, 500, 1, CODE);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(times_of(s)->parts[25], 1);
	assert_known(s->processes[0].interval.cpu.samples, 0);
	nt_snapshot_release(s);
	idle(&w.codemap, 2000);
	s = close_all(&w, 2000);
	assert_known(s->processes[0].interval.cpu.samples, 1);
	assert_int_equal(sum_of(times_of(s)) + times_of(s)->late, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_unknown_without_samples(void **state)
{
	(void)state;
	struct nt_model *model = new_model();
	struct nt_snapshot *s = close_at(model, 1000);
	assert_false(times_of(s)->known);
	nt_snapshot_release(s);
	nt_model_free(model);
}

static void test_parts_have_no_gap(void **state)
{
	(void)state;
	static const nt_time lengths[] = { 1, 7, 49, 50, 51, 1000, 999999999, 3600 * NT_NS_PER_S };
	for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
		nt_time t0 = START, t1 = START + lengths[l];
		assert_int_equal(nt_interval_part_start(t0, t1, 0), t0);
		assert_int_equal(nt_interval_part_start(t0, t1, NT_INTERVAL_PARTS), t1);
		for (unsigned i = 0; i < NT_INTERVAL_PARTS; i++) {
			nt_time from = nt_interval_part_start(t0, t1, i), to = nt_interval_part_start(t0, t1, i + 1);
			if (from == to)
				continue;
			assert_int_equal(nt_interval_part(t0, t1, from), i);
			assert_int_equal(nt_interval_part(t0, t1, to - 1), i);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_burst_is_at_its_time),        cmocka_unit_test(test_first_and_last_moment),
		cmocka_unit_test(test_one_that_waits_has_its_time), cmocka_unit_test(test_unknown_without_samples),
		cmocka_unit_test(test_parts_have_no_gap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
