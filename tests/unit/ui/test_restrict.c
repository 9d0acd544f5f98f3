// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/restrict.h"
#include "ui/views/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct nt_method_row methods[] = {
	{ .id = 1, .name = "A.Run()", .module = "App", .kind = NT_CODE_JIT, .tier = NT_TIER_1, .self_samples = 6, .self_samples_all = 30 },
	{ .id = 2, .name = "memset", .module = "libc.so.6", .kind = NT_CODE_NATIVE, .self_samples = 2, .self_samples_all = 10 },
	{ .id = 3, .name = "A.Sum()", .module = "App", .kind = NT_CODE_JIT, .self_samples = 2, .self_samples_all = 10, .marked = true },
	{ .id = 4, .name = "0x1234", .kind = NT_CODE_UNKNOWN },
};
static const struct nt_hot_method hot[] = { { 3, "A.Sum()", 60, 75 }, { 9, "Gone()", 20, 25 } };
static struct nt_thread_row threads[] = {
	{ .id = 71, .tid = 7, .name = "worker", .hot = hot, .hot_count = 2, .window_samples = 80 },
	{ .id = 72, .tid = 8 },
};
static const struct nt_process_snapshot process = {
	.methods = methods, .method_count = 4, .threads = threads, .thread_count = 2, .window_samples_milli = 100000, .samples_all = 50
};

static void a_thread_has_its_own_shares(void **state)
{
	(void)state;
	const struct nt_restriction restriction = nt_restriction_to_thread(&threads[0]);
	struct nt_restricted out = { 0 };
	nt_restrict(&restriction, &process, false, &out);
	assert_int_equal(out.process.method_count, 2);
	assert_int_equal(out.process.methods[0].id, 3);
	assert_string_equal(out.process.methods[0].module, "App");
	assert_true(out.process.methods[0].marked);
	assert_true(out.process.methods[0].total_unknown);
	assert_int_equal((int)out.process.methods[0].window_self_pct, 75);
	assert_int_equal(out.process.methods[0].self_samples_all, 0); /* those of all threads are not the thread's */
	assert_int_equal(out.process.window_samples_milli, 80000);
	/* A method without a row of its own still has its name. */
	assert_string_equal(out.process.methods[1].name, "Gone()");
	assert_int_equal(out.process.methods[1].kind, NT_CODE_UNKNOWN);
	/* The rest of the process is as it was. */
	assert_int_equal(out.process.thread_count, 2);
	nt_restricted_fini(&out);
}

/* Of a span window and interval are the same. */
static void in_a_span_they_are_of_the_span(void **state)
{
	(void)state;
	const struct nt_restriction restriction = nt_restriction_to_thread(&threads[0]);
	struct nt_restricted out = { 0 };
	nt_restrict(&restriction, &process, true, &out);
	assert_int_equal((int)out.process.methods[0].self_pct, 75);
	assert_int_equal(out.process.methods[0].self_samples, 60);
	nt_restrict(&restriction, &process, false, &out);
	assert_int_equal(out.process.methods[0].self_samples, 0);
	nt_restricted_fini(&out);
}

static void a_thread_without_samples_has_no_rows(void **state)
{
	(void)state;
	struct nt_restriction restriction = nt_restriction_to_thread(&threads[1]);
	struct nt_restricted out = { 0 };
	nt_restrict(&restriction, &process, false, &out);
	assert_int_equal(out.process.method_count, 0);
	restriction.thread_id = 12345; /* it has gone */
	nt_restrict(&restriction, &process, false, &out);
	assert_int_equal(out.process.method_count, 0);
	assert_int_equal(out.process.window_samples_milli, 0);
	nt_restricted_fini(&out);
}

static void shares_become_those_of_the_module(void **state)
{
	(void)state;
	const struct nt_restriction restriction = { .part = NT_PART_MODULE, .named = true, .name = "App" };
	struct nt_restricted out = { 0 };
	nt_restrict(&restriction, &process, false, &out);
	assert_int_equal(out.process.method_count, 2);
	assert_int_equal((int)out.process.methods[0].self_pct, 75);
	assert_int_equal((int)out.process.methods[1].all_self_pct, 25);
	assert_true(out.process.methods[1].total_unknown);
	assert_int_equal(out.process.samples_all, 40);
	nt_restricted_fini(&out);
}

static void no_module_is_a_part_too(void **state)
{
	(void)state;
	const struct nt_restriction restriction = { .part = NT_PART_MODULE };
	struct nt_restricted out = { 0 };
	nt_restrict(&restriction, &process, false, &out);
	assert_int_equal(out.process.method_count, 1);
	assert_int_equal(out.process.methods[0].id, 4);
	assert_int_equal((int)out.process.methods[0].self_pct, 0); /* of no samples */
	nt_restricted_fini(&out);
}

