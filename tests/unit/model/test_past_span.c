// SPDX-License-Identifier: GPL-2.0-only
/* Spans of the past: a burst is found in its parts, spans that follow each other have each sample once, and what is not known of a span is not told. */
#include "sampled_world.h"

#include "model/past/past_span.h"

enum { BURST = 0x10000, MAIN = 0x10100, SECONDS = 5 };

static void keep_interval(struct world *w, struct nt_past *past, double end)
{
	struct nt_snapshot *s = close_all(w, end);
	nt_past_add(past, s);
	nt_snapshot_release(s);
}

/* Five seconds of Main() on one CPU, and on another from 2.4 to 2.7 s Burst(). */
static struct nt_past *watch(struct world *w, bool keep)
{
	struct nt_past *past = nt_past_new(&(struct nt_past_config){ 0 });
	begin(w);
	keep_samples(w->model, keep);
	code_line(&w->codemap, 0, BURST, 0x100, "Shop.Burst()", NT_TIER_1);
	code_line(&w->codemap, 0, MAIN, 0x100, "Shop.Main()", NT_TIER_1);
	const uint64_t chain[] = { BURST, MAIN + 4 };
	for (unsigned second = 0; second < SECONDS; second++) {
		for (unsigned at = 0; at < 1000; at += 10) {
			sample_at(&w->perf, second * 1000 + at, 1, MAIN);
			if (second == 2 && at >= 400 && at < 700) {
				sample_chain(&w->perf, second * 1000 + at, 2, chain, 0, 2);
				sample_chain(&w->perf, second * 1000 + at + 5, 2, chain, 0, 2);
			}
		}
		keep_interval(w, past, (second + 1) * 1000);
	}
	return past;
}

static void leave(struct world *w, struct nt_past *past)
{
	nt_past_free(past);
	end(w);
}

static void a_burst_is_first_in_its_parts(void **state)
{
	(void)state;
	struct world w;
	struct nt_past *past = watch(&w, true);
	struct nt_snapshot *s = nt_past_span(past, ms(2400), ms(2700));
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(s->t0, ms(2400));
	assert_int_equal(s->t1, ms(2700));
	assert_int_equal(process->method_count, 2);
	assert_string_equal(process->methods[0].name, "Shop.Burst()");
	assert_int_equal(process->methods[0].self_samples, 60);
	assert_int_equal(process->methods[0].total_samples, 60);
	assert_near(process->methods[0].self_pct, 100.0 * 60 / 90);
	assert_near(process->methods[0].window_self_pct, 100.0 * 60 / 90);
	assert_string_equal(process->methods[1].name, "Shop.Main()");
	assert_int_equal(process->methods[1].self_samples, 30);
	assert_int_equal(process->methods[1].total_samples, 90);
	assert_known(process->interval.cpu.samples, 90);
	assert_int_equal(process->interval.span_ns, 300 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	s = nt_past_span(past, ms(2700), ms(2800));
	assert_int_equal(s->processes[0].method_count, 1);
	nt_snapshot_release(s);
	leave(&w, past);
}

static uint64_t self_of(const struct nt_snapshot *s, const char *name)
{
	const struct nt_method_row *row = row_named(s, name);
	return row ? row->self_samples : 0;
}

static void spans_have_each_sample_once(void **state)
{
	(void)state;
	static const double steps[] = { 7, 20, 130, 1000, 1700 };
	struct world w;
	struct nt_past *past = watch(&w, true);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		uint64_t main_samples = 0, burst_samples = 0;
		nt_time covered = 0;
		for (double at = 0; at < SECONDS * 1000; at += steps[i]) {
			struct nt_snapshot *s = nt_past_span(past, ms(at), ms(at + steps[i]));
			if (!s)
				continue; /* no part begins in it */
			main_samples += self_of(s, "Shop.Main()");
			burst_samples += self_of(s, "Shop.Burst()");
			covered += s->t1 - s->t0;
			nt_snapshot_release(s);
		}
		assert_int_equal(main_samples, SECONDS * 100);
		assert_int_equal(burst_samples, 60);
		assert_int_equal(covered, SECONDS * NT_NS_PER_S);
	}
	leave(&w, past);
}

