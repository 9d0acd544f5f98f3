// SPDX-License-Identifier: GPL-2.0-only
/* What the histories of a collection say of its heaps, its steps and its reasons. */
#include "build.h"

#include "model/gc/gc.h"

enum { INDUCED = 0, EPHEMERAL_FIRST = 15, GENERATIONS = 2 /* bits each: wanted, highest, budget, time */ };

static void reasons_are(uint32_t generations, uint32_t others, const char *expected)
{
	char text[NT_GC_CONDEMNED_TEXT];
	const uint32_t reasons[2] = { generations, others };
	nt_gc_reasons_text(reasons, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void test_reasons_as_words(void **state_)
{
	(void)state_;
	reasons_are(0, 0, "");
	reasons_are(1 << GENERATIONS, 0, ""); /* what it came to is the collection's generation */
	reasons_are(2 << 2 * GENERATIONS, 0, "gen2 budget");
	reasons_are(1 << 3 * GENERATIONS | 2, 1 << INDUCED, "gen1 time; gen2 wanted; induced");
	reasons_are(0, 1 << EPHEMERAL_FIRST, "before background");
	reasons_are(0, UINT32_C(1) << 31, "");
	/* Whole words, as many as there is room for. */
	reasons_are(0, UINT32_MAX, "induced; heap expanded; memory high; memory very high; low on ephemeral space");
}

static const struct nt_gc_row *only_row(const struct nt_snapshot *s)
{
	assert_int_equal(s->processes[0].collection_count, 1);
	return s->processes[0].collections[0];
}

struct told {
	uint32_t heap_count, heaps_told, mechanisms, step_count;
	bool beside;
};

static struct nt_event *history(struct feed *feed, enum nt_event_kind kind, double at, const struct told *told)
{
	struct nt_event *e = event(feed, kind, at, 10);
	e->beside = told->beside;
	return e;
}

static struct nt_snapshot *after_one(struct nt_model **model, const struct told *told)
{
	struct feed events;
	*model = new_model();
	feed_init(&events, *model, NT_SOURCE_EVENTPIPE);
	target_mode(&events, NT_MODE_NONE);
	event(&events, NT_EV_SOURCE_STATE, 0, 0)->u.source_state = (struct nt_ev_source_state){
		.state = NT_STATE_DELIVERING, .open = 1, .brings = NT_WANT_RUNTIME_EVENTS | NT_WANT_GC_HISTORIES
	};
	suspend(&events, 100, 10, 1);
	gc_start(&events, 101, 10, 1, 1, 0);
	history(&events, NT_EV_GC_GLOBAL_HISTORY, 102, told)->u.gc_global_history =
		(struct nt_ev_gc_global_history){ .heap_count = told->heap_count,
						  .mechanisms = told->mechanisms,
						  .memory_pressure_pct = 41,
						  .step_count = told->step_count,
						  .step_us = { 1, 2, 3, 4, 5, 60, 70, 80 } };
	for (uint32_t heap = 0; heap < told->heaps_told; heap++)
		history(&events, NT_EV_GC_HEAP_HISTORY, 102.1 + heap * 0.1, told)->u.gc_heap_history = (struct nt_ev_gc_heap_history){
			.heap_index = heap,
			.before_gross_bytes = { 100, 200, 300, 400, 500 },
			.after_gross_bytes = 1000 + heap,
			.free_after_bytes = 10 * heap,
			.loh_after_bytes = 7,
			.gen0_budget_bytes = 5,
			.condemn_reasons = { heap == 1 ? 2 << 2 * GENERATIONS | 2 << GENERATIONS
						       : 1 << 2 * GENERATIONS | 1 << GENERATIONS },
		};
	gc_end(&events, 103, 10, 1, 1);
	restart(&events, 104, 10);
	feed_send(&events);
	feed_fini(&events);
	return close_at(*model, 1000);
}

static void test_heaps_are_summed_up_and_compared(void **state_)
{
	(void)state_;
	for (int beside = 0; beside < 2; beside++) {
		struct nt_model *model;
		struct nt_snapshot *s = after_one(&model, &(struct told){ .heap_count = 3, .heaps_told = 3, .beside = beside });
		const struct nt_gc_row *row = only_row(s);
		assert_known(row->found_bytes[0], 300);
		assert_known(row->found_bytes[NT_GC_POH], 1500);
		assert_known(row->before_bytes, 4500);
		assert_known(row->heap_count, 3);
		assert_known(row->heap_least_bytes, 1000);
		assert_known(row->heap_most_bytes, 1002);
		assert_known(row->gen0_budget_bytes, 15);
		assert_unknown(row->loh_budget_bytes);
		assert_known(row->memory_load_pct, 41);
		assert_string_equal(row->condemned, "gen2 budget"); /* of the heap that asked for the oldest */
		nt_snapshot_release(s);
		nt_model_free(model);
	}
}

/* Each heap has a row, and the rows add up to what the collection says. */
static void test_a_row_per_heap(void **state_)
{
	(void)state_;
	for (int beside = 0; beside < 2; beside++) {
		struct nt_model *model;
		struct nt_snapshot *s = after_one(&model, &(struct told){ .heap_count = 3, .heaps_told = 3, .beside = beside });
		const struct nt_process_snapshot *process = &s->processes[0];
		assert_int_equal(process->gc_heap_count, 3);
		uint64_t found = 0;
		double share = 0;
		for (uint32_t i = 0; i < 3; i++) {
			const struct nt_gc_heap_row *heap = &process->gc_heaps[i];
			assert_int_equal(heap->collection, 1);
			assert_int_equal(heap->index, i);
			assert_int_equal(heap->left_bytes, 1000 + i);
			assert_int_equal(heap->free_bytes, 10 * i);
			assert_int_equal(heap->loh_bytes, 7);
			assert_known(heap->gen0_budget_bytes, 5);
			assert_near(heap->share_pct.v, 100.0 * (1000 + i) / 3003);
			found += heap->found_bytes;
			share += heap->share_pct.v;
		}
		assert_known(only_row(s)->before_bytes, found);
		assert_near(share, 100);
		nt_snapshot_release(s);
		nt_model_free(model);
	}
}

/* Heaps that are not all told have no rows: neither when one is missing, nor when nobody can have so many. */
static void test_heaps_that_are_not_all_told(void **state_)
{
	(void)state_;
	static const struct told cases[] = {
		{ .heap_count = 3, .heaps_told = 2 },
		{ .heap_count = 2, .heaps_told = 3 },
		{ .heap_count = NT_GC_HEAPS_MAX + 1, .heaps_told = NT_GC_HEAPS_MAX + 1 },
		{ .heap_count = 0, .heaps_told = 1 },
	};
	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		struct told told = cases[i / 2];
		told.beside = i % 2;
		struct nt_model *model;
		struct nt_snapshot *s = after_one(&model, &told);
		assert_int_equal(s->processes[0].gc_heap_count, 0);
		nt_snapshot_release(s);
		nt_model_free(model);
	}
}

/* A collection of two heaps, of which the history of all tells, too; those from `first` to before `end` are told. */
static void collection_of_two(struct feed *events, double at, uint32_t number, uint32_t first, uint32_t end, bool beside)
{
	struct told told = { .beside = beside };
	suspend(events, at, 10, 1);
	gc_start(events, at + 1, 10, number, 1, 0);
	if (!first)
		history(events, NT_EV_GC_GLOBAL_HISTORY, at + 2, &told)->u.gc_global_history =
			(struct nt_ev_gc_global_history){ .heap_count = 2 };
	for (uint32_t heap = first; heap < end; heap++)
		history(events, NT_EV_GC_HEAP_HISTORY, at + 2.1 + heap * 0.1, &told)->u.gc_heap_history =
			(struct nt_ev_gc_heap_history){ .heap_index = heap, .after_gross_bytes = number };
	gc_end(events, at + 3, 10, number, 1);
	restart(events, at + 4, 10);
}

/* The rows stay those of the last collection that told all; the halves of two are no whole. */
static void test_heaps_of_two_collections_are_not_mixed(void **state_)
{
	(void)state_;
	for (int beside = 0; beside < 2; beside++) {
		struct nt_model *model = new_model();
		struct feed events;
		feed_init(&events, model, NT_SOURCE_EVENTPIPE);
		target_mode(&events, NT_MODE_NONE);
		collection_of_two(&events, 100, 1, 0, 2, beside);
		collection_of_two(&events, 200, 2, 0, 1, beside); /* of this the second heap is lost, */
		collection_of_two(&events, 300, 3, 1, 2, beside); /* and all but the second of this */
		feed_send(&events);
		struct nt_snapshot *s = close_at(model, 1000);
		size_t count = s->processes[0].gc_heap_count;
		/* Told beside, they are joined when the interval ends: of the newest, which is none here. */
		assert_int_equal(count, beside ? 0 : 2);
		if (count)
			assert_int_equal(s->processes[0].gc_heaps[1].collection, 1);
		/* Newest first: of the first collection all is known, of the others no sum. */
		assert_int_equal(s->processes[0].collection_count, 3);
		assert_true(s->processes[0].collections[2]->before_bytes.known);
		for (int i = 0; beside && i < 2; i++)
			assert_false(s->processes[0].collections[i]->before_bytes.known ||
				     s->processes[0].collections[i]->heap_least_bytes.known);
		nt_snapshot_release(s);
		collection_of_two(&events, 1100, 4, 0, 2, beside);
		feed_send(&events);
		s = close_at(model, 2000);
		assert_int_equal(s->processes[0].gc_heap_count, 2);
		assert_int_equal(s->processes[0].gc_heaps[0].collection, 4);
		assert_int_equal(s->processes[0].gc_heaps[1].left_bytes, 4);
		nt_snapshot_release(s);
		feed_fini(&events);
		nt_model_free(model);
	}
}

/* A heap whose history was lost is in no sum: nothing is said in its place. */
static void test_a_heap_that_is_missing(void **state_)
{
	(void)state_;
	for (int beside = 0; beside < 2; beside++) {
		struct nt_model *model;
		struct nt_snapshot *s = after_one(&model, &(struct told){ .heap_count = 3, .heaps_told = 2, .beside = beside });
		const struct nt_gc_row *row = only_row(s);
		assert_known(row->heap_count, 3);
		assert_unknown(row->found_bytes[0]);
		assert_unknown(row->before_bytes);
		assert_unknown(row->heap_least_bytes);
		assert_unknown(row->gen0_budget_bytes);
		nt_snapshot_release(s);
		nt_model_free(model);
	}
}

/* A collection that found `found` bytes of large objects and left `left`; without its history when it found none. */
static void collection(struct feed *events, double at, uint32_t number, uint32_t generation, uint32_t reason, uint64_t found, uint64_t left)
{
	suspend(events, at, 10, 1);
	event(events, NT_EV_GC_START, at + 1, 10)->u.gc_start =
		(struct nt_ev_gc_start){ .number = number, .generation = generation, .reason = reason };
	if (found)
		event(events, NT_EV_GC_HEAP_HISTORY, at + 2, 10)->u.gc_heap_history =
			(struct nt_ev_gc_heap_history){ .loh_found_used_bytes = found, .loh_left_used_bytes = left };
	gc_end(events, at + 3, 10, number, generation);
	restart(events, at + 4, 10);
}

/* What gen2 frees of large objects, whatever it was for, and how many of its collections were for them. */
static void test_large_objects(void **state_)
{
	(void)state_;
	enum { INDUCED_GC = 1, LOH_BUDGET = 4, LOH_SPACE = 6 };
	struct nt_model *model = new_model();
	struct feed events;
	feed_init(&events, model, NT_SOURCE_LTTNG);
	target_mode(&events, NT_MODE_N);
	collection(&events, 100, 1, 2, LOH_BUDGET, 90, 20);
	collection(&events, 200, 2, 2, INDUCED_GC, 50, 49);
	collection(&events, 300, 3, 1, LOH_BUDGET, 700, 100); /* younger ones look at no large object */
	collection(&events, 400, 4, 2, LOH_SPACE, 30, 40);    /* of one in the background more may be there at its end */
	feed_send(&events);
	struct nt_snapshot *s = close_at(model, 1000);
	const struct nt_gc_figures *gc = &s->processes[0].interval.gc;
	assert_known(gc->loh_count, 2);
	assert_known(gc->loh_freed_bytes, 71);
	assert_known(s->processes[0].collections[2]->loh_freed_bytes, 1);
	assert_unknown(s->processes[0].collections[1]->loh_freed_bytes);
	nt_snapshot_release(s);

	/* One without its history: nobody knows what it freed. */
	collection(&events, 1100, 5, 2, LOH_BUDGET, 90, 20);
	collection(&events, 1200, 6, 2, LOH_BUDGET, 0, 0);
	feed_send(&events);
	s = close_at(model, 2000);
	assert_known(s->processes[0].interval.gc.count[2], 2);
	assert_known(s->processes[0].interval.gc.loh_count, 2);
	assert_unknown(s->processes[0].interval.gc.loh_freed_bytes);
	assert_unknown(s->processes[0].total.gc.loh_freed_bytes);
	nt_snapshot_release(s);
	feed_fini(&events);
	nt_model_free(model);
}

static void test_steps(void **state_)
{
	(void)state_;
	static const struct {
		uint32_t mechanisms, told;
		uint64_t ns[NT_GC_STEP_COUNT]; /* 0: not known */
		enum nt_gc_way way;
	} cases[] = {
		{ NT_GC_COMPACTS, 8, { 15000, 60000, 70000, 80000, 0 }, NT_GC_WAY_COMPACT },
		{ 0, 7, { 15000, 60000, 0, 0, 70000 }, NT_GC_WAY_SWEEP },
		{ NT_GC_CONCURRENT, 5, { 15000 }, NT_GC_WAY_SWEEP },
		{ NT_GC_COMPACTS, 0, { 0 }, NT_GC_WAY_COMPACT },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_model *model;
		struct nt_snapshot *s = after_one(
			&model,
			&(struct told){ .heap_count = 1, .heaps_told = 1, .mechanisms = cases[i].mechanisms, .step_count = cases[i].told });
		const struct nt_gc_row *row = only_row(s);
		assert_int_equal(row->way, cases[i].way);
		for (unsigned step = 0; step < NT_GC_STEP_COUNT; step++) {
			assert_int_equal(row->step_ns[step].known, cases[i].ns[step] != 0);
			assert_int_equal(row->step_ns[step].v, cases[i].ns[step]);
		}
		nt_snapshot_release(s);
		nt_model_free(model);
	}
}

static void collect(struct feed *feed, double at, uint32_t number, double pause)
{
	suspend(feed, at, 10, 1);
	gc_start(feed, at + 0.1, 10, number, 0, 0);
	gc_end(feed, at + pause - 0.1, 10, number, 0);
	restart(feed, at + pause, 10);
}

/* Ten intervals of a second: what was before is in the figures since attach alone. */
static void test_pauses_of_the_last_ten_intervals(void **state_)
{
	(void)state_;
	enum { SECONDS = 12 };
	struct feed events;
	struct nt_model *model = new_model();
	feed_init(&events, model, NT_SOURCE_LTTNG);
	target_mode(&events, NT_MODE_N);
	delivering(&events);
	for (uint32_t second = 0; second < SECONDS; second++) {
		collect(&events, 1000.0 * second + 200, second + 1, second ? second : 50);
		feed_send(&events);
		struct nt_snapshot *s = close_at(model, 1000.0 * (second + 1));
		const struct nt_gc_generation_row *gen0 = &s->processes[0].generations[0];
		uint64_t most = second < 10 ? 50 : second;
		assert_int_equal(gen0->count, second + 1);
		assert_int_equal(gen0->recent.count, second < 10 ? second + 1 : 10);
		assert_known(gen0->recent.max_ns, most * NT_NS_PER_MS);
		assert_known(gen0->max_ns, 50 * NT_NS_PER_MS);
		if (second == SECONDS - 1) { /* 2 to 11 ms */
			assert_known(gen0->recent.p50_ns, 6 * NT_NS_PER_MS);
			assert_known(gen0->recent.p90_ns, 10 * NT_NS_PER_MS);
			assert_known(gen0->recent.p99_ns, 11 * NT_NS_PER_MS);
			assert_near(gen0->recent.every_ms.v, 1001);
		}
		assert_unknown(s->processes[0].generations[1].recent.p50_ns);
		nt_snapshot_release(s);
	}
	feed_fini(&events);
	nt_model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reasons_as_words),
		cmocka_unit_test(test_heaps_are_summed_up_and_compared),
		cmocka_unit_test(test_a_row_per_heap),
		cmocka_unit_test(test_heaps_that_are_not_all_told),
		cmocka_unit_test(test_heaps_of_two_collections_are_not_mixed),
		cmocka_unit_test(test_a_heap_that_is_missing),
		cmocka_unit_test(test_large_objects),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_pauses_of_the_last_ten_intervals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
