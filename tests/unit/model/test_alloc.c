// SPDX-License-Identifier: GPL-2.0-only
#include "build.h"

#include "model/alloc/alloc_bytes.h"

static const struct nt_span second = { .t0 = START, .t1 = START + NT_NS_PER_S, .start = START, .number = 1 };

static void history(struct nt_alloc_state *alloc, uint32_t heap, uint64_t before, uint64_t after)
{
	struct nt_event e = { .kind = NT_EV_GC_HEAP_HISTORY,
			      .u.gc_heap_history = {
				      .heap_index = heap, .before_bytes = before, .after_gross_bytes = after + 7, .free_after_bytes = 7 } };
	nt_alloc_apply(alloc, &e);
}

static void global(struct nt_alloc_state *alloc, uint32_t heap_count, uint64_t budget)
{
	struct nt_event e = { .kind = NT_EV_GC_GLOBAL_HISTORY,
			      .u.gc_global_history = { .heap_count = heap_count, .final_youngest_desired_bytes = budget } };
	nt_alloc_apply(alloc, &e);
}

static void heaps(struct nt_alloc_state *alloc, uint32_t count)
{
	global(alloc, count, 5000);
}

static void sampled(struct nt_alloc_state *alloc, double at_ms, uint64_t bytes)
{
	struct nt_event e = { .kind = NT_EV_ALLOC_SAMPLED, .time = ms(at_ms), .u.alloc.object_bytes = bytes };
	nt_alloc_apply(alloc, &e);
}

static void test_background_collection_sets_no_budget(void **state_)
{
	(void)state_;
	struct nt_alloc_state alloc;
	struct nt_gc_figures interval = { 0 }, total = { 0 };
	nt_alloc_init(&alloc);
	global(&alloc, 1, 0);
	nt_alloc_close(&alloc, &second, true, true, NT_NS_PER_S, &interval, &total);
	assert_unknown(interval.gen0_budget_bytes);
	heaps(&alloc, 1);
	global(&alloc, 1, 0);
	nt_alloc_close(&alloc, &second, true, true, NT_NS_PER_S, &interval, &total);
	assert_known(interval.gen0_budget_bytes, 5000);
}

static void test_estimate_of_one_heap(void **state_)
{
	(void)state_;
	struct nt_alloc_state alloc;
	struct nt_gc_figures interval = { 0 }, total = { 0 };
	nt_alloc_init(&alloc);
	heaps(&alloc, 1);
	history(&alloc, 0, 1000, 100);
	nt_alloc_close(&alloc, &second, true, true, NT_NS_PER_S, &interval, &total);
	assert_unknown(interval.alloc_bytes); /* blank until the second collection */
	assert_known(interval.gen0_budget_bytes, 5000);
	assert_unknown(total.alloc_bytes);
	history(&alloc, 0, 1100, 500);
	history(&alloc, 0, 700, 200);
	nt_alloc_close(&alloc, &second, true, true, NT_NS_PER_S, &interval, &total);
	assert_known(interval.alloc_bytes, 1200);
	assert_known(total.alloc_bytes, 1200);
	assert_true(interval.alloc_estimated && total.alloc_estimated);
	assert_unknown(interval.alloc_error_pct);
	interval = (struct nt_gc_figures){ 0 };
	nt_alloc_close(&alloc, &second, true, true, NT_NS_PER_S, &interval, &total);
	assert_known(interval.alloc_bytes, 0);
	assert_known(total.alloc_bytes, 1200);
	interval = (struct nt_gc_figures){ 0 };
	nt_alloc_close(&alloc, &second, false, true, NT_NS_PER_S, &interval, &total);
	assert_unknown(interval.alloc_bytes);
}

/* The sums count, not each heap: objects move between heaps, and their number changes. */
static void test_estimate_of_several_heaps(void **state_)
{
	(void)state_;
	for (int with_count = 0; with_count < 2; with_count++) {
		struct nt_alloc_state alloc;
		struct nt_gc_figures interval = { 0 }, total = { 0 };
		nt_alloc_init(&alloc);
		if (with_count)
			heaps(&alloc, 2);
		history(&alloc, 0, 1000, 900);
		history(&alloc, 1, 1000, 100);
		if (with_count)
			heaps(&alloc, 2);
		history(&alloc, 0, 600, 550);
		history(&alloc, 1, 600, 550);
		if (with_count)
			heaps(&alloc, 1);
		history(&alloc, 0, 1500, 10);
		if (!with_count) /* only the next collection tells that this one is complete */
			history(&alloc, 0, 10, 10);
		nt_alloc_close(&alloc, &second, true, true, NT_NS_PER_S, &interval, &total);
		assert_known(interval.alloc_bytes, 200 + 400);
	}
}

