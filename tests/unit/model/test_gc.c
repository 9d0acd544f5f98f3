// SPDX-License-Identifier: GPL-2.0-only
/* Event orders as a real .NET 10 runtime emits them over LTTng. */
#include "build.h"

struct world {
	struct nt_model *model;
	struct feed lttng;
};

static void begin(struct world *world, enum nt_target_mode mode)
{
	world->model = new_model();
	feed_init(&world->lttng, world->model, NT_SOURCE_LTTNG);
	target_mode(&world->lttng, mode);
	delivering(&world->lttng);
}

static void end(struct world *world)
{
	feed_fini(&world->lttng);
	nt_model_free(world->model);
}

static void blocking_gc(struct feed *lttng, double at, uint32_t number, uint32_t generation, double pause)
{
	suspend(lttng, at, 10, 1);
	event(lttng, NT_EV_GC_SUSPEND_END, at + 0.1, 10);
	gc_start(lttng, at + 0.2, 10, number, generation, 0);
	gc_end(lttng, at + pause - 0.2, 10, number, generation);
	restart(lttng, at + pause, 10);
	event(lttng, NT_EV_GC_RESTART_END, at + pause + 0.3, 10);
}

static const struct nt_gc_row *row(const struct nt_snapshot *s, uint64_t number)
{
	for (size_t i = 0; i < s->processes[0].collection_count; i++)
		if (s->processes[0].collections[i].id == number)
			return &s->processes[0].collections[i];
	fail();
	return NULL;
}

static void test_counts_and_pauses(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N);
	blocking_gc(&w.lttng, 100, 1, 0, 3);
	blocking_gc(&w.lttng, 200, 2, 1, 5);
	blocking_gc(&w.lttng, 300, 3, 0, 1);
	idle(&w.lttng, 1500);
	struct nt_snapshot *s = nt_model_tick(w.model, ms(1000));
	assert_non_null(s);
	const struct nt_gc_figures *gc = &s->processes[0].interval.gc;
	assert_known(gc->count[0], 2);
	assert_known(gc->count[1], 1);
	assert_known(gc->count[2], 0);
	assert_known(gc->background_count, 0);
	assert_known(gc->pause_ns, 9 * NT_NS_PER_MS);
	assert_known(gc->pause_max_ns, 5 * NT_NS_PER_MS);
	assert_known(gc->pause_tracing_ns, 0);
	assert_near(gc->pause_pct.v, 0.9);
	assert_near(gc->window_pause_pct.v, 0.9);
	assert_unknown(gc->heap_bytes);
	assert_unknown(gc->alloc_bytes);
	assert_non_null(gc->alloc_why.reason);
	assert_null(gc->why.reason);
	assert_int_equal(s->processes[0].collection_count, 3);
	const struct nt_gc_row *newest = &s->processes[0].collections[0];
	assert_int_equal(newest->id, 3);
	assert_known(newest->pause_ns, NT_NS_PER_MS);
	assert_known(newest->suspend_ns, NT_NS_PER_MS / 10);
	assert_true(newest->finished);
	const struct nt_gc_generation_row *generation = &s->processes[0].generations[0];
	assert_int_equal(generation->count, 2);
	assert_known(generation->max_ns, 3 * NT_NS_PER_MS);
	assert_true(generation->p50_ns.v > 0.98 * NT_NS_PER_MS && generation->p50_ns.v < 1.02 * NT_NS_PER_MS);
	assert_true(generation->p99_ns.v > 2.96 * NT_NS_PER_MS && generation->p99_ns.v <= 3 * NT_NS_PER_MS);
	assert_near(generation->every_ms.v, 198); /* end to end */
	nt_snapshot_release(s);

	/* The next interval is empty, the total is not. */
	idle(&w.lttng, 2500);
	s = nt_model_tick(w.model, ms(2000));
	assert_known(s->processes[0].interval.gc.count[0], 0);
	assert_known(s->processes[0].interval.gc.pause_ns, 0);
	assert_unknown(s->processes[0].interval.gc.pause_p50_ns);
	assert_known(s->processes[0].total.gc.count[0], 2);
	assert_known(s->processes[0].total.gc.pause_ns, 9 * NT_NS_PER_MS);
	assert_near(s->processes[0].total.gc.pause_pct.v, 0.45);
	nt_snapshot_release(s);
	end(&w);
}

/* A background collection: initial stop on the triggering thread, a reason-6 stop on its own, a second one only because of tracing. */
static void background_gc(struct feed *lttng, double at, uint32_t number, bool with_start, bool traced)
{
	suspend(lttng, at, 10, 1);
	if (with_start)
		gc_start(lttng, at + 0.2, 10, number, 2, 1);
	restart(lttng, at + 1, 10);
	suspend(lttng, at + 5, 20, 6);
	restart(lttng, at + 7, 20);
	if (traced) {
		suspend(lttng, at + 8, 20, 6);
		restart(lttng, at + 12, 20);
	}
	gc_end(lttng, at + 20, 20, number, 2);
}

