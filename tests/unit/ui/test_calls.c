// SPDX-License-Identifier: GPL-2.0-only
/* Call trees made of stacks: what is added up, what is shown, what is open. */
#include "ui/calls/calls.h"

#include "ui/views/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { T1, T2, MAIN, A, A_OLD, B, LIB, GC, GC_INNER, KERNEL };

static const struct nt_stack_frame frames[] = {
	[T1] = { .sort = NT_FRAME_THREAD, .id = UINT64_C(1) << 32, .tid = 11, .name = "one" },
	[T2] = { .sort = NT_FRAME_THREAD, .id = UINT64_C(2) << 32, .tid = 22, .name = "two" },
	[MAIN] = { .id = 1, .name = "Main", .module = "App", .own = true, .kind = NT_CODE_JIT, .tier = NT_TIER_0 },
	[A] = { .id = 2, .name = "A", .module = "App", .own = true, .kind = NT_CODE_JIT, .tier = NT_TIER_1 },
	[A_OLD] = { .id = 2, .name = "A", .module = "App", .own = true, .kind = NT_CODE_JIT, .tier = NT_TIER_0 },
	[B] = { .id = 3, .name = "B", .module = "App", .own = true, .kind = NT_CODE_JIT, .tier = NT_TIER_1 },
	[LIB] = { .id = 4, .name = "memcpy", .module = "libc.so.6", .kind = NT_CODE_NATIVE },
	[GC] = { .id = 5, .name = "allocate", .module = "libcoreclr.so", .kind = NT_CODE_RUNTIME },
	[GC_INNER] = { .id = 6, .name = "more_space", .module = "libcoreclr.so", .kind = NT_CODE_RUNTIME },
	[KERNEL] = { .id = 7, .name = "clear_page", .module = "[kernel]", .kind = NT_CODE_KERNEL },
};

/* one: Main > A > B > A > memcpy; two: Main > A (an older tier) > allocate > more_space > clear_page */
static const struct nt_stack_node nodes[] = {
	{ NT_STACK_ROOT, T1, 0 }, { 0, MAIN, 10 }, { 1, A, 20 },     { 2, B, 5 },  { 3, A, 15 },       { 4, LIB, 10 },
	{ NT_STACK_ROOT, T2, 0 }, { 6, MAIN, 5 },  { 7, A_OLD, 10 }, { 8, GC, 3 }, { 9, GC_INNER, 2 }, { 10, KERNEL, 20 },
};
static const struct nt_stack_tree tree = { .wanted = NT_STACKS_WINDOW,
					   .frames = frames,
					   .frame_count = sizeof(frames) / sizeof(frames[0]),
					   .nodes = nodes,
					   .node_count = sizeof(nodes) / sizeof(nodes[0]),
					   .samples = 100 };
static const struct nt_restriction nothing = { .part = NT_PART_ALL };
static const struct nt_stack_tree *shown = &tree;
static struct nt_calls calls;
static unsigned hide;

static void build(void)
{
	static const struct nt_column_context context = { .window = NT_WINDOW_RECENT };
	const struct nt_calls_order order = { .sort = &nt_table_calls.columns[0], .context = &context };
	nt_calls_build(&calls, shown, hide, &order);
}

static void enter(int frame)
{
	const struct nt_method_row method = { .id = frames[frame].id, .name = frames[frame].name, .kind = frames[frame].kind };
	hide = 0;
	nt_calls_fini(&calls);
	nt_calls_enter(&calls, &method, &nothing);
	build();
}

static void open_all(void)
{
	nt_calls_toggle_branch(&calls, calls.rows);
	build();
}

static void check_row(size_t index, uint32_t depth, const char *name, int total, int self)
{
	assert_true(index < calls.count);
	const struct nt_call_row *row = &calls.rows[index];
	assert_string_equal(row->frame->name, name);
	assert_int_equal(row->depth, depth);
	assert_int_equal((int)(row->total + 0.5), total);
	assert_int_equal((int)(row->self + 0.5), self);
}

static void recursion_counts_once(void **state)
{
	(void)state;
	enter(A);
	open_all();
	check_row(0, 0, "A", 85, 30);
	check_row(1, 1, "B", 30, 5);
	check_row(2, 2, "A", 25, 15);
	check_row(3, 3, "memcpy", 10, 10);
	check_row(4, 1, "allocate", 25, 5);
	check_row(5, 2, "clear_page", 20, 20);
	assert_int_equal(calls.count, 6);
	assert_int_equal((int)(calls.rows[0].total_pct + 0.5), 85);
}