static void test_samples(void **state_)
{
	(void)state_;
	struct nt_alloc_state alloc;
	struct nt_gc_figures interval = { 0 }, total = { 0 };
	nt_alloc_init(&alloc);
	for (int i = 0; i < 400; i++)
		sampled(&alloc, i, 24); /* a small object stands for nearly the whole distance */
	history(&alloc, 0, 1000, 100);
	history(&alloc, 0, 90000000, 100);
	nt_alloc_close(&alloc, &second, true, true, NT_NS_PER_S, &interval, &total);
	assert_false(interval.alloc_estimated);
	double each = (double)interval.alloc_bytes.v / 400;
	assert_true(each > 102400 && each < 102420);
	assert_true(interval.alloc_error_pct.v > 4.99 && interval.alloc_error_pct.v <= 5);
	assert_int_equal(total.alloc_bytes.v, interval.alloc_bytes.v); /* not counted twice */
	sampled(&alloc, 1500, 100 << 20);                              /* always sampled: stands for itself */
	interval = (struct nt_gc_figures){ 0 };
	struct nt_span next = second;
	next.t0 += NT_NS_PER_S;
	next.t1 += NT_NS_PER_S;
	nt_alloc_close(&alloc, &next, true, true, NT_NS_PER_S, &interval, &total);
	assert_known(interval.alloc_bytes, 100 << 20);
	assert_near(interval.alloc_error_pct.v, 0); /* no estimate */
	sampled(&alloc, 1600, 0);
	sampled(&alloc, 1600, UINT64_MAX);
	nt_alloc_close(&alloc, &next, true, true, NT_NS_PER_S, &interval, &total);
	assert_true(interval.alloc_bytes.known);
}

static void test_estimate_takes_over_when_samples_stop(void **state_)
{
	(void)state_;
	struct nt_alloc_state alloc;
	struct nt_gc_figures interval = { 0 }, total = { 0 };
	nt_alloc_init(&alloc);
	heaps(&alloc, 1);
	history(&alloc, 0, 1000, 100);
	sampled(&alloc, 10, 50 << 20);
	struct nt_span span = second;
	nt_alloc_close(&alloc, &span, true, true, NT_NS_PER_S, &interval, &total);
	for (int i = 0; i < 5; i++) {
		span.t0 += NT_NS_PER_S;
		span.t1 += NT_NS_PER_S;
		interval = (struct nt_gc_figures){ 0 };
		history(&alloc, 0, 400, 300);
		nt_alloc_close(&alloc, &span, true, true, NT_NS_PER_S, &interval, &total);
	}
	assert_known(interval.alloc_bytes, 100);
	assert_true(interval.alloc_estimated);
	assert_true(total.alloc_estimated);
	assert_known(total.alloc_bytes, (50 << 20) + 3 * 100); /* of the three intervals without samples near */
}

static void counted(struct nt_alloc_state *alloc, double at_ms, double period_ms, double bytes)
{
	struct nt_event e = { .kind = NT_EV_COUNTER,
			      .time = ms(at_ms),
			      .u.counter = { .kind = NT_COUNTER_INCREMENT,
					     .known = NT_COUNTER_CHANGE,
					     .change = bytes,
					     .period_ns = (nt_time)(period_ms * 1e6) } };
	nt_alloc_counted(alloc, &e);
}

static void test_the_counter_replaces_estimate_and_samples(void **state_)
{
	(void)state_;
	struct nt_alloc_state alloc;
	struct nt_gc_figures interval = { 0 }, total = { 0 };
	struct nt_span span = second;
	nt_alloc_init(&alloc);
	heaps(&alloc, 1);
	history(&alloc, 0, 1000, 100);
	history(&alloc, 0, 90000, 100);
	sampled(&alloc, 5, 50 << 20);
	counted(&alloc, 400, 500, 3000);
	counted(&alloc, 900, 500, 5000);
	nt_alloc_close(&alloc, &span, false, false, NT_NS_PER_S, &interval, &total); /* known whatever the other events are */
	assert_known(interval.alloc_bytes, 8000);
	assert_known(interval.alloc_covered_ns, NT_NS_PER_S);
	assert_true(interval.alloc_estimated); /* its periods are not the interval */
	assert_unknown(interval.alloc_error_pct);
	/* A short interval in which no period ended has the rate of the last, as long as the next is not overdue. */
	span.t0 = span.t1, span.t1 += 100 * NT_NS_PER_MS;
	interval = (struct nt_gc_figures){ 0 };
	nt_alloc_close(&alloc, &span, true, true, NT_NS_PER_S, &interval, &total);
	assert_known(interval.alloc_bytes, 800);
	assert_known(interval.alloc_covered_ns, 100 * NT_NS_PER_MS);
	/* Then nothing is known of it, and the last rate is not told again. */
	span.t0 = span.t1, span.t1 = START + 2 * NT_NS_PER_S;
	interval = (struct nt_gc_figures){ 0 };
	nt_alloc_close(&alloc, &span, true, true, NT_NS_PER_S, &interval, &total);
	assert_unknown(interval.alloc_bytes);
	assert_unknown(interval.alloc_covered_ns);
	/* Three in one interval make it no larger. */
	for (int i = 0; i < 3; i++)
		counted(&alloc, 2100 + 400 * i, 400, 4000);
	span.t0 = span.t1, span.t1 += NT_NS_PER_S;
	nt_alloc_close(&alloc, &span, true, true, NT_NS_PER_S, &interval, &total);
	assert_known(interval.alloc_bytes, 10000);
	/* What is none changes nothing. */
	counted(&alloc, 3000, 0, 7);
	counted(&alloc, 3000, 400, -7);
	/* Silent: what else there is takes over, and what was counted stays. */
	span.t1 += 10 * NT_NS_PER_S, span.t0 = span.t1 - NT_NS_PER_S;
	history(&alloc, 0, 1100, 100);
	nt_alloc_close(&alloc, &span, true, true, NT_NS_PER_S, &interval, &total);
	assert_known(interval.alloc_bytes, 1000);
	assert_true(interval.alloc_estimated);
	assert_true(total.alloc_bytes.v >= 8000 + 12000 + (50 << 20));
}

