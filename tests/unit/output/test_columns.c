// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/column.h"

#include <ctype.h>
#include <string.h>

static const struct nt_column *column_of(const struct nt_table *table, const char *key)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (strcmp(table->columns[i].key, key) == 0)
			return &table->columns[i];
	fail_msg("%s has no column %s", table->key, key);
	return NULL;
}

/* What screen, JSON and help rely on, for every table there is. */
static void tables_are_well_formed(void **state)
{
	(void)state;
	for (size_t t = 0; nt_tables[t]; t++) {
		const struct nt_table *table = nt_tables[t];
		unsigned default_sorts = 0;
		const struct nt_column *last = NULL;
		for (size_t i = 0; i < table->column_count; i++) {
			const struct nt_column *column = &table->columns[i];
			assert_non_null(column->read);
			assert_non_null(column->title);
			assert_true(strlen(column->help) > 10);
			for (const char *c = column->key; *c; c++)
				assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
			for (size_t other = 0; other < i; other++)
				assert_string_not_equal(table->columns[other].key, column->key);
			default_sorts += column->default_sort;
			if (column->screen) {
				assert_true(!last || last->width);
				last = column;
			}
		}
		/* The sources stay in the order of their table; requests in flight come before those that have ended; events are as they came, differences by what matters. */
		bool ordered = table == &nt_table_sources || table == &nt_table_single_requests || table == &nt_table_events ||
			       table == &nt_table_differences;
		assert_int_equal(default_sorts, ordered ? 0 : 1);
	}
}

/* Names that other tools rely on. */
/* P, M and T sort by one column each, which can be sorted by. */
static void one_column_for_each_key_of_top(void **state)
{
	(void)state;
	for (const struct nt_table *const *table = nt_tables; *table; table++) {
		unsigned seen[NT_SORT_BY_TIME + 1] = { 0 };
		for (size_t i = 0; i < (*table)->column_count; i++) {
			const struct nt_column *column = &(*table)->columns[i];
			seen[column->sort_key]++;
			assert_true(!column->sort_key || (column->unit != NT_UNIT_TREND && column->unit != NT_UNIT_BAR));
		}
		for (int key = NT_SORT_BY_CPU; key <= NT_SORT_BY_TIME; key++)
			assert_true(seen[key] <= 1);
	}
}

static void json_names_are_there(void **state)
{
	static const char *const methods[] = { "name",          "module",   "kind",      "tier",   "self_samples",
					       "total_samples", "self_pct", "total_pct", "reason", "raw" };
	static const char *const gc[] = { "number",   "generation",   "kind",        "reason",        "suspend_ns",
					  "pause_ns", "before_bytes", "after_bytes", "promoted_bytes" };
	static const char *const sources[] = { "name", "state", "reason", "fix", "events", "lost", "late", "duplicate", "lag_ns" };
	static const char *const counters[] = { "provider", "name", "unit", "tags", "kind", "value", "rate_per_s", "p50", "p95", "p99" };
	(void)state;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		column_of(&nt_table_counters, counters[i]);
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		column_of(&nt_table_methods, methods[i]);
	for (size_t i = 0; i < sizeof(gc) / sizeof(gc[0]); i++)
		column_of(&nt_table_gc, gc[i]);
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		column_of(&nt_table_sources, sources[i]);
}

static void shares_follow_the_window(void **state)
{
	const struct nt_method_row row = {
		.self_pct = 1, .window_self_pct = 2, .all_self_pct = 3, .self_samples = 10, .self_samples_all = 300, .window_self = 19.6
	};
	const struct nt_column *pct = column_of(&nt_table_methods, "self_pct");
	const struct nt_column *samples = column_of(&nt_table_methods, "self_samples");
	struct nt_column_context context = { .window = NT_WINDOW_RECENT };
	(void)state;
	assert_true(pct->read(&row, &context).f == 2);
	assert_int_equal(samples->read(&row, &context).u, 20);
	context.window = NT_WINDOW_ATTACH;
	assert_true(pct->read(&row, &context).f == 3);
	assert_int_equal(samples->read(&row, &context).u, 300);
	context.window = NT_WINDOW_INTERVAL;
	assert_true(pct->read(&row, &context).f == 1);
	assert_int_equal(samples->read(&row, &context).u, 10);
}

