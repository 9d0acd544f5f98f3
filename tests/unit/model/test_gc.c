// SPDX-License-Identifier: GPL-2.0-only
/* Event orders as a real .NET 10 runtime emits them over LTTng. */
#include "build.h"

#include "nettop/source.h"

#include <math.h>

struct world {
	struct nt_model *model;
	struct feed events;
};

static void begin(struct world *world, enum nt_target_mode mode)
{
	world->model = new_model();
	feed_init(&world->events, world->model, NT_SOURCE_LTTNG);
	target_mode(&world->events, mode);
	delivering(&world->events);
}

static void end(struct world *world)
{
	feed_fini(&world->events);
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
		if (s->processes[0].collections[i]->id == number)
			return s->processes[0].collections[i];
	fail();
	return NULL;
}

static struct nt_snapshot *close_told(struct world *w, double told, double until)
{
	idle(&w->events, told);
	struct nt_snapshot *s = nt_model_tick(w->model, ms(until + 400));
	assert_non_null(s);
	return s;
}

/* A pause of 2.5 s, of which each interval has its part while it lasts, and the sums have it once. */
static void test_an_open_pause_counts_as_it_passes(void **state_)
{
	(void)state_;
	static const struct {
		double until, pause, longest, total;
	} expected[] = { { 1000, 400, 400, 400 }, { 2000, 1000, 1400, 1400 }, { 3000, 1000, 2400, 2400 }, { 4000, 100, 2500, 2500 } };
	struct world w;
	begin(&w, NT_MODE_N);
	suspend(&w.events, 600, 10, 1);
	gc_start(&w.events, 601, 10, 1, 2, 0);
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		if (expected[i].until == 4000) {
			gc_end(&w.events, 3099, 10, 1, 2);
			restart(&w.events, 3100, 10);
		}
		struct nt_snapshot *s = close_told(&w, expected[i].until + 1, expected[i].until);
		const struct nt_gc_figures *interval = &s->processes[0].interval.gc, *total = &s->processes[0].total.gc;
		assert_known(interval->pause_ns, expected[i].pause * NT_NS_PER_MS);
		assert_known(interval->pause_max_ns, expected[i].longest * NT_NS_PER_MS);
		assert_known(total->pause_ns, expected[i].total * NT_NS_PER_MS);
		assert_true(fabs(interval->pause_pct.v - expected[i].pause / 10) < 1e-9);
		nt_snapshot_release(s);
	}
	end(&w);
}

/* What nobody has told of yet may be its end; so may be what was lost. */
static void test_an_open_pause_is_not_guessed(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N);
	suspend(&w.events, 600, 10, 1);
	struct nt_snapshot *s = close_told(&w, 700, 1000);
	assert_known(s->processes[0].interval.gc.pause_ns, 100 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	restart(&w.events, 750, 10);
	s = close_told(&w, 2001, 2000);
	assert_known(s->processes[0].total.gc.pause_ns, 150 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	suspend(&w.events, 2100, 10, 1);
	struct nt_event *lost = event(&w.events, NT_EV_LOST, 2200, 0);
	lost->u.lost = (struct nt_ev_lost){ .what = NT_LOST_EVENTS, .count = 9, .count_known = 1 };
	for (double until = 3000; until < 5000; until += 1000) {
		s = close_told(&w, until + 1, until);
		assert_known(s->processes[0].interval.gc.pause_ns, 0);
		nt_snapshot_release(s);
	}
	end(&w);
}

static void test_counts_and_pauses(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N);
	blocking_gc(&w.events, 100, 1, 0, 3);
	blocking_gc(&w.events, 200, 2, 1, 5);
	blocking_gc(&w.events, 300, 3, 0, 1);
	idle(&w.events, 1500);
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
	const struct nt_gc_row *newest = s->processes[0].collections[0];
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
	idle(&w.events, 2500);
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
	background_gc(&w.events, 100, 1, true, true);
	background_gc(&w.events, 200, 2, true, true);
	idle(&w.events, 1500);
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
	suspend(&w.events, 50, 10, 1);
	struct nt_ev_gc_global_history *history = &event(&w.events, NT_EV_GC_GLOBAL_HISTORY, 52, 10)->u.gc_global_history;
	*history = (struct nt_ev_gc_global_history){ .reason = 4, .condemned_generation = 1, .heap_count = 1 };
	gc_end(&w.events, 53, 10, 1, 1);
	restart(&w.events, 54, 10);
	background_gc(&w.events, 100, 2, false, false);
	background_gc(&w.events, 200, 3, false, false);
	idle(&w.events, 1500);
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
	suspend(&w.events, 100, 10, 1);
	gc_start(&w.events, 100.2, 10, 4, 2, 1);
	gc_end(&w.events, 100.8, 10, 4, 2);
	restart(&w.events, 101, 10);
	struct nt_snapshot *s = (feed_send(&w.events), close_at(w.model, 1000));
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
	suspend(&w.events, 100, 10, 1);
	gc_start(&w.events, 101, 10, 1, 2, 1);
	gc_start(&w.events, 102, 10, 2, 0, 0);
	gc_end(&w.events, 104, 10, 2, 0);
	restart(&w.events, 106, 10);
	feed_send(&w.events);
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
	suspend(&w.events, 100, 17, 1);
	gc_start(&w.events, 101, 18, 1, 0, 0);
	gc_end(&w.events, 102, 17, 1, 0);
	restart(&w.events, 103, 17);
	suspend(&w.events, 200, 30, 0);
	suspend(&w.events, 210, 31, 5);
	restart(&w.events, 220, 31);
	restart(&w.events, 230, 30);
	feed_send(&w.events);
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
						   .before_gross_bytes = { 1, 2, 3, 4, before },
						   .after_gross_bytes = after + 30,
						   .free_after_bytes = 30,
						   .gen0_budget_bytes = 600,
						   .loh_budget_bytes = 70,
						   .loh_after_bytes = 7,
						   .poh_after_bytes = 3 };
}