/* It is in code of which nobody knows yet which method it is: the next interval counts it. */
static void one_that_waited_is_where_it_was_taken(void **state)
{
	(void)state;
	struct world w;
	struct nt_past *past = nt_past_new(&(struct nt_past_config){ 0 });
	begin(&w);
	keep_samples(w.model, true);
	event(&w.codemap, NT_EV_IDLE, 100, 0);
	raw_line(&w.codemap, 0, BURST, 0x100, "void [Shop] dynamicClass::made()[OptimizedTier1]");
	sample_at(&w.perf, 510, 1, BURST);
	keep_interval(&w, past, 1000);
	idle(&w.codemap, 2000);
	keep_interval(&w, past, 2000);
	struct nt_snapshot *s = nt_past_span(past, ms(500), ms(520));
	assert_int_equal(s->sequence, 1);
	assert_int_equal(s->processes[0].method_count, 1);
	assert_int_equal(s->processes[0].methods[0].self_samples, 1);
	nt_snapshot_release(s);
	s = nt_past_span(past, ms(1000), ms(2000));
	assert_int_equal(s->processes[0].method_count, 0);
	nt_snapshot_release(s);
	leave(&w, past);
}

static void what_was_not_kept_is_not_known(void **state)
{
	(void)state;
	struct world w;
	struct nt_past *past = watch(&w, false);
	struct nt_snapshot *s = nt_past_span(past, ms(2400), ms(2700));
	assert_int_equal(s->processes[0].method_count, 0);
	assert_unknown(s->processes[0].interval.cpu.samples);
	nt_snapshot_release(s);
	assert_null(nt_past_span(past, ms(6000), ms(7000)));
	assert_null(nt_past_span(past, ms(2700), ms(2400)));
	assert_null(nt_past_span(past, ms(2401), ms(2402)));
	leave(&w, past);
}

/* ---- figures ---- */

static struct nt_past *past_of_figures(void)
{
	struct nt_past *past = nt_past_new(&(struct nt_past_config){ 0 });
	struct nt_process_snapshot process = { .target.pid = PID };
	struct nt_snapshot *s = calloc(1, sizeof(*s));
	assert_non_null(s);
	for (unsigned i = 0; i < 4; i++) {
		struct nt_figures *figures = &process.interval;
		figures->gc.count[0] = nt_u64_of(i);
		figures->gc.pause_ns = nt_u64_of(i * 10 * NT_NS_PER_MS);
		figures->gc.pause_max_ns = nt_u64_of(i * 5 * NT_NS_PER_MS);
		figures->gc.heap_bytes = nt_u64_of(1000 + i);
		figures->jit.method_count = nt_u64_if(i != 2, 7);
		figures->cpu.time_ns = nt_u64_of(i * NT_NS_PER_S / 10);
		figures->cpu.covered_ns = nt_u64_of(NT_NS_PER_S);
		*s = (struct nt_snapshot){ .sequence = i + 1,
					   .t0 = ms(i * 1000),
					   .t1 = ms((i + 1) * 1000),
					   .processes = &process,
					   .process_count = 1,
					   .self_pct = { 1, true } };
		nt_past_add(past, s);
	}
	free(s);
	return past;
}

static void counters_are_sums_over_whole_intervals(void **state)
{
	(void)state;
	struct nt_past *past = past_of_figures();
	struct nt_snapshot *s = nt_past_span(past, ms(1000), ms(3000));
	const struct nt_figures *figures = &s->processes[0].interval;
	assert_int_equal(s->sequence, 3);
	assert_known(figures->gc.count[0], 1 + 2);
	assert_known(figures->gc.heap_bytes, 1002);
	assert_unknown(figures->gc.pause_max_ns);
	assert_true(figures->gc.pause_pct.known);
	assert_near(figures->gc.pause_pct.v, 1.5);
	assert_near(figures->cpu.usage_pct.v, 15);
	assert_unknown(figures->jit.method_count); /* not known of one of them */
	assert_non_null(figures->jit.why.reason);
	assert_unknown(s->self_pct);
	nt_snapshot_release(s);
	nt_past_free(past);
}