/* The runtime's first period is short. What is told of a few milliseconds is not told of a second. */
static void test_a_first_short_period(void **state_)
{
	(void)state_;
	struct nt_alloc_state alloc;
	struct nt_gc_figures interval = { 0 }, total = { 0 };
	nt_alloc_init(&alloc);
	counted(&alloc, 500, 50, 7000);
	nt_alloc_close(&alloc, &second, true, true, 0, &interval, &total);
	assert_known(interval.alloc_bytes, 7000);
	assert_known(interval.alloc_covered_ns, 50 * NT_NS_PER_MS);
	assert_true(nt_is_partial(interval.alloc_covered_ns, NT_NS_PER_S));
	assert_known(total.alloc_bytes, 7000);
	assert_known(total.alloc_covered_ns, 50 * NT_NS_PER_MS);
	assert_false(total.alloc_estimated);
}

static void test_the_counter_is_known_by_its_name(void **state_)
{
	(void)state_;
	struct nt_model *model = new_model();
	struct feed feed;
	feed_init(&feed, model, NT_SOURCE_EVENTPIPE);
	delivering(&feed);
	static const char *const others[][2] = { { "System.Runtime", "alloc-rate-of-mine" }, { "Shop", "alloc-rate" }, { "", "" } };
	for (int i = 0; i < 4; i++) {
		struct nt_ev_counter told = { .provider = text(&feed, i < 3 ? others[i][0] : "System.Runtime"),
					      .name = text(&feed, i < 3 ? others[i][1] : "alloc-rate"),
					      .kind = NT_COUNTER_INCREMENT,
					      .known = NT_COUNTER_CHANGE,
					      .change = i < 3 ? 5 : 4096,
					      .period_ns = NT_NS_PER_S };
		event(&feed, NT_EV_COUNTER, 500, 1)->u.counter = told;
	}
	feed_send(&feed);
	struct nt_snapshot *s = close_at(model, 1000);
	assert_known(s->processes[0].interval.gc.alloc_bytes, 4096);
	assert_known(s->processes[0].total.gc.alloc_bytes, 4096);
	assert_null(s->processes[0].interval.gc.alloc_why.reason);
	nt_snapshot_release(s);
	feed_fini(&feed);
	nt_model_free(model);
}

/* What was allocated while the program started is in no sum: there is none since the start, though intervals are known. */
static void test_without_the_start_there_is_no_total(void **state_)
{
	(void)state_;
	for (unsigned sampled_too = 0; sampled_too < 2; sampled_too++) {
		struct nt_alloc_state alloc;
		struct nt_gc_figures interval = { 0 }, total = { 0 };
		const struct nt_ev_source_state state = { .postpones = 1,
							  .brings = NT_WANT_RUNTIME_EVENTS | (sampled_too ? NT_WANT_ALLOC_SAMPLES : 0) };
		nt_alloc_init(&alloc);
		nt_alloc_source(&alloc, &state);
		if (sampled_too)
			sampled(&alloc, 100, 500);
		nt_alloc_close(&alloc, &second, true, true, NT_NS_PER_S, &interval, &total);
		nt_alloc_source(&alloc, &(struct nt_ev_source_state){ .brings = state.brings });
		interval = total = (struct nt_gc_figures){ 0 };
		counted(&alloc, 900, 1000, 4096);
		nt_alloc_close(&alloc, &second, true, true, NT_NS_PER_S, &interval, &total);
		assert_known(interval.alloc_bytes, 4096);
		assert_int_equal(total.alloc_bytes.known, sampled_too);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_background_collection_sets_no_budget),
		cmocka_unit_test(test_estimate_of_one_heap),
		cmocka_unit_test(test_estimate_of_several_heaps),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_estimate_takes_over_when_samples_stop),
		cmocka_unit_test(test_the_counter_replaces_estimate_and_samples),
		cmocka_unit_test(test_a_first_short_period),
		cmocka_unit_test(test_the_counter_is_known_by_its_name),
		cmocka_unit_test(test_without_the_start_there_is_no_total),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
