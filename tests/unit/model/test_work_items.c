// SPDX-License-Identifier: GPL-2.0-only
/* How long work items waited, as each is told: enqueued, taken. */
#include "build.h"

#include "model/pool/work_items.h"
#include "nettop/source.h"

struct world {
	struct nt_model *model;
	struct feed feed;
	struct nt_snapshot *snapshot;
};

static void asked(struct world *w, double at_ms, bool on, const char *lacks)
{
	nt_str reason = lacks ? text(&w->feed, lacks) : 0, fix = lacks ? text(&w->feed, "a fix") : 0;
	event(&w->feed, NT_EV_SOURCE_STATE, at_ms, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_DELIVERING,
					     .open = 1,
					     .brings = NT_WANT_RUNTIME_EVENTS | (on ? NT_WANT_POOL_ITEMS : 0),
					     .items_reason = reason,
					     .items_fix = fix };
	feed_send(&w->feed);
}

static void covered(struct world *w, double at_ms, bool on)
{
	event(&w->feed, NT_EV_COVER, at_ms, 0)->u.cover = (struct nt_ev_cover){ .what = NT_WANT_POOL_ITEMS, .covered = on };
	feed_send(&w->feed);
}

static void item(struct world *w, double at_ms, uint64_t id, enum nt_pool_item_op op)
{
	event(&w->feed, NT_EV_POOL_ITEM, at_ms, 7)->u.pool_item = (struct nt_ev_pool_item){ id, op };
}

static void enqueued(struct world *w, double at_ms, uint64_t id)
{
	item(w, at_ms, id, NT_POOL_ITEM_ENQUEUED);
}

static void taken(struct world *w, double at_ms, uint64_t id)
{
	item(w, at_ms, id, NT_POOL_ITEM_TAKEN);
}

static const struct nt_process_snapshot *closed(struct world *w, double at_ms)
{
	nt_snapshot_release(w->snapshot);
	idle(&w->feed, at_ms);
	w->snapshot = close_at(w->model, at_ms);
	return &w->snapshot->processes[0];
}

static void begin(struct world *w)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->feed, w->model, NT_SOURCE_EVENTPIPE);
	target_mode(&w->feed, NT_MODE_NONE);
}

static void end(struct world *w)
{
	nt_snapshot_release(w->snapshot);
	feed_fini(&w->feed);
	nt_model_free(w->model);
}

static void about(struct nt_u64 value, double expected_ms)
{
	assert_true(value.known);
	double off = (double)value.v / (double)NT_NS_PER_MS / expected_ms;
	assert_true(off > 0.99 && off < 1.01);
}

static void test_waits_of_an_interval_and_of_all(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	asked(&w, 0, true, NULL);
	covered(&w, 500, true);
	/* 98 wait a millisecond, one 40, one 312.5; the last one is taken in the next interval. */
	for (unsigned i = 0; i < 98; i++) {
		enqueued(&w, 510 + i, 100 + i);
		taken(&w, 511 + i, 100 + i);
	}
	enqueued(&w, 600, 1);
	enqueued(&w, 610, 2);
	enqueued(&w, 990, 3);
	taken(&w, 640, 1);
	taken(&w, 922.5, 2);
	const struct nt_process_snapshot *process = closed(&w, 1000);
	const struct nt_pool_item_figures *now = &process->interval.pool.items, *all = &process->total.pool.items;
	assert_known(now->covered_ns, 500 * NT_NS_PER_MS);
	assert_known(now->count, 100);
	about(now->p50_ns, 1);
	about(now->p95_ns, 1);
	about(now->p99_ns, 40);
	assert_known(now->max_ns, 312500 * NT_NS_PER_US);
	assert_known(now->unmatched_count, 0);
	assert_known(now->open_count, 1);
	assert_null(now->why.reason);
	taken(&w, 1010, 3);
	process = closed(&w, 2000);
	now = &process->interval.pool.items;
	all = &process->total.pool.items;
	assert_known(now->covered_ns, NT_NS_PER_S);
	assert_known(now->count, 1);
	about(now->max_ns, 20);
	assert_known(now->open_count, 0);
	assert_known(all->covered_ns, 1500 * NT_NS_PER_MS);
	assert_known(all->count, 101);
	assert_known(all->max_ns, 312500 * NT_NS_PER_US);
	assert_int_equal(process->pool_wait_count, NT_WORK_ITEM_CLASSES);
	uint64_t sum = 0, sum_all = 0;
	for (size_t i = 0; i < process->pool_wait_count; i++) {
		sum += process->pool_waits[i].count;
		sum_all += process->pool_waits[i].count_all;
	}
	assert_int_equal(sum, 1);
	assert_int_equal(sum_all, 101);
	assert_int_equal(process->pool_waits[2].count_all, 98); /* up to a millisecond */
	assert_int_equal(process->pool_waits[0].over_ns, 0);
	assert_int_equal(process->pool_waits[1].over_ns, 10 * NT_NS_PER_US);
	assert_int_equal(process->pool_waits[2].over_ns, 100 * NT_NS_PER_US);
	assert_int_equal(process->pool_waits[NT_WORK_ITEM_CLASSES - 1].over_ns, 10 * NT_NS_PER_S);
	end(&w);
}

