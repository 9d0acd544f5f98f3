// SPDX-License-Identifier: GPL-2.0-only
/* Samples kept one by one: what they say is what the interval counts, what there is no room for is said, and nobody pays who does not ask. */
#include "sampled_world.h"

#include "model/past/past.h"

enum { CODE = 0x10000, BURST = CODE, CALLER = CODE + 0x100, MAIN = CODE + 0x200, MANY = 0x100000 };

static void begin_kept(struct world *w)
{
	begin(w);
	keep_samples(w->model, true);
	code_line(&w->codemap, 0, BURST, 0x100, "Shop.Burst()", NT_TIER_1);
	code_line(&w->codemap, 0, CALLER, 0x100, "Shop.Caller()", NT_TIER_1);
	code_line(&w->codemap, 0, MAIN, 0x100, "Shop.Main()", NT_TIER_1);
}

static void sample_of(struct world *w, double at, uint32_t tid, uint64_t leaf, uint64_t caller)
{
	const uint64_t chain[] = { leaf, caller + 4, MAIN + 4 }; /* where calls return to */
	sample_chain(&w->perf, at, tid, chain, 0, 3);
}

static const struct nt_interval_samples *samples_of(const struct nt_snapshot *snapshot)
{
	return &snapshot->processes[0].interval_samples;
}

static const struct nt_method_row *method_with(const struct nt_snapshot *snapshot, uint64_t id)
{
	for (size_t i = 0; i < snapshot->processes[0].method_count; i++)
		if (snapshot->processes[0].methods[i].id == id)
			return &snapshot->processes[0].methods[i];
	return NULL;
}

static void check_stack(const struct nt_snapshot *snapshot, uint32_t number, const char *const *names)
{
	assert_in_range(number, 0, samples_of(snapshot)->stack_count - 1);
	const struct nt_sample_stack *stack = &samples_of(snapshot)->stacks[number];
	for (uint32_t i = 0; i < stack->count; i++, names++) {
		const struct nt_method_row *row = method_with(snapshot, nt_sample_method(stack->frames[i]));
		assert_non_null(row);
		assert_non_null(*names);
		assert_string_equal(row->name, *names);
	}
	assert_null(*names);
}

static uint64_t sum_of(const struct nt_interval_samples *samples)
{
	uint64_t sum = samples->left_out;
	for (uint32_t i = 0; i < samples->row_count; i++)
		sum += samples->rows[i].count;
	return sum;
}

static uint32_t tid_of(const struct nt_interval_samples *samples, uint32_t row)
{
	assert_in_range(samples->rows[row].thread, 0, samples->thread_count - 1);
	return samples->threads[samples->rows[row].thread].tid;
}

static bool is_in(const struct nt_sample_stack *stack, uint64_t method)
{
	bool found = false;
	for (uint32_t i = 0; i < stack->count; i++)
		found |= nt_sample_method(stack->frames[i]) == method;
	return found;
}

/* Each method's own samples and all of them, by what was kept. */
static void check_sums(const struct nt_snapshot *snapshot)
{
	const struct nt_interval_samples *samples = samples_of(snapshot);
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	for (size_t m = 0; m < process->method_count; m++) {
		uint64_t self = 0, total = 0;
		for (uint32_t i = 0; i < samples->row_count; i++) {
			const struct nt_sample_stack *stack = &samples->stacks[samples->rows[i].stack];
			total += is_in(stack, process->methods[m].id) ? samples->rows[i].count : 0;
			self += nt_sample_method(stack->frames[0]) == process->methods[m].id ? samples->rows[i].count : 0;
		}
		assert_int_equal(self, process->methods[m].self_samples);
		assert_int_equal(total, process->methods[m].total_samples);
	}
	assert_known(process->interval.cpu.samples, sum_of(samples));
}