static void assert_shown(const struct nt_table *table, const char *key, const void *row, const struct nt_column_context *context,
			 const char *expected)
{
	struct nt_column column = *column_of(table, key);
	char text[32];
	column.width = 0;
	nt_cell_format(&column, column.read(row, context), text, sizeof(text));
	assert_string_equal(text, expected);
}

static void totals_may_be_lower_bounds(void **state)
{
	(void)state;
	static const struct {
		double total_pct, complete_pct;
		enum nt_code_kind kind;
		const char *shown;
	} cases[] = {
		{ 0.5, 8, NT_CODE_JIT, ">0.5" },   { 0.5, 99.2, NT_CODE_JIT, "0.5" }, { 99.4, 8, NT_CODE_JIT, "99.4" },
		{ 88.2, 8, NT_CODE_R2R, ">88.2" }, { 0.5, 8, NT_CODE_KERNEL, "0.5" },
	};
	const struct nt_column *column = column_of(&nt_table_methods, "total_pct");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct nt_process_snapshot process = { .window_complete_pct = nt_f64_of(cases[i].complete_pct) };
		const struct nt_column_context context = { .process = &process, .window = NT_WINDOW_RECENT };
		const struct nt_method_row row = { .window_total_pct = cases[i].total_pct, .kind = cases[i].kind };
		char text[32];
		nt_cell_format(column, column->read(&row, &context), text, sizeof(text));
		assert_string_equal(text, cases[i].shown);
	}
}

/* Of an interval of 1 s half was told of; since attach 4 of 8 s. */
static void rates_are_of_the_time_that_is_covered(void **state)
{
	(void)state;
	static const struct nt_exception_row thrown = { .count = 10, .count_all = 20 };
	static const struct nt_lock_row waited = { .count = 10, .count_all = 20, .spent_ns = NT_NS_PER_MS, .window_per_s = 7 };
	struct nt_process_snapshot process = { .interval = { .span_ns = NT_NS_PER_S }, .total = { .span_ns = 8 * NT_NS_PER_S } };
	struct nt_column_context context = { .process = &process, .window = NT_WINDOW_INTERVAL };
	process.interval.exceptions.covered_ns = process.interval.locks.covered_ns = nt_u64_of(NT_NS_PER_S / 2);
	process.total.exceptions.covered_ns = process.total.locks.covered_ns = nt_u64_of(4 * NT_NS_PER_S);
	const struct nt_column *thrown_per_s = column_of(&nt_table_exceptions, "rate_per_s"),
			       *waits_per_s = column_of(&nt_table_locks, "rate_per_s");
	assert_true(thrown_per_s->read(&thrown, &context).f == 20);
	assert_true(waits_per_s->read(&waited, &context).f == 20);
	assert_true(column_of(&nt_table_locks, "spent_ms_per_s")->read(&waited, &context).f == 2);
	context.window = NT_WINDOW_ATTACH;
	assert_true(thrown_per_s->read(&thrown, &context).f == 5);
	assert_true(waits_per_s->read(&waited, &context).f == 5);
	process.interval.exceptions.covered_ns = process.interval.locks.covered_ns = (struct nt_u64){ 0 };
	context.window = NT_WINDOW_RECENT;
	assert_false(thrown_per_s->read(&thrown, &context).known);
	assert_false(waits_per_s->read(&waited, &context).known);
	context.window = NT_WINDOW_INTERVAL;
	assert_false(waits_per_s->read(&waited, &context).known);
	assert_false(column_of(&nt_table_exceptions, "count")->read(&thrown, &context).known);
	assert_false(column_of(&nt_table_locks, "count")->read(&waited, &context).known);
}