/* Hash codes are not of one item alone: the first that was enqueued is the first that is taken, whatever is between. */
static void test_one_id_for_several(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	covered(&w, 0, true);
	enqueued(&w, 10, 5);
	enqueued(&w, 20, 5);
	enqueued(&w, 25, 6);
	taken(&w, 30, 5); /* 20 ms */
	enqueued(&w, 35, 5);
	taken(&w, 40, 5); /* 20 ms */
	taken(&w, 55, 5); /* 20 ms */
	taken(&w, 60, 5); /* of no one */
	taken(&w, 65, 6); /* 40 ms */
	const struct nt_pool_item_figures *now = &closed(&w, 1000)->interval.pool.items;
	assert_known(now->count, 4);
	about(now->p50_ns, 20);
	about(now->max_ns, 40);
	assert_known(now->unmatched_count, 1);
	assert_known(now->open_count, 0);
	end(&w);
}

static void test_not_asked_and_over_the_limit(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	asked(&w, 0, false, NULL);
	const struct nt_process_snapshot *process = closed(&w, 1000);
	assert_unknown(process->interval.pool.items.count);
	assert_unknown(process->total.pool.items.count);
	assert_non_null(strstr(process->interval.pool.items.why.reason, "while somebody looks"));
	assert_int_equal(process->pool_wait_count, 0);
	asked(&w, 1000, true, NULL);
	assert_non_null(strstr(closed(&w, 2000)->interval.pool.items.why.reason, "not begun to come"));
	covered(&w, 2000, true);
	enqueued(&w, 2100, 1);
	taken(&w, 2200, 1);
	enqueued(&w, 2300, 2);
	covered(&w, 2500, false);
	asked(&w, 2500, false, "too many");
	process = closed(&w, 3000);
	assert_known(process->interval.pool.items.covered_ns, 500 * NT_NS_PER_MS);
	assert_known(process->interval.pool.items.count, 1);
	assert_unknown(process->interval.pool.items.open_count);
	assert_string_equal(process->interval.pool.items.why.reason, "too many");
	/* What was said stays; of now nothing is known. */
	process = closed(&w, 4000);
	assert_unknown(process->interval.pool.items.count);
	assert_unknown(process->interval.pool.items.p50_ns);
	assert_known(process->total.pool.items.count, 1);
	/* It was enqueued while nobody told when it was taken. */
	asked(&w, 4000, true, NULL);
	covered(&w, 4000, true);
	taken(&w, 4100, 2);
	process = closed(&w, 5000);
	assert_known(process->interval.pool.items.unmatched_count, 1);
	end(&w);
}

static void test_after_a_loss_nothing_is_known_of_those_before(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	covered(&w, 0, true);
	enqueued(&w, 10, 1);
	event(&w.feed, NT_EV_LOST, 20, 0)->u.lost =
		(struct nt_ev_lost){ .count = 3, .count_known = 1, .what = NT_LOST_EVENTS, .from = ms(15), .of = NT_WANT_POOL_ITEMS };
	taken(&w, 30, 1);
	enqueued(&w, 40, 1);
	taken(&w, 50, 1);
	const struct nt_pool_item_figures *now = &closed(&w, 1000)->interval.pool.items;
	assert_known(now->count, 1);
	about(now->max_ns, 10);
	assert_known(now->unmatched_count, 1);
	end(&w);
}