static void heap_stats(struct feed *lttng, double at, uint64_t gen2)
{
	struct nt_ev_gc_heap_stats *stats = &event(lttng, NT_EV_GC_HEAP_STATS, at, 10)->u.gc_heap_stats;
	*stats = (struct nt_ev_gc_heap_stats){ .size_bytes = { 1, 2, gen2, 40, 500 },
					       .promoted_bytes = { 1, 1, 1, 0, 0 },
					       .poh_known = 1,
					       .pinned_count = 7,
					       .handle_count = 90,
					       .finalization_promoted_count = 11 };
}

/* Histories come before GCEnd (workstation) or after it (server's background collections): both belong to the same collection. */
static void test_details_before_and_after_the_end(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_NONE);
	suspend(&w.events, 100, 10, 1);
	heap_history(&w.events, 101, 0, 1000, 400);
	gc_end(&w.events, 102, 10, 1, 0);
	heap_stats(&w.events, 102.5, 1000);
	restart(&w.events, 103, 10);

	suspend(&w.events, 200, 10, 1);
	restart(&w.events, 201, 10);
	gc_end(&w.events, 210, 20, 2, 2); /* a background one */
	heap_stats(&w.events, 210.1, 2000);
	heap_history(&w.events, 211, 0, 3000, 2000);
	heap_history(&w.events, 212, 1, 300, 200);

	suspend(&w.events, 300, 10, 1);
	heap_history(&w.events, 301, 0, 50, 40);
	heap_history(&w.events, 302, 1, 5, 4);
	gc_end(&w.events, 303, 10, 3, 1);
	restart(&w.events, 304, 10);
	feed_send(&w.events);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(row(s, 1)->before_bytes, 1010);
	assert_known(row(s, 1)->after_bytes, 1543);
	assert_known(row(s, 1)->loh_bytes, 40);
	assert_known(row(s, 1)->generation_bytes[2], 1000);
	assert_known(row(s, 1)->generation_bytes[NT_GC_POH], 500);
	assert_known(row(s, 1)->pinned_count, 7);
	assert_known(row(s, 1)->handle_count, 90);
	assert_known(row(s, 1)->finalizable_count, 11);
	assert_known(row(s, 1)->promoted_bytes, 3);     /* of gen0: the pinned heap is not collected */
	assert_known(row(s, 2)->promoted_bytes, 3 + 6); /* what is left there by the histories of both heaps */
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

/* ---- histories that another stream tells ---- */

static void begin_eventpipe(struct world *world)
{
	world->model = new_model();
	feed_init(&world->events, world->model, NT_SOURCE_EVENTPIPE);
	target_mode(&world->events, NT_MODE_NONE);
	event(&world->events, NT_EV_SOURCE_STATE, 0, 0)->u.source_state = (struct nt_ev_source_state){
		.state = NT_STATE_DELIVERING, .open = 1, .brings = NT_WANT_RUNTIME_EVENTS | NT_WANT_GC_HISTORIES
	};
	feed_send(&world->events);
}

static void history_beside(struct feed *feed, double at, uint32_t heap, uint64_t before, uint64_t after)
{
	heap_history(feed, at, heap, before, after);
	feed->batch->events[feed->batch->event_count - 1].beside = true;
}