static void a_part_of_an_interval_has_no_figures(void **state)
{
	(void)state;
	struct nt_past *past = past_of_figures();
	struct nt_snapshot *s = nt_past_span(past, ms(1000), ms(2500));
	assert_int_equal(s->t1, ms(2500));
	assert_unknown(s->processes[0].interval.gc.count[0]);
	assert_unknown(s->processes[0].interval.gc.heap_bytes);
	assert_unknown(s->processes[0].interval.cpu.usage_pct);
	nt_snapshot_release(s);
	nt_past_free(past);
}

static void one_interval_has_its_own(void **state)
{
	(void)state;
	struct nt_past *past = past_of_figures();
	struct nt_snapshot *s = nt_past_span(past, ms(2000), ms(3000));
	assert_known(s->processes[0].interval.gc.pause_max_ns, 10 * NT_NS_PER_MS);
	assert_true(s->self_pct.known);
	nt_snapshot_release(s);
	nt_past_free(past);
}

/* ---- events that have no row ---- */

enum { EVENTS = 10 };

/* Ten events in each of three seconds, one each 100 ms; of those of the second one the interval itself had only the last six. */
static struct nt_past *past_of_events(void)
{
	struct nt_past *past = nt_past_new(&(struct nt_past_config){ 0 });
	struct nt_process_snapshot process = { .target.pid = PID };
	struct nt_snapshot *s = calloc(1, sizeof(*s));
	assert_non_null(s);
	for (unsigned i = 0; i < 3; i++) {
		struct nt_told_row rows[EVENTS];
		const struct nt_told_row *kept[EVENTS];
		unsigned first = i == 1 ? 4 : 0;
		for (unsigned n = first; n < EVENTS; n++) {
			rows[n] = (struct nt_told_row){ .id = 1 + i * EVENTS + n, .time = ms(i * 1000 + n * 100), .event = "Shop/Sold" };
			kept[n - first] = &rows[n];
		}
		process.told = (struct nt_told){ .rows = kept, .row_count = EVENTS - first, .fresh_from = 1 + i * EVENTS };
		process.told.gone_count = i ? 14 : 0; /* since it was chosen what is told */
		*s = (struct nt_snapshot){
			.sequence = i + 1, .t0 = ms(i * 1000), .t1 = ms((i + 1) * 1000), .processes = &process, .process_count = 1
		};
		nt_past_add(past, s);
	}
	free(s);
	return past;
}

static void check_events(struct nt_past *past, double from, double to, size_t rows, uint64_t gone)
{
	struct nt_snapshot *s = nt_past_span(past, ms(from), ms(to));
	assert_int_equal(s->processes[0].told.row_count, rows);
	assert_int_equal(s->processes[0].told.gone_count, gone);
	nt_snapshot_release(s);
}

static void events_that_an_interval_had_no_more_are_counted(void **state)
{
	(void)state;
	struct nt_past *past = past_of_events();
	check_events(past, 0, 3000, 26, 4);
	check_events(past, 1000, 2000, 6, 4);
	check_events(past, 0, 1000, 10, 0);
	check_events(past, 2000, 3000, 10, 0);
	check_events(past, 1200, 2000, 6, 4); /* when in the time before its first row they were nobody knows */
	check_events(past, 1600, 3000, 14, 0);
	nt_past_free(past);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_burst_is_first_in_its_parts),
		cmocka_unit_test(spans_have_each_sample_once),
		cmocka_unit_test(one_that_waited_is_where_it_was_taken),
		cmocka_unit_test(what_was_not_kept_is_not_known),
		cmocka_unit_test(counters_are_sums_over_whole_intervals),
		cmocka_unit_test(a_part_of_an_interval_has_no_figures),
		cmocka_unit_test(one_interval_has_its_own),
		cmocka_unit_test(events_that_an_interval_had_no_more_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