/* Of a program that lived for 10 s, of which so much was told. */
static void counts_of_a_part_are_lower_bounds(void **state)
{
	static const struct {
		nt_time covered_ns;
		const char *count, *longest;
	} cases[] = { { 10 * NT_NS_PER_S, "123", "5.0" }, { 9950 * NT_NS_PER_MS, "123", "5.0" }, { 9 * NT_NS_PER_S, ">123", ">5.0" } };
	static const struct nt_exception_row thrown = { .count_all = 123 };
	static const struct nt_lock_row waited = { .count_all = 123, .max_ns = NT_KNOWN(5 * NT_NS_PER_MS) };
	static const struct nt_jit_row compiled = { .count_all = 123, .max_ns = 5 * NT_NS_PER_MS };
	static const struct nt_alloc_row allocated = { .figures.all = { .bytes = 123, .samples = 123 } };
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_process_snapshot process = { .total = { .span_ns = 20 * NT_NS_PER_S, .lived_ns = 10 * NT_NS_PER_S } };
		const struct nt_column_context context = { .process = &process, .window = NT_WINDOW_ATTACH };
		process.total.exceptions.covered_ns = process.total.locks.covered_ns = process.total.jit.covered_ns =
			nt_u64_of(cases[i].covered_ns);
		assert_shown(&nt_table_exceptions, "count", &thrown, &context, cases[i].count);
		assert_shown(&nt_table_locks, "count", &waited, &context, cases[i].count);
		assert_shown(&nt_table_locks, "max_ns", &waited, &context, cases[i].longest);
		assert_shown(&nt_table_jit, "count", &compiled, &context, cases[i].count);
		assert_shown(&nt_table_jit, "max_ns", &compiled, &context, cases[i].longest);
		const struct nt_source_row delivered = { .events_all = 123, .covered_all_ns = nt_u64_of(cases[i].covered_ns) };
		assert_shown(&nt_table_sources, "events", &delivered, &context, cases[i].count);
		process.alloc_sampling.all_s = (double)cases[i].covered_ns / (double)NT_NS_PER_S;
		assert_shown(&nt_table_allocations, "samples", &allocated, &context, cases[i].count);
		assert_shown(&nt_table_allocations, "bytes", &allocated, &context, cases[i].count);
	}
}

/* Of an interval in which nothing was told, nothing is known. What the most recent ones weigh has no time to compare with. */
static void counts_of_sources_and_allocations(void **state)
{
	static const struct nt_source_row untold = { .covered_ns = NT_KNOWN(0) }, silent = { .covered_ns = NT_KNOWN(NT_NS_PER_S) },
					  part = { .events = 5, .covered_ns = NT_KNOWN(NT_NS_PER_S / 2) }, does_not_say = { .events = 5 };
	static const struct nt_alloc_row allocated = { .figures = { .interval = { .bytes = 24, .samples = 2 },
								    .window = { .bytes = 240 } } };
	struct nt_process_snapshot process = { .interval = { .lived_ns = NT_NS_PER_S }, .alloc_sampling.window_s = 7 };
	struct nt_column_context context = { .process = &process, .window = NT_WINDOW_INTERVAL };
	(void)state;
	assert_shown(&nt_table_sources, "events", &untold, &context, "");
	assert_shown(&nt_table_sources, "events", &silent, &context, "0");
	assert_shown(&nt_table_sources, "events", &part, &context, ">5");
	assert_shown(&nt_table_sources, "events", &does_not_say, &context, "5");
	assert_shown(&nt_table_allocations, "bytes", &allocated, &context, "");
	process.alloc_sampling.interval_s = 0.5;
	assert_shown(&nt_table_allocations, "bytes", &allocated, &context, ">24");
	assert_shown(&nt_table_allocations, "samples", &allocated, &context, ">2");
	context.window = NT_WINDOW_RECENT;
	assert_shown(&nt_table_allocations, "bytes", &allocated, &context, "240");
}