static void test_they_are_what_the_interval_counts(void **state)
{
	(void)state;
	static const char *const burst[] = { "Shop.Burst()", "Shop.Caller()", "Shop.Main()", NULL }, *const recursion[] = {
		"Shop.Caller()", "Shop.Caller()", "Shop.Main()", NULL
	};
	struct world w;
	begin_kept(&w);
	sample_of(&w, 400, 1, BURST, CALLER);
	sample_of(&w, 405, 1, BURST + 0x40, CALLER + 8); /* another place of the same methods */
	sample_of(&w, 405, 2, BURST, CALLER);
	sample_of(&w, 601, 1, CALLER, CALLER);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_interval_samples *samples = samples_of(s);
	assert_true(samples->kept);
	assert_int_equal(samples->row_count, 3);
	assert_int_equal(samples->stack_count, 2);
	assert_int_equal(samples->rows[0].part, 20);
	assert_int_equal(samples->rows[0].count, 2);
	assert_int_equal(tid_of(samples, 0), 1);
	assert_int_equal(tid_of(samples, 1), 2);
	assert_int_equal(samples->thread_count, 2);
	assert_int_equal(samples->frame_count, 3); /* each once, also those of recursion */
	assert_int_equal(samples->rows[2].part, 30);
	check_stack(s, samples->rows[0].stack, burst);
	check_stack(s, samples->rows[2].stack, recursion);
	check_sums(s);
	nt_snapshot_release(s);
	s = close_all(&w, 2000);
	assert_true(samples_of(s)->kept);
	assert_int_equal(samples_of(s)->row_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_nobody_pays_who_does_not_ask(void **state)
{
	(void)state;
	struct world w;
	begin_kept(&w);
	keep_samples(w.model, false);
	sample_of(&w, 400, 1, BURST, CALLER);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_true(samples_of(s)->known);
	assert_false(samples_of(s)->kept);
	assert_int_equal(samples_of(s)->row_count + samples_of(s)->stack_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_late_ones_say_when(void **state)
{
	(void)state;
	static const struct {
		double at;
		int32_t part;
	} cases[] = { { 999.999999, -1 }, { 980, -1 }, { 979.999999, -2 }, { 0, -50 }, { 1000, 0 }, { 1020, 1 } };
	struct world w;
	begin_kept(&w);
	nt_snapshot_release(close_all(&w, 1000));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		sample_of(&w, cases[i].at, (uint32_t)i + 1, BURST, CALLER);
	struct nt_snapshot *s = close_all(&w, 2000);
	assert_int_equal(samples_of(s)->row_count, sizeof(cases) / sizeof(*cases));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(samples_of(s)->rows[i].part, cases[i].part);
	check_sums(s);
	nt_snapshot_release(s);
	end(&w);
}

static void test_what_there_is_no_room_for_is_said(void **state)
{
	(void)state;
	struct world w;
	begin_kept(&w);
	for (unsigned i = 0; i < NT_SAMPLE_STACKS_MOST + 10; i++) {
		char name[32];
		snprintf(name, sizeof(name), "Shop.Many%u()", i);
		code_line(&w.codemap, 0, MANY + i * 0x100, 0x100, name, NT_TIER_1);
		sample_of(&w, 1, 1, MANY + i * 0x100, CALLER);
	}
	for (unsigned i = 0; i < NT_SAMPLE_ROWS_MOST; i++)
		sample_of(&w, 2, i + 2, MANY, CALLER);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(samples_of(s)->stack_count, NT_SAMPLE_STACKS_MOST);
	assert_int_equal(samples_of(s)->row_count, NT_SAMPLE_ROWS_MOST);
	assert_int_equal(samples_of(s)->left_out, 10 + NT_SAMPLE_STACKS_MOST);
	assert_known(s->processes[0].interval.cpu.samples, sum_of(samples_of(s)));
	nt_snapshot_release(s);
	end(&w);
}

static void test_without_a_stack(void **state)
{
	(void)state;
	struct world w;
	begin_kept(&w);
	event(&w.perf, NT_EV_SAMPLE, 10, 1)->u.sample.weight_ns = NT_NS_PER_MS;
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(samples_of(s)->row_count, 1);
	check_sums(s);
	nt_snapshot_release(s);
	end(&w);
}

static void test_the_past_has_them(void **state)
{
	(void)state;
	static const char *const burst[] = { "Shop.Burst()", "Shop.Caller()", "Shop.Main()", NULL };
	struct world w;
	struct nt_past *past = nt_past_new(&(struct nt_past_config){ 0 });
	begin_kept(&w);
	for (unsigned i = 0; i < 100; i++) {
		sample_of(&w, i * 1000 + i * 10, 1, BURST, CALLER);
		struct nt_snapshot *s = close_all(&w, (i + 1) * 1000);
		nt_past_add(past, s);
		nt_snapshot_release(s);
	}
	for (unsigned i = 0; i < 100; i++) {
		struct nt_snapshot *s = nt_past_get(past, i + 1);
		assert_int_equal(samples_of(s)->row_count, 1);
		assert_int_equal(samples_of(s)->rows[0].part, i / 2);
		check_stack(s, samples_of(s)->rows[0].stack, burst);
		check_sums(s);
		nt_snapshot_release(s);
	}
	nt_past_free(past);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_they_are_what_the_interval_counts),
		cmocka_unit_test(test_nobody_pays_who_does_not_ask),
		cmocka_unit_test(test_late_ones_say_when),
		cmocka_unit_test(test_what_there_is_no_room_for_is_said),
		cmocka_unit_test(test_without_a_stack),
		cmocka_unit_test(test_the_past_has_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