static void test_background_in_mode_f(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_F);
	background_gc(&w.lttng, 100, 1, true, true);
	background_gc(&w.lttng, 200, 2, true, true);
	idle(&w.lttng, 1500);
	struct nt_snapshot *s = nt_model_tick(w.model, ms(1000));
	const struct nt_gc_figures *gc = &s->processes[0].interval.gc;
	assert_known(gc->count[2], 2);
	assert_known(gc->background_count, 2);
	assert_known(gc->pause_ns, 6 * NT_NS_PER_MS);
	assert_known(gc->pause_tracing_ns, 8 * NT_NS_PER_MS);
	assert_known(row(s, 1)->pause_ns, 3 * NT_NS_PER_MS);
	assert_known(row(s, 1)->pause_tracing_ns, 4 * NT_NS_PER_MS);
	assert_int_equal(row(s, 1)->type, 1);
	assert_int_equal(s->processes[0].generations[3].count, 2);
	assert_int_equal(s->processes[0].generations[2].count, 0);
	assert_known(s->processes[0].generations[3].max_ns, 3 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

/* No GCStart in mode none: kind, generation and stops come from what is left. */
static void test_mode_none(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_NONE);
	suspend(&w.lttng, 50, 10, 1);
	struct nt_ev_gc_global_history *history = &event(&w.lttng, NT_EV_GC_GLOBAL_HISTORY, 52, 10)->u.gc_global_history;
	*history = (struct nt_ev_gc_global_history){ .reason = 4, .condemned_generation = 1, .heap_count = 1 };
	gc_end(&w.lttng, 53, 10, 1, 1);
	restart(&w.lttng, 54, 10);
	background_gc(&w.lttng, 100, 2, false, false);
	background_gc(&w.lttng, 200, 3, false, false);
	idle(&w.lttng, 1500);
	struct nt_snapshot *s = nt_model_tick(w.model, ms(1000));
	const struct nt_gc_figures *gc = &s->processes[0].interval.gc;
	assert_known(gc->count[1], 1);
	assert_known(gc->count[2], 2);
	assert_known(gc->background_count, 2);
	assert_known(gc->pause_ns, 10 * NT_NS_PER_MS);
	assert_known(gc->pause_tracing_ns, 0);
	assert_known(row(s, 1)->reason, 4);
	assert_int_equal(row(s, 1)->type, 0);
	assert_known(row(s, 1)->pause_ns, 4 * NT_NS_PER_MS);
	assert_int_equal(row(s, 1)->start, NT_TIME_UNKNOWN);
	assert_int_equal(row(s, 3)->type, 1);
	assert_known(row(s, 3)->pause_ns, 3 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

/* Asked for as a background one, done in one stop. */
static void test_background_that_blocked(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N);
	suspend(&w.lttng, 100, 10, 1);
	gc_start(&w.lttng, 100.2, 10, 4, 2, 1);
	gc_end(&w.lttng, 100.8, 10, 4, 2);
	restart(&w.lttng, 101, 10);
	struct nt_snapshot *s = (feed_send(&w.lttng), close_at(w.model, 1000));
	assert_known(s->processes[0].interval.gc.count[2], 1);
	assert_known(s->processes[0].interval.gc.background_count, 0);
	assert_int_equal(row(s, 4)->type, 0);
	assert_known(row(s, 4)->pause_ns, NT_NS_PER_MS);
	assert_int_equal(s->processes[0].generations[2].count, 1);
	assert_known(s->processes[0].generations[2].max_ns, NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

/* A young collection within the first stop of a background one: each row gets its part, the sum is the stop. */
static void test_young_within_the_initial_stop(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N);
	suspend(&w.lttng, 100, 10, 1);
	gc_start(&w.lttng, 101, 10, 1, 2, 1);
	gc_start(&w.lttng, 102, 10, 2, 0, 0);
	gc_end(&w.lttng, 104, 10, 2, 0);
	restart(&w.lttng, 106, 10);
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.gc.pause_ns, 6 * NT_NS_PER_MS);
	assert_known(row(s, 1)->pause_ns, 2 * NT_NS_PER_MS);
	assert_known(row(s, 2)->pause_ns, 4 * NT_NS_PER_MS);
	assert_false(row(s, 1)->finished);
	nt_snapshot_release(s);
	end(&w);
}

/* Server GC: start and end speak from other threads than the stop; other reasons are no GC. */
static void test_server_threads_and_other_stops(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N);
	suspend(&w.lttng, 100, 17, 1);
	gc_start(&w.lttng, 101, 18, 1, 0, 0);
	gc_end(&w.lttng, 102, 17, 1, 0);
	restart(&w.lttng, 103, 17);
	suspend(&w.lttng, 200, 30, 0);
	suspend(&w.lttng, 210, 31, 5);
	restart(&w.lttng, 220, 31);
	restart(&w.lttng, 230, 30);
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.gc.pause_ns, 3 * NT_NS_PER_MS);
	assert_known(s->processes[0].interval.gc.suspend_other_ns, 40 * NT_NS_PER_MS);
	assert_known(row(s, 1)->pause_ns, 3 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

static void heap_history(struct feed *lttng, double at, uint32_t heap, uint64_t before, uint64_t after)
{
	struct nt_ev_gc_heap_history *history = &event(lttng, NT_EV_GC_HEAP_HISTORY, at, 10)->u.gc_heap_history;
	*history = (struct nt_ev_gc_heap_history){ .heap_index = heap,
						   .before_bytes = before,
						   .after_bytes = after,
						   .before_gross_bytes = before + 10,
						   .after_gross_bytes = after + 30,
						   .free_list_after_bytes = 20,
						   .free_obj_after_bytes = 10,
						   .loh_after_bytes = 7 };
}

static void heap_stats(struct feed *lttng, double at, uint64_t gen2)
{
	struct nt_ev_gc_heap_stats *stats = &event(lttng, NT_EV_GC_HEAP_STATS, at, 10)->u.gc_heap_stats;
	*stats = (struct nt_ev_gc_heap_stats){ .size_bytes = { 1, 2, gen2, 40, 500 }, .promoted_bytes = { 1, 1, 1, 0, 0 }, .poh_known = 1 };
}

/* Histories come before GCEnd (workstation) or after it (server's background collections): both belong to the same collection. */
static void test_details_before_and_after_the_end(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_NONE);
	suspend(&w.lttng, 100, 10, 1);
	heap_history(&w.lttng, 101, 0, 1000, 400);
	gc_end(&w.lttng, 102, 10, 1, 0);
	heap_stats(&w.lttng, 102.5, 1000);
	restart(&w.lttng, 103, 10);

	suspend(&w.lttng, 200, 10, 1);
	restart(&w.lttng, 201, 10);
	gc_end(&w.lttng, 210, 20, 2, 2); /* a background one */
	heap_stats(&w.lttng, 210.1, 2000);
	heap_history(&w.lttng, 211, 0, 3000, 2000);
	heap_history(&w.lttng, 212, 1, 300, 200);

	suspend(&w.lttng, 300, 10, 1);
	heap_history(&w.lttng, 301, 0, 50, 40);
	heap_history(&w.lttng, 302, 1, 5, 4);
	gc_end(&w.lttng, 303, 10, 3, 1);
	restart(&w.lttng, 304, 10);
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(row(s, 1)->before_bytes, 1010);
	assert_known(row(s, 1)->after_bytes, 1543);
	assert_known(row(s, 1)->loh_bytes, 40);
	assert_known(row(s, 1)->promoted_bytes, 3);
	assert_known(row(s, 2)->before_bytes, 3320);
	assert_known(row(s, 2)->after_bytes, 2543);
	assert_near(row(s, 2)->fragmentation_pct.v, 100.0 * 60 / 2260);
	assert_known(row(s, 3)->before_bytes, 75);
	assert_known(row(s, 3)->after_bytes, 104);
	assert_known(s->processes[0].interval.gc.heap_bytes, 2543);
	assert_known(s->processes[0].interval.gc.loh_bytes, 40);
	nt_snapshot_release(s);
	end(&w);
}

