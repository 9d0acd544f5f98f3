// SPDX-License-Identifier: GPL-2.0-only
/* Two spans of the past compared: samples from the model, through what is kept of them, to rows. */
#include "sampled_world.h"

#include "model/past/past_compare.h"

enum { SLOW = 0x10000, MAIN = 0x10100 };

static void keep_interval(struct world *w, struct nt_past *past, double end)
{
	struct nt_snapshot *s = close_all(w, end);
	nt_past_add(past, s);
	nt_snapshot_release(s);
}

/* So many seconds, in each a hundred samples, of which Slow() has that many. */
static void pass(struct world *w, struct nt_past *past, unsigned *second, unsigned seconds, unsigned slow)
{
	const uint64_t chain[] = { SLOW, MAIN + 4 };
	for (unsigned end = *second + seconds; *second < end; ++*second) {
		for (unsigned i = 0; i < 100; i++)
			if (i * slow / 100 != (i + 1) * slow / 100)
				sample_chain(&w->perf, *second * 1000 + i * 10, 1, chain, 0, 2);
			else
				sample_at(&w->perf, *second * 1000 + i * 10, 1, MAIN);
		keep_interval(w, past, (*second + 1) * 1000);
	}
}

static struct nt_past *watch(struct world *w, bool keep)
{
	struct nt_past *past = nt_past_new(&(struct nt_past_config){ 0 });
	unsigned second = 0;
	begin(w);
	keep_samples(w->model, keep);
	code_line(&w->codemap, 0, SLOW, 0x100, "Shop.Slow()", NT_TIER_1);
	code_line(&w->codemap, 0, MAIN, 0x100, "Shop.Main()", NT_TIER_1);
	pass(w, past, &second, 30, 10);
	/* The same name, compiled again elsewhere. */
	code_line(&w->codemap, 30000, SLOW, 0x100, "Shop.Slow()", NT_TIER_1);
	pass(w, past, &second, 30, 30);
	return past;
}

static void leave(struct world *w, struct nt_past *past)
{
	nt_past_free(past);
	end(w);
}

static void what_changed_is_first(void **state)
{
	(void)state;
	struct world w;
	struct nt_past *past = watch(&w, true);
	struct nt_snapshot *s = nt_past_compare(past, ms(0), ms(30000), past, ms(30000), ms(60000));
	const struct nt_difference *difference = &s->processes[0].difference;
	assert_null(difference->reason);
	assert_int_equal(difference->before.samples, 3000);
	assert_int_equal(difference->after.samples, 3000);
	assert_int_equal(difference->before.batches, 30);
	assert_int_equal(difference->before.told_ns, 30 * NT_NS_PER_S);
	assert_int_equal(difference->compared[NT_DIFFER_CPU], 2);
	assert_true(difference->row_count >= 1);
	assert_string_equal(difference->rows[0].name, "Shop.Slow()");
	assert_near(difference->rows[0].before_pct.v, 10);
	assert_near(difference->rows[0].after_pct.v, 30);
	assert_near(difference->load, 70.0 / 90); /* of the other one */
	assert_near(difference->rows[0].change_pct, 100 * (3 / (70.0 / 90) - 1));
	assert_int_equal(difference->rows[0].before_count, 300);
	assert_int_equal(difference->rows[0].after_count, 900);
	/* The span is what all screens show. */
	assert_int_equal(s->t0, ms(30000));
	assert_string_equal(s->processes[0].methods[1].name, "Shop.Slow()");
	nt_snapshot_release(s);
	leave(&w, past);
}

/* Another process, of which another past is kept: the same names are the same methods, whatever its pid and its ids. */
static void the_one_before_a_restart(void **state)
{
	(void)state;
	struct world before, after;
	struct nt_past *past_before = watch(&before, true), *past = watch(&after, true);
	struct nt_snapshot *s = nt_past_compare(past_before, ms(0), ms(30000), past, ms(30000), ms(60000));
	const struct nt_difference *difference = &s->processes[0].difference;
	assert_null(difference->reason);
	assert_true(difference->row_count >= 1);
	assert_string_equal(difference->rows[0].name, "Shop.Slow()");
	assert_near(difference->rows[0].before_pct.v, 10);
	assert_near(difference->rows[0].after_pct.v, 30);
	nt_snapshot_release(s);
	s = nt_past_compare(past_before, ms(30000), ms(60000), past, ms(30000), ms(60000));
	assert_int_equal(s->processes[0].difference.row_count, 0);
	assert_int_equal(s->processes[0].difference.before.samples, 3000);
	nt_snapshot_release(s);
	nt_past_free(past_before);
	end(&before);
	leave(&after, past);
}

static void halves_of_the_same_are_alike(void **state)
{
	(void)state;
	struct world w;
	struct nt_past *past = watch(&w, true);
	/* Of seconds that are cut in two, too: each sample is of one span. */
	struct nt_snapshot *s = nt_past_compare(past, ms(500), ms(14500), past, ms(14500), ms(29500));
	const struct nt_difference *difference = &s->processes[0].difference;
	assert_null(difference->reason);
	assert_int_equal(difference->row_count, 0);
	assert_int_equal(difference->before.samples, 1400);
	assert_int_equal(difference->after.samples, 1500);
	nt_snapshot_release(s);
	leave(&w, past);
}

static void what_was_not_kept_is_not_compared(void **state)
{
	(void)state;
	struct world w;
	struct nt_past *past = watch(&w, false);
	struct nt_snapshot *s = nt_past_compare(past, ms(0), ms(30000), past, ms(30000), ms(60000));
	assert_non_null(s->processes[0].difference.reason);
	assert_int_equal(s->processes[0].difference.row_count, 0);
	nt_snapshot_release(s);
	assert_null(nt_past_compare(past, ms(0), ms(30000), past, ms(90000), ms(99000)));
	leave(&w, past);
	past = watch(&w, true);
	s = nt_past_compare(past, ms(90000), ms(120000), past, ms(30000), ms(60000));
	assert_non_null(s->processes[0].difference.reason);
	nt_snapshot_release(s);
	leave(&w, past);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changed_is_first),
		cmocka_unit_test(the_one_before_a_restart),
		cmocka_unit_test(halves_of_the_same_are_alike),
		cmocka_unit_test(what_was_not_kept_is_not_compared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