/* Whether they come before or after the events of their collections. */
static void test_histories_from_another_stream(void **state_)
{
	(void)state_;
	for (int first = 0; first < 2; first++) {
		struct world w;
		begin_eventpipe(&w);
		for (int part = 0; part < 2; part++) {
			if (part != first) {
				blocking_gc(&w.events, 100, 1, 0, 4);
				blocking_gc(&w.events, 200, 2, 1, 4);
				blocking_gc(&w.events, 300, 3, 0, 4);
			} else {
				history_beside(&w.events, 102, 0, 1000, 400);
				history_beside(&w.events, 102.1, 1, 100, 40);
				history_beside(&w.events, 302, 0, 5000, 300);
				history_beside(&w.events, 302.1, 1, 500, 30);
			}
		}
		feed_send(&w.events);
		struct nt_snapshot *s = close_at(w.model, 1000);
		assert_known(row(s, 1)->before_bytes, 1120);
		assert_unknown(row(s, 2)->before_bytes);
		assert_known(row(s, 3)->before_bytes, 5520);
		assert_near(s->processes[0].interval.gc.fragmentation_pct.v, 100.0 * 60 / 390);
		assert_unknown(s->processes[0].interval.gc.alloc_bytes); /* who knows what was between two of them */
		nt_snapshot_release(s);
		end(&w);
	}
}

/* A collection within a background one has its own; that of the background one comes behind its end, or when it goes on into the next interval. */
static void test_histories_around_a_background_collection(void **state_)
{
	(void)state_;
	struct world w;
	begin_eventpipe(&w);
	history_beside(&w.events, 202, 0, 2000, 100);
	history_beside(&w.events, 401, 0, 3000, 100);
	history_beside(&w.events, 950, 0, 7000, 100);
	gc_start(&w.events, 100, 20, 1, 2, 1);
	blocking_gc(&w.events, 200, 2, 0, 4);
	gc_end(&w.events, 400, 20, 1, 2);
	gc_start(&w.events, 900, 20, 3, 2, 1);
	feed_send(&w.events);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(row(s, 1)->before_bytes, 3010);
	assert_known(row(s, 2)->before_bytes, 2010);
	assert_unknown(row(s, 3)->before_bytes);
	nt_snapshot_release(s);
	gc_end(&w.events, 1100, 20, 3, 2);
	feed_send(&w.events);
	s = close_at(w.model, 2000);
	assert_known(row(s, 3)->before_bytes, 7010);
	nt_snapshot_release(s);
	end(&w);
}

/* The counting stream has said it already, or nobody knows of which collection they are: nothing is added up, and not all is kept. */
static void test_histories_that_belong_to_nothing(void **state_)
{
	(void)state_;
	struct world w;
	begin_eventpipe(&w);
	for (unsigned i = 0; i < 10000; i++)
		history_beside(&w.events, 10 + i * 0.001, 0, 1, 1);
	suspend(&w.events, 100, 10, 1);
	gc_start(&w.events, 100.2, 10, 1, 0, 0);
	heap_history(&w.events, 101, 0, 1000, 400);
	history_beside(&w.events, 101, 0, 1000, 400);
	gc_end(&w.events, 102, 10, 1, 0);
	restart(&w.events, 103, 10);
	feed_send(&w.events);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(s->processes[0].collection_count, 1);
	assert_known(row(s, 1)->before_bytes, 1010);
	nt_snapshot_release(s);
	end(&w);
}

static void tell_fragmentation(struct feed *feed, double at, double pct)
{
	struct nt_ev_counter told = { .provider = text(feed, "System.Runtime"),
				      .name = text(feed, "gc-fragmentation"),
				      .kind = NT_COUNTER_GAUGE,
				      .known = NT_COUNTER_VALUE,
				      .period_ns = NT_NS_PER_S / 2,
				      .value = pct };
	event(feed, NT_EV_COUNTER, at, 9)->u.counter = told;
}