/* Once: who turns it back sees that it calls nothing. */
static void who_calls_nothing_shows_its_callers(void **state)
{
	(void)state;
	enter(KERNEL);
	assert_true(calls.callers && calls.count > 1);
	check_row(0, 0, "clear_page", 20, 20);
	nt_calls_turn(&calls);
	build();
	assert_false(calls.callers);
	assert_int_equal(calls.count, 1);
	build();
	assert_false(calls.callers);
	enter(MAIN);
	assert_false(calls.callers);
}

static void tiers_of_a_method_are_one_row(void **state)
{
	(void)state;
	enter(MAIN);
	check_row(0, 0, "Main", 100, 15);
	check_row(1, 1, "A", 85, 30);
	assert_int_equal(calls.rows[1].tier, NT_TIER_1); /* 50 of the 85 */
}

static void callers_share_the_samples(void **state)
{
	(void)state;
	enter(A);
	nt_calls_turn(&calls);
	build();
	open_all();
	check_row(0, 0, "A", 85, 45);
	check_row(1, 1, "Main", 60, 30); /* where it is the innermost A: 25 under B are not here */
	check_row(2, 2, "two", 35, 10);
	check_row(3, 2, "one", 25, 20);
	check_row(4, 1, "B", 25, 15);
	check_row(5, 2, "A", 25, 15);
}

static void the_runtimes_own_unfolds(void **state)
{
	(void)state;
	enter(A);
	calls.unfolded = true;
	build();
	open_all();
	check_row(4, 1, "allocate", 25, 3);
	check_row(5, 2, "more_space", 22, 2);
	check_row(6, 3, "clear_page", 20, 20);
	/* A function of the runtime itself is looked at with all that it calls. */
	enter(GC);
	check_row(1, 1, "more_space", 22, 2);
}

static void parts(void **state)
{
	(void)state;
	const struct nt_restriction thread = { .part = NT_PART_THREAD, .thread_id = frames[T2].id },
				    module = { .part = NT_PART_MODULE, .named = true, .name = "App" };
	enter(A);
	nt_calls_restrict(&calls, &thread);
	build();
	check_row(0, 0, "A", 35, 10);
	assert_int_equal((int)(calls.rows[0].total_pct * 2 + 0.5), 175); /* 35 of the thread's 40 */
	nt_calls_restrict(&calls, &module);
	build();
	open_all();
	assert_int_equal(calls.count, 3); /* A > B > A */
	nt_calls_widen(&calls);
	hide = NT_HIDE_KERNEL;
	build();
	open_all();
	check_row(4, 1, "allocate", 25, 5);
	assert_int_equal(calls.count, 5);
}

/* one and two as before, but that two was in a pause; one was in a pause, too, in A, and some of it nobody told of. Threads that were cut off are of no side. */
static void the_sides_of_the_pauses(void **state)
{
	(void)state;
	enum { COUNT = sizeof(nodes) / sizeof(nodes[0]), FRAMES = sizeof(frames) / sizeof(frames[0]), T1_IN = FRAMES, T1_UNTOLD, CUT };
	struct nt_stack_frame sided_frames[FRAMES + 3];
	struct nt_stack_node sided_nodes[COUNT + 7] = { 0 };
	memcpy(sided_frames, frames, sizeof(frames));
	memcpy(sided_nodes, nodes, sizeof(nodes));
	sided_frames[T1].side = NT_OUTSIDE_PAUSES;
	sided_frames[T2].side = NT_IN_PAUSES;
	sided_frames[T1_IN] = sided_frames[T1_UNTOLD] = frames[T1];
	sided_frames[T1_IN].side = NT_IN_PAUSES;
	sided_frames[CUT] = (struct nt_stack_frame){ .sort = NT_FRAME_EVICTED, .name = "(evicted)" };
	const struct nt_stack_node more[] = {
		{ NT_STACK_ROOT, T1_IN, 0 }, { COUNT, MAIN, 0 },   { COUNT + 1, A, 40 },       { NT_STACK_ROOT, T1_UNTOLD, 0 },
		{ COUNT + 3, MAIN, 0 },      { COUNT + 4, A, 50 }, { NT_STACK_ROOT, CUT, 10 },
	};
	memcpy(sided_nodes + COUNT, more, sizeof(more));
	struct nt_stack_tree sided = tree;
	sided.frames = sided_frames;
	sided.frame_count = FRAMES + 3;
	sided.nodes = sided_nodes;
	sided.node_count = COUNT + 7;
	sided.samples = 200;
	shown = &sided;
	const struct nt_restriction in = { .part = NT_PART_PAUSES }, outside = { .part = NT_PART_OUTSIDE };
	enter(A);
	check_row(0, 0, "A", 85 + 40 + 50, 30 + 40 + 50);
	assert_int_equal((int)(calls.rows[0].total_pct * 2 + 0.5), 175); /* 175 of all 200 */
	nt_calls_restrict(&calls, &in);
	build();
	check_row(0, 0, "A", 75, 50);
	assert_int_equal((int)(calls.rows[0].total_pct * 2 + 0.5), 188); /* 75 of 80 */
	nt_calls_restrict(&calls, &outside);
	build();
	check_row(0, 0, "A", 50, 20);
	assert_int_equal((int)(calls.rows[0].total_pct * 3 + 0.5), 250); /* 50 of 60 */
	/* Of all together the roots of a thread are one row; it is the thread of most samples, though none of its sides is. */
	nt_calls_widen(&calls);
	nt_calls_turn(&calls);
	build();
	open_all();
	check_row(1, 1, "Main", 150, 120);
	check_row(2, 2, "one", 115, 110);
	check_row(3, 2, "two", 35, 10);
	assert_int_equal(nt_calls_thread_of(&calls, &sided, hide, &calls.rows[0])->tid, 11);
	shown = &tree;
}