/* Tasks that run where they are waited for are never taken. The newest are kept, the others counted. */
static void test_bounded(void **state_)
{
	(void)state_;
	enum { MORE = 1000 };
	static struct nt_work_items items;
	struct nt_event e = { .kind = NT_EV_POOL_ITEM };
	for (uint64_t i = 0; i < NT_WORK_ITEMS_OPEN + MORE; i++) {
		e.time = 1 + i;
		e.u.pool_item = (struct nt_ev_pool_item){ i % 1000 ? i : 0, NT_POOL_ITEM_ENQUEUED };
		nt_work_items_apply(&items, &e);
	}
	assert_int_equal(items.open_count, NT_WORK_ITEMS_OPEN);
	assert_int_equal(items.now->unmatched, MORE);
	/* Of those with the same id the oldest that is kept. */
	e.time = 2000001;
	e.u.pool_item = (struct nt_ev_pool_item){ 0, NT_POOL_ITEM_TAKEN };
	nt_work_items_apply(&items, &e);
	assert_int_equal(items.now->waits.count, 1);
	assert_int_equal(items.now->waits.max, 2000000 - MORE);
	for (uint64_t i = NT_WORK_ITEMS_OPEN + MORE; i-- > 0;) {
		e.u.pool_item.id = i % 1000 ? i : 0;
		nt_work_items_apply(&items, &e);
	}
	assert_int_equal(items.open_count, 0);
	assert_int_equal(items.begin, items.end);
	assert_int_equal(items.by_id.used, 0);
	nt_work_items_fini(&items);
}

/* It is said at once that they end, and what came before waits for its interval. */
static void test_the_end_overtakes_nothing(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	asked(&w, 0, true, NULL);
	covered(&w, 0, true);
	enqueued(&w, 900, 1);
	enqueued(&w, 950, 2);
	taken(&w, 1050, 1);
	feed_send(&w.feed);
	covered(&w, 1100, false);
	const struct nt_pool_item_figures *now = &closed(&w, 1000)->interval.pool.items;
	assert_known(now->covered_ns, NT_NS_PER_S);
	assert_known(now->count, 0);
	assert_known(now->open_count, 2);
	now = &closed(&w, 2000)->interval.pool.items;
	assert_known(now->covered_ns, 100 * NT_NS_PER_MS);
	assert_known(now->count, 1);
	assert_known(now->unmatched_count, 0);
	about(now->max_ns, 150);
	assert_false(now->open_count.known);
	assert_false(closed(&w, 3000)->interval.pool.items.covered_ns.known);
	end(&w);
}

/* So does a loss: of those that wait for their interval it is said in its place. */
static void test_a_loss_overtakes_nothing(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	asked(&w, 0, true, NULL);
	covered(&w, 0, true);
	enqueued(&w, 900, 1);
	taken(&w, 1050, 1);
	enqueued(&w, 1060, 2);
	event(&w.feed, NT_EV_LOST, 1100, 0)->u.lost =
		(struct nt_ev_lost){ .count = 3, .count_known = 1, .what = NT_LOST_EVENTS, .from = ms(1070), .of = NT_WANT_POOL_ITEMS };
	taken(&w, 1200, 2);
	feed_send(&w.feed);
	const struct nt_pool_item_figures *now = &closed(&w, 1000)->interval.pool.items;
	assert_known(now->open_count, 1);
	assert_int_equal(w.snapshot->sources[0].lost_count, 0);
	now = &closed(&w, 2000)->interval.pool.items;
	assert_known(now->count, 1);
	about(now->max_ns, 150);
	assert_known(now->unmatched_count, 1); /* that it was enqueued is forgotten with the loss */
	assert_known(now->open_count, 0);
	assert_int_equal(w.snapshot->sources[0].lost_count, 3);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits_of_an_interval_and_of_all),
		cmocka_unit_test(test_one_id_for_several),
		cmocka_unit_test(test_not_asked_and_over_the_limit),
		cmocka_unit_test(test_after_a_loss_nothing_is_known_of_those_before),
		cmocka_unit_test(test_the_end_overtakes_nothing),
		cmocka_unit_test(test_a_loss_overtakes_nothing),
		cmocka_unit_test(test_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