static const char *gc_kind(uint32_t generation, uint32_t type)
{
	const struct nt_gc_row row = { .generation = generation, .type = type };
	struct nt_cell cell = column_of(&nt_table_gc, "kind")->read(&row, NULL);
	return cell.known ? cell.text : NULL;
}

static void a_collection_says_what_it_was(void **state)
{
	struct nt_process_snapshot process = { 0 };
	struct nt_snapshot snapshot = { .t1 = 5 * NT_NS_PER_S };
	const struct nt_column_context context = { .snapshot = &snapshot, .process = &process };
	struct nt_gc_row row = { .start = 1 * NT_NS_PER_S, .end = 2 * NT_NS_PER_S, .finished = true, .reason = NT_KNOWN(4) };
	(void)state;
	assert_string_equal(gc_kind(0, 0), "eph");
	assert_string_equal(gc_kind(2, 0), "blk");
	assert_string_equal(gc_kind(2, 1), "bg");
	assert_string_equal(gc_kind(1, 2), "fg");
	assert_null(gc_kind(1, 3));
	assert_string_equal(column_of(&nt_table_gc, "reason")->read(&row, &context).text, "LOH allocation");
	row.reason.v = UINT64_MAX;
	assert_non_null(column_of(&nt_table_gc, "reason")->read(&row, &context).text);
	assert_int_equal(column_of(&nt_table_gc, "ago_ns")->read(&row, &context).u, 3 * NT_NS_PER_S);
	row.finished = false;
	assert_int_equal(column_of(&nt_table_gc, "ago_ns")->read(&row, &context).u, 4 * NT_NS_PER_S);
	row.start = NT_TIME_UNKNOWN;
	assert_false(column_of(&nt_table_gc, "ago_ns")->read(&row, &context).known);
	/* Without a longest pause there is nothing to compare with. */
	row.pause_ns = nt_u64_of(5);
	assert_false(column_of(&nt_table_gc, "pause_bar")->read(&row, &context).known);
	process.generations[1].max_ns = nt_u64_of(10);
	assert_true(column_of(&nt_table_gc, "pause_bar")->read(&row, &context).f == 0.5);
}

static int order(const char *key, bool ascending, const void *a, const void *b)
{
	const struct nt_column_context context = { .window = NT_WINDOW_RECENT };
	return nt_row_compare(&nt_table_threads, column_of(&nt_table_threads, key), ascending, &context, a, b);
}

static void blank_sorts_last_in_both_directions(void **state)
{
	const struct nt_thread_row known = { .id = 1, .cpu_pct = NT_KNOWN(1), .name = "a" }, unknown = { .id = 2, .name = "b" };
	(void)state;
	assert_true(order("cpu_pct", false, &known, &unknown) < 0);
	assert_true(order("cpu_pct", true, &known, &unknown) < 0);
	assert_true(order("cpu_pct", true, &unknown, &known) > 0);
}

static void equal_rows_are_ordered_by_name_then_id(void **state)
{
	const struct nt_thread_row a = { .id = 7, .cpu_pct = NT_KNOWN(5), .name = "a" };
	const struct nt_thread_row b = { .id = 3, .cpu_pct = NT_KNOWN(5), .name = "b" };
	const struct nt_thread_row b_too = { .id = 4, .cpu_pct = NT_KNOWN(5), .name = "b" };
	const struct nt_thread_row busy = { .id = 9, .cpu_pct = NT_KNOWN(50), .name = "z" };
	(void)state;
	assert_true(order("cpu_pct", false, &a, &b) < 0);
	assert_true(order("cpu_pct", true, &a, &b) < 0);
	assert_true(order("cpu_pct", false, &b, &b_too) < 0);
	assert_true(order("cpu_pct", false, &busy, &a) < 0);
	assert_true(order("cpu_pct", true, &busy, &a) > 0);
	assert_true(order("name", true, &a, &b) < 0);
	assert_int_equal(order("name", false, &a, &a), 0);
}