static void test_hostile_order(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N);
	restart(&w.lttng, 10, 10); /* no stop is open */
	suspend(&w.lttng, 100, 10, 1);
	suspend(&w.lttng, 110, 10, 1); /* the restart was lost */
	restart(&w.lttng, 105, 10);    /* time goes back */
	gc_end(&w.lttng, 111, 10, 9, 77);
	gc_end(&w.lttng, 112, 10, 9, 0);
	gc_start(&w.lttng, 113, 10, 9, 4000000000u, 99);
	gc_start(&w.lttng, 113, 10, 8, 4000000000u, 99);
	for (uint32_t i = 0; i < 300; i++)
		suspend(&w.lttng, 200 + i, 100 + i, i % 8);
	for (uint32_t i = 0; i < 300; i++)
		restart(&w.lttng, 600, 100 + i);
	for (uint32_t i = 0; i < 30000; i++)
		gc_end(&w.lttng, 700, 10, 100 + i, i % 3);
	heap_history(&w.lttng, 701, UINT32_MAX, UINT64_MAX, UINT64_MAX);
	heap_history(&w.lttng, 702, 0, UINT64_MAX, 0);
	heap_history(&w.lttng, 703, 0, 0, UINT64_MAX);
	event(&w.lttng, NT_EV_GC_HEAP_STATS, 704, 1)->u.gc_heap_stats.size_bytes[0] = UINT64_MAX;
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.gc.count[0], 10000);
	assert_int_equal(s->processes[0].collection_count, 2000);
	assert_int_equal(s->processes[0].collection_total, 30002);
	assert_true(s->processes[0].interval.gc.pause_pct.v <= 100);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts_and_pauses),
		cmocka_unit_test(test_background_in_mode_f),
		cmocka_unit_test(test_mode_none),
		cmocka_unit_test(test_background_that_blocked),
		cmocka_unit_test(test_young_within_the_initial_stop),
		cmocka_unit_test(test_server_threads_and_other_stops),
		cmocka_unit_test(test_details_before_and_after_the_end),
		cmocka_unit_test(test_hostile_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