/* What the program's methods call of others is theirs, by whichever way one looks. */
static void only_my_code_and_what_it_takes(void **state)
{
	(void)state;
	enter(A);
	hide = NT_HIDE_FOREIGN;
	build();
	open_all();
	check_row(0, 0, "A", 85, 55);
	check_row(1, 1, "B", 30, 5);
	check_row(2, 2, "A", 25, 25);
	assert_int_equal(calls.count, 3);
	nt_calls_turn(&calls);
	build();
	open_all();
	check_row(0, 0, "A", 85, 80);
	/* Who entered it is looked at, whosever it is; between it and the thread the program's methods only. */
	enter(KERNEL);
	hide = NT_HIDE_FOREIGN;
	build();
	open_all();
	check_row(0, 0, "clear_page", 20, 20);
	check_row(1, 1, "A", 20, 20);
	check_row(2, 2, "Main", 20, 20);
	check_row(3, 3, "two", 20, 20);
}

static void a_row_becomes_the_top(void **state)
{
	(void)state;
	enter(MAIN);
	open_all();
	check_row(2, 2, "B", 30, 5);
	uint64_t id = calls.rows[2].id;
	assert_true(nt_calls_zoom(&calls, &calls.rows[2]));
	build();
	check_row(0, 0, "B", 30, 5);
	check_row(1, 1, "A", 25, 15);
	assert_true(calls.rows[0].id == id); /* what was open stays so */
	const struct nt_stack_frame *thread = nt_calls_thread_of(&calls, &tree, hide, &calls.rows[1]);
	assert_non_null(thread);
	assert_int_equal(thread->tid, 11);
	nt_calls_widen(&calls);
	build();
	check_row(0, 0, "Main", 100, 15);
}

/* Nothing of it is left in another snapshot: the row at the top stays. */
static void what_is_gone_is_zero(void **state)
{
	(void)state;
	static const struct nt_stack_tree empty = { .wanted = NT_STACKS_WINDOW };
	static const struct nt_column_context context = { .window = NT_WINDOW_RECENT };
	const struct nt_calls_order order = { .sort = &nt_table_calls.columns[0], .context = &context };
	enter(MAIN);
	open_all();
	assert_true(nt_calls_zoom(&calls, &calls.rows[2]));
	nt_calls_build(&calls, &empty, 0, &order);
	assert_int_equal(calls.count, 1);
	assert_string_equal(calls.rows[0].frame->name, "B");
	assert_false(calls.rows[0].known);
	assert_null(nt_calls_thread_of(&calls, &empty, 0, &calls.rows[0]));
}

static void opening_and_closing(void **state)
{
	(void)state;
	enter(A);
	/* The hottest path is open from the start: nothing below A has more than half of it. */
	assert_int_equal(calls.count, 3);
	assert_true(calls.rows[0].open && !calls.rows[1].open);
	nt_calls_open(&calls, &calls.rows[1], true);
	build();
	assert_int_equal(calls.count, 4);
	nt_calls_open(&calls, &calls.rows[1], false);
	build();
	assert_int_equal(calls.count, 3);
	open_all();
	assert_int_equal(calls.count, 6);
	open_all();
	assert_int_equal(calls.count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion_counts_once),          cmocka_unit_test(who_calls_nothing_shows_its_callers),
		cmocka_unit_test(tiers_of_a_method_are_one_row),  cmocka_unit_test(callers_share_the_samples),
		cmocka_unit_test(the_runtimes_own_unfolds),       cmocka_unit_test(parts),
		cmocka_unit_test(only_my_code_and_what_it_takes), cmocka_unit_test(a_row_becomes_the_top),
		cmocka_unit_test(what_is_gone_is_zero),           cmocka_unit_test(opening_and_closing),
		cmocka_unit_test(the_sides_of_the_pauses),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	nt_calls_fini(&calls);
	return failed;
}