/* The runtime's counter stands for the histories that nobody asks for. Before the first collection it is 0, which says nothing. */
static void test_fragmentation_by_the_counter(void **state_)
{
	(void)state_;
	struct world w;
	begin_eventpipe(&w);
	tell_fragmentation(&w.events, 100, 0);
	tell_fragmentation(&w.events, 110, NAN);
	tell_fragmentation(&w.events, 120, 1e9);
	feed_send(&w.events);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_false(s->processes[0].interval.gc.fragmentation_pct.known);
	nt_snapshot_release(s);
	tell_fragmentation(&w.events, 1100, 12.5);
	feed_send(&w.events);
	s = close_at(w.model, 2000);
	assert_near(s->processes[0].interval.gc.fragmentation_pct.v, 12.5);
	nt_snapshot_release(s);
	blocking_gc(&w.events, 2100, 1, 0, 4);
	tell_fragmentation(&w.events, 2200, 0);
	feed_send(&w.events);
	s = close_at(w.model, 3000);
	assert_true(s->processes[0].interval.gc.fragmentation_pct.known);
	assert_near(s->processes[0].interval.gc.fragmentation_pct.v, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_hostile_order(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N);
	restart(&w.events, 10, 10); /* no stop is open */
	suspend(&w.events, 100, 10, 1);
	suspend(&w.events, 110, 10, 1); /* the restart was lost */
	restart(&w.events, 105, 10);    /* time goes back */
	gc_end(&w.events, 111, 10, 9, 77);
	gc_end(&w.events, 112, 10, 9, 0);
	gc_start(&w.events, 113, 10, 9, 4000000000u, 99);
	gc_start(&w.events, 113, 10, 8, 4000000000u, 99);
	for (uint32_t i = 0; i < 300; i++)
		suspend(&w.events, 200 + i, 100 + i, i % 8);
	for (uint32_t i = 0; i < 300; i++)
		restart(&w.events, 600, 100 + i);
	for (uint32_t i = 0; i < 30000; i++)
		gc_end(&w.events, 700, 10, 100 + i, i % 3);
	heap_history(&w.events, 701, UINT32_MAX, UINT64_MAX, UINT64_MAX);
	heap_history(&w.events, 702, 0, UINT64_MAX, 0);
	heap_history(&w.events, 703, 0, 0, UINT64_MAX);
	event(&w.events, NT_EV_GC_HEAP_STATS, 704, 1)->u.gc_heap_stats.size_bytes[0] = UINT64_MAX;
	feed_send(&w.events);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.gc.count[0], 10000);
	assert_int_equal(s->processes[0].collection_count, 2000);
	assert_int_equal(s->processes[0].collection_total, 30002);
	assert_true(s->processes[0].interval.gc.pause_pct.v <= 100);
	nt_snapshot_release(s);
	end(&w);
}

static void mark(struct feed *lttng, double at, uint32_t type, uint64_t bytes)
{
	struct nt_ev_gc_mark *mark = &event(lttng, NT_EV_GC_MARK, at, 10)->u.gc_mark;
	*mark = (struct nt_ev_gc_mark){ .type = type, .bytes = bytes };
}

/* From where objects stay alive: of those collections that tell it. Until one does nothing is known. */
static void test_where_objects_stay_alive_from(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_NONE);
	suspend(&w.events, 100, 10, 1);
	restart(&w.events, 103, 10);
	feed_send(&w.events);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_unknown(s->processes[0].total.gc.marked_bytes[NT_GC_ROOT_STACKS]);
	nt_snapshot_release(s);

	mark(&w.events, 1101, 0, 100);
	mark(&w.events, 1102, 2, 30);
	mark(&w.events, 1103, 6, 4); /* dependent handles */
	mark(&w.events, 1104, 7, 5); /* new in the finalizer queue */
	mark(&w.events, 1105, 9, 7);
	mark(&w.events, 1106, 77, 8); /* nobody knows yet what that is */
	feed_send(&w.events);
	s = close_at(w.model, 2000);
	const struct nt_gc_figures *total = &s->processes[0].total.gc;
	assert_known(total->marked_bytes[NT_GC_ROOT_STACKS], 100);
	assert_known(total->marked_bytes[NT_GC_ROOT_HANDLES], 34);
	assert_known(total->marked_bytes[NT_GC_ROOT_FINALIZERS], 5);
	assert_known(total->marked_bytes[NT_GC_ROOT_OLDER], 0);
	assert_known(total->marked_bytes[NT_GC_ROOT_OTHER], 15);
	nt_snapshot_release(s);

	s = close_at(w.model, 3000);
	assert_unknown(s->processes[0].interval.gc.marked_bytes[NT_GC_ROOT_STACKS]);
	assert_known(s->processes[0].total.gc.marked_bytes[NT_GC_ROOT_STACKS], 100);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts_and_pauses),
		cmocka_unit_test(test_where_objects_stay_alive_from),
		cmocka_unit_test(test_an_open_pause_counts_as_it_passes),
		cmocka_unit_test(test_an_open_pause_is_not_guessed),
		cmocka_unit_test(test_background_in_mode_f),
		cmocka_unit_test(test_mode_none),
		cmocka_unit_test(test_background_that_blocked),
		cmocka_unit_test(test_young_within_the_initial_stop),
		cmocka_unit_test(test_server_threads_and_other_stops),
		cmocka_unit_test(test_details_before_and_after_the_end),
		cmocka_unit_test(test_histories_from_another_stream),
		cmocka_unit_test(test_histories_around_a_background_collection),
		cmocka_unit_test(test_histories_that_belong_to_nothing),
		cmocka_unit_test(test_fragmentation_by_the_counter),
		cmocka_unit_test(test_hostile_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
