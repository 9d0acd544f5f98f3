// SPDX-License-Identifier: GPL-2.0-only
/* Time spent waiting within an interval, and how many wait for the same lock. */
#include "build.h"

struct world {
	struct nt_model *model;
	struct feed lttng;
};

static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->lttng, w->model, NT_SOURCE_LTTNG);
	target_mode(&w->lttng, NT_MODE_N);
	delivering(&w->lttng);
}

static void end(struct world *w)
{
	feed_fini(&w->lttng);
	nt_model_free(w->model);
}

static void wait_for(struct world *w, double at, uint32_t tid, uint64_t lock)
{
	event(&w->lttng, NT_EV_CONTENTION_START, at, tid)->u.contention.lock_id = lock;
}

static void got(struct world *w, double at, uint32_t tid)
{
	event(&w->lttng, NT_EV_CONTENTION_STOP, at, tid);
}

static struct nt_contention_figures figures(struct world *w, double at_ms)
{
	feed_send(&w->lttng);
	struct nt_snapshot *s = close_at(w->model, at_ms);
	struct nt_contention_figures out = s->processes[0].interval.contention;
	nt_snapshot_release(s);
	return out;
}

/* A wait is spent in the intervals in which it lies, though it counts as a wait only when it has ended. */
static void test_time_is_spent_where_it_lies(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	wait_for(&w, 400, 1, 7);
	wait_for(&w, 500, 2, 8);
	got(&w, 700, 2);
	struct nt_contention_figures f = figures(&w, 1000);
	assert_known(f.spent_ns, 800 * NT_NS_PER_MS);
	assert_known(f.wait_ns, 200 * NT_NS_PER_MS);
	f = figures(&w, 2000);
	assert_known(f.spent_ns, NT_NS_PER_S);
	assert_known(f.wait_ns, 0);
	got(&w, 2250, 1);
	f = figures(&w, 3000);
	assert_known(f.spent_ns, 250 * NT_NS_PER_MS);
	assert_known(f.wait_ns, 1850 * NT_NS_PER_MS);
	assert_known(figures(&w, 4000).spent_ns, 0);
	end(&w);
}

static void test_most_at_one_lock(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	assert_known(figures(&w, 1000).same_lock_count, 0);
	wait_for(&w, 1100, 1, 7);
	wait_for(&w, 1110, 2, 8);
	wait_for(&w, 1120, 3, 7);
	got(&w, 1130, 1);
	wait_for(&w, 1140, 4, 7);
	assert_known(figures(&w, 2000).same_lock_count, 2);
	assert_known(figures(&w, 3000).same_lock_count, 2); /* they wait on */
	got(&w, 3100, 3);
	got(&w, 3110, 4);
	figures(&w, 4000);
	assert_known(figures(&w, 5000).same_lock_count, 1);
	wait_for(&w, 5100, 2, 9); /* the stop was lost */
	assert_known(figures(&w, 6000).same_lock_count, 1);
	got(&w, 6100, 2);
	figures(&w, 7000);
	assert_known(figures(&w, 8000).same_lock_count, 0);
	end(&w);
}

static void test_a_runtime_that_does_not_say_the_lock(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	wait_for(&w, 100, 1, 0);
	wait_for(&w, 110, 2, 0);
	wait_for(&w, 110, 3, 5);
	struct nt_contention_figures f = figures(&w, 1000);
	assert_known(f.waiting_count, 3);
	assert_unknown(f.same_lock_count);
	got(&w, 1100, 1);
	got(&w, 1100, 2);
	assert_unknown(figures(&w, 2000).same_lock_count);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time_is_spent_where_it_lies),
		cmocka_unit_test(test_most_at_one_lock),
		cmocka_unit_test(test_a_runtime_that_does_not_say_the_lock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