static void a_kind_is_a_part(void **state)
{
	(void)state;
	const struct nt_restriction restriction = { .part = NT_PART_KIND, .kind = NT_CODE_NATIVE };
	struct nt_restricted out = { 0 };
	nt_restrict(&restriction, &process, false, &out);
	assert_int_equal(out.process.method_count, 1);
	assert_int_equal((int)out.process.methods[0].self_pct, 100);
	nt_restricted_fini(&out);
}

static void assert_side(enum nt_part part, const struct nt_process_snapshot *of, bool wide, const char *title, size_t rows)
{
	const struct nt_restriction restriction = { .part = part };
	struct nt_restricted out = { 0 };
	struct nt_line line = { 0 };
	nt_restrict(&restriction, of, false, &out);
	assert_int_equal(out.process.method_count, rows);
	nt_restricted_fini(&out);
	const struct nt_side_shares shares = nt_side_shares_of_methods(&of->pause_samples);
	nt_restriction_text(&restriction, &shares, wide, &line);
	assert_string_equal(line.text, title);
}

static void the_sides_of_pauses_have_their_shares(void **state)
{
	(void)state;
	struct nt_process_snapshot of = process;
	assert_side(NT_PART_PAUSES, &of, false, "only in pauses, not told", 0);
	of.pause_samples = (struct nt_pause_samples){ .told = true,
						      .parts = {
							      [NT_IN_PAUSES] = { .hot = hot, .hot_count = 2, .window_samples = 80 },
							      [NT_OUTSIDE_PAUSES] = { .hot = hot, .hot_count = 1, .window_samples = 240 },
						      } };
	assert_side(NT_PART_PAUSES, &of, false, "only in pauses, 25.0%", 2);
	assert_side(NT_PART_OUTSIDE, &of, false, "only outside pauses, 75.0%", 1);
	of.pause_samples.told = false; /* what is known is of before */
	assert_side(NT_PART_OUTSIDE, &of, true, "only outside pauses, 75.0%, not told", 1);
	assert_side(NT_PART_OUTSIDE, &of, false, "only outside pauses, not told", 1);
}

/* Among the call stacks are those of which it is not told, and the shares are of all. */
static void the_sides_of_stacks_have_theirs_of_all(void **state)
{
	(void)state;
	const struct nt_stack_tree tree = { .samples = 200, .side_samples = { 100, 20, 80 } };
	const struct nt_side_shares shares = nt_side_shares_of_stacks(&tree);
	const struct nt_restriction in = { .part = NT_PART_PAUSES };
	struct nt_line line = { 0 };
	nt_restriction_text(&in, &shares, false, &line);
	assert_string_equal(line.text, "only in pauses, 10.0%");
}

/* Enter on a row that stands for several threads shows the methods of one of them: the title says so. */
static void assert_thread_title(const struct nt_thread_row *row, bool wide, const char *expected)
{
	struct nt_restriction restriction;
	struct nt_line title = { 0 };
	assert_true(nt_view_threads.part(row, NT_PART_THREAD, &restriction));
	const struct nt_side_shares none = { 0 };
	nt_restriction_text(&restriction, &none, wide, &title);
	assert_string_equal(title.text, expected);
}

static void the_first_of_several_threads_says_that_it_is(void **state)
{
	(void)state;
	const struct nt_thread_row folded = { .id = 1, .tid = 77, .name = "tool", .alike = { .count = 3 } };
	assert_thread_title(&folded, false, "only t77, first of 3");
	assert_thread_title(&folded, true, "only t77, first of 3 tool");
	const struct nt_thread_row single = { .id = 1, .tid = 77, .name = "tool", .alike = { .count = 1 } };
	assert_thread_title(&single, true, "only t77 tool");
	const struct nt_thread_row own = { .id = 1, .tid = 77, .name = "tool" };
	assert_thread_title(&own, false, "only t77");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_has_its_own_shares),
		cmocka_unit_test(the_sides_of_pauses_have_their_shares),
		cmocka_unit_test(the_sides_of_stacks_have_theirs_of_all),
		cmocka_unit_test(in_a_span_they_are_of_the_span),
		cmocka_unit_test(a_thread_without_samples_has_no_rows),
		cmocka_unit_test(shares_become_those_of_the_module),
		cmocka_unit_test(no_module_is_a_part_too),
		cmocka_unit_test(a_kind_is_a_part),
		cmocka_unit_test(the_first_of_several_threads_says_that_it_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
