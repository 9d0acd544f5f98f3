// SPDX-License-Identifier: GPL-2.0-only
/* Waits of which begin and end alone are told, and places by looks. */
#include "waits_world.h"

#include "model/waits/waits.h"

static void timed(struct world *w, double at, uint32_t tid, bool on, bool preempted)
{
	event(&w->perf, NT_EV_SWITCH, at, tid)->u.switched = (struct nt_ev_switch){ .on = on, .preempted = preempted };
}

static const struct nt_wait_row *row_nowhere(const struct world *w, enum nt_wait_kind kind)
{
	const struct nt_process_snapshot *p = &w->s->processes[0];
	for (size_t i = 0; i < p->wait_count; i++)
		if (!p->waits[i].site && p->waits[i].kind == kind)
			return &p->waits[i];
	return NULL;
}

/* Of switches only when they are is told, and later than looks: a look is of the wait within which it lies, whichever was told of by then. */
static void test_times_alone(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	brings(&w, NT_WANT_SWITCHES | NT_WANT_SWITCH_TIMES);
	delivering(&w.runtime);
	timed(&w, 100, 1, false, false);
	feed_send(&w.perf);
	look(&w, 450, 1, 420, 10, MERGE); /* of the second wait, while the first is the only one that was told */
	look(&w, 990, 1, 900, 10, TOTAL);
	feed_send(&w.runtime);
	timed(&w, 150, 1, true, false);
	timed(&w, 400, 1, false, false);
	timed(&w, 700, 1, true, false);
	timed(&w, 720, 1, false, true); /* no CPU for it */
	timed(&w, 730, 1, true, false);
	timed(&w, 900, 1, false, false); /* over the border */
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_string_equal(f->method, "timed");
	assert_known(f->count, 3);
	const struct nt_wait_row *merge = row_at(&w, "Shop.Cart.Merge()"), *total = row_at(&w, "Shop.Cart.Total()");
	assert_non_null(merge);
	assert_non_null(total);
	assert_int_equal(merge->spent_ns, 300 * NT_NS_PER_MS);
	assert_int_equal(merge->count, 1);
	assert_known(merge->p50_ns, merge->p50_ns.v);
	assert_true(merge->timed);
	assert_false(merge->polled);
	assert_int_equal(merge->waker_tid, 0);
	assert_null(merge->waker_name);
	assert_int_equal(total->spent_ns, 100 * NT_NS_PER_MS);
	assert_int_equal(total->waiting_count, 1);
	const struct nt_wait_row *nowhere = row_nowhere(&w, NT_WAIT_UNKNOWN), *cpu = row_nowhere(&w, NT_WAIT_CPU);
	assert_non_null(nowhere);
	assert_non_null(cpu);
	assert_int_equal(nowhere->spent_ns, 50 * NT_NS_PER_MS);
	assert_int_equal(nowhere->count, 1);
	assert_int_equal(cpu->spent_ns, 10 * NT_NS_PER_MS);

	/* A look beyond the end is of the next interval. */
	look(&w, 2050, 1, 2020, 10, MERGE);
	feed_send(&w.runtime);
	timed(&w, 1100, 1, true, false);
	timed(&w, 1900, 1, false, false);
	close_interval(&w, 2000);
	assert_int_equal(row_nowhere(&w, NT_WAIT_UNKNOWN)->spent_ns, 100 * NT_NS_PER_MS);
	timed(&w, 2010, 1, true, false);
	timed(&w, 2015, 1, false, false);
	timed(&w, 2115, 1, true, false);
	close_interval(&w, 3000);
	assert_int_equal(row_at(&w, "Shop.Cart.Merge()")->spent_ns, 100 * NT_NS_PER_MS);
	assert_int_equal(row_at(&w, "Shop.Cart.Merge()")->count_all, 2);

	/* More looks than are kept: the newest are. */
	timed(&w, 3100, 1, false, false);
	for (int i = 0; i < 2 * NT_WAITS_LOOKS; i++)
		look(&w, 3110 + i, 1, 3105, 1, TOTAL);
	feed_send(&w.runtime);
	timed(&w, 3200, 1, true, false);
	f = close_interval(&w, 4000);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->spent_ns, 100 * NT_NS_PER_MS);
	assert_known(f->spent_ns, 100 * NT_NS_PER_MS);
	end(&w);
}

/* Why switches are not told, or without stacks, is said with what is known by looks; when they are, nothing is. */
static void test_why_not_exact(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.runtime);
	look(&w, 500, 1, 100, 400, TOTAL);
	struct nt_event *e = event(&w.perf, NT_EV_SOURCE_STATE, 0, 0);
	e->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_DELIVERING,
							 .no_switches = NT_NO_SWITCHES_DEAR,
							 .no_switches_reason = text(&w.perf, "each costs too much"),
							 .no_switches_fix = text(&w.perf, "--max-target-cost 9") };
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_string_equal(f->method, "polled");
	assert_string_equal(f->less, "too dear");
	assert_string_equal(f->less_why.reason, "each costs too much");
	assert_string_equal(f->less_why.fix, "--max-target-cost 9");

	/* At the end it was so until then. */
	event(&w.perf, NT_EV_SOURCE_STATE, 1000, 0)->u.source_state.state = NT_STATE_ENDED;
	feed_send(&w.perf);
	look(&w, 1005, 1, 600, 400, TOTAL);
	f = close_interval(&w, 1010);
	assert_string_equal(f->less, "too dear");

	exact(&w, true);
	switched(&w, 1010, 1, false, false, TOTAL);
	f = close_interval(&w, 2000);
	f = close_interval(&w, 3000);
	assert_string_equal(f->method, "exact");
	assert_null(f->less);
	assert_null(f->less_why.reason);

	e = event(&w.perf, NT_EV_SOURCE_STATE, 3000, 0);
	e->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_FORBIDDEN, .reason = text(&w.perf, "perf is not permitted") };
	feed_send(&w.perf);
	look(&w, 3500, 1, 3100, 400, TOTAL);
	f = close_interval(&w, 4000);
	assert_string_equal(f->method, "polled");
	assert_string_equal(f->less, "no right");
	assert_string_equal(f->less_why.reason, "perf is not permitted");
	end(&w);
}

static void cover(struct feed *feed, double at, uint32_t what)
{
	event(feed, NT_EV_COVER, at, 0)->u.cover = (struct nt_ev_cover){ .what = what, .covered = 1 };
}

/* Looks that come late tell of a time that was told by switches already: it is counted once, and the waits are as exact as before. */
static void test_no_time_is_covered_twice(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.runtime);
	exact(&w, true);
	cover(&w.runtime, 0, NT_WANT_LOOKS);
	cover(&w.perf, 0, NT_WANT_SWITCHES);
	const int late[] = { 600, 1950, 2300, 3950 };
	for (int i = 0; i < 4; i++) {
		look(&w, late[i], 7, late[i] - 100, 100, TOTAL);
		idle(&w.perf, 1000 * (i + 1));
		const struct nt_wait_figures *f = close_interval(&w, 1000 * (i + 1));
		assert_known(f->covered_ns, NT_NS_PER_S);
		assert_string_equal(f->method, "exact");
	}
	assert_known(w.s->processes[0].total.waits.covered_ns, 4 * NT_NS_PER_S);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times_alone),
		cmocka_unit_test(test_why_not_exact),
		cmocka_unit_test(test_no_time_is_covered_twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