static void marked_threads_come_first_unless_sorted_otherwise(void **state)
{
	const struct nt_thread_row stuck = { .id = 1, .tid = 2, .cpu_pct = NT_KNOWN(0), .name = "a", .marked = true };
	const struct nt_thread_row busy = { .id = 2, .tid = 1, .cpu_pct = NT_KNOWN(90), .name = "b" };
	(void)state;
	assert_true(order("cpu_pct", false, &stuck, &busy) < 0);
	assert_true(order("cpu_pct", true, &busy, &stuck) > 0);
	assert_true(order("tid", true, &stuck, &busy) > 0);
}

static struct nt_cell thread_cell(const char *key, const struct nt_thread_row *row)
{
	return column_of(&nt_table_threads, key)->read(row, NULL);
}

static void a_thread_says_what_it_does(void **state)
{
	const struct nt_hot_method hot = { .name = "Shop.Cart.Total()" };
	const struct nt_thread_row runs = { .role = NT_ROLE_POOL, .state = 'R', .samples = 3, .hot = &hot, .hot_count = 1 };
	const struct nt_thread_row waits = { .role = NT_ROLE_FINALIZER,
					     .state = 'S',
					     .state_ns = 1,
					     .lock_ns = NT_KNOWN(7),
					     .lock_owner_tid = 9,
					     .hot = &hot,
					     .hot_count = 1 };
	const struct nt_thread_row unknown = { .tid = 1 };
	(void)state;
	assert_string_equal(thread_cell("role", &runs).text, "pool");
	assert_string_equal(thread_cell("state", &runs).text, "run");
	assert_string_equal(thread_cell("at", &runs).text, "Shop.Cart.Total()");
	assert_string_equal(thread_cell("role", &waits).text, "fin");
	assert_string_equal(thread_cell("state", &waits).text, "lock");
	assert_int_equal(thread_cell("state_ns", &waits).u, 7);
	assert_int_equal(thread_cell("lock_owner_tid", &waits).u, 9);
	assert_false(thread_cell("at", &waits).known);
	for (size_t i = 1; i < nt_table_threads.column_count; i++) {
		const struct nt_column *column = &nt_table_threads.columns[i];
		if (strcmp(column->key, "samples") != 0)
			assert_false(column->read(&unknown, NULL).known);
	}
}

/* The figures of several threads are on the row that stands for them, on a screen; in JSON and text each has its own. */
static void alike_threads_are_one_row_where_rows_fold(void **state)
{
	const struct nt_thread_row first = { .samples = 3,
					     .cpu_pct = NT_KNOWN(1),
					     .alike = { .count = 2, .cpu_pct = NT_KNOWN(5), .samples = 7 } };
	const struct nt_column_context screen = { .folds = true }, json = { .folds = false };
	const struct nt_column *cpu = column_of(&nt_table_threads, "cpu_pct"), *samples = column_of(&nt_table_threads, "samples");
	(void)state;
	assert_true(cpu->read(&first, &screen).f == 5 && samples->read(&first, &screen).u == 7);
	assert_true(cpu->read(&first, &json).f == 1 && samples->read(&first, &json).u == 3);
	assert_true(cpu->read(&first, NULL).f == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_well_formed),
		cmocka_unit_test(one_column_for_each_key_of_top),
		cmocka_unit_test(json_names_are_there),
		cmocka_unit_test(shares_follow_the_window),
		cmocka_unit_test(totals_may_be_lower_bounds),
		cmocka_unit_test(counts_of_a_part_are_lower_bounds),
		cmocka_unit_test(rates_are_of_the_time_that_is_covered),
		cmocka_unit_test(counts_of_sources_and_allocations),
		cmocka_unit_test(a_collection_says_what_it_was),
		cmocka_unit_test(blank_sorts_last_in_both_directions),
		cmocka_unit_test(equal_rows_are_ordered_by_name_then_id),
		cmocka_unit_test(marked_threads_come_first_unless_sorted_otherwise),
		cmocka_unit_test(a_thread_says_what_it_does),
		cmocka_unit_test(alike_threads_are_one_row_where_rows_fold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
