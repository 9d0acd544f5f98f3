// SPDX-License-Identifier: GPL-2.0-only
/* The hottest methods of the threads of a span, and of the sides of the pauses, out of its call tree. */
#include "build.h"

#include "base/arena.h"
#include "model/past/span_hot.h"

enum { WORKER, PAUSED_WORKER, OTHER, MAIN, BURST, BURST_TIER0, EVICTED, FRAMES };

static const struct nt_stack_frame frames[FRAMES] = {
	[WORKER] = { .sort = NT_FRAME_THREAD, .id = 71, .tid = 7, .side = NT_OUTSIDE_PAUSES },
	[PAUSED_WORKER] = { .sort = NT_FRAME_THREAD, .id = 71, .tid = 7, .side = NT_IN_PAUSES },
	[OTHER] = { .sort = NT_FRAME_THREAD, .id = 72, .tid = 8, .side = NT_OUTSIDE_PAUSES },
	[MAIN] = { .id = 1, .name = "Shop.Main()" },
	[BURST] = { .id = 2, .name = "Shop.Burst()", .tier = NT_TIER_1 },
	[BURST_TIER0] = { .id = 2, .name = "Shop.Burst()", .tier = NT_TIER_0 },
	[EVICTED] = { .sort = NT_FRAME_EVICTED },
};

static const struct nt_stack_node nodes[] = {
	{ NT_STACK_ROOT, WORKER, 0 },        /* 0 */
	{ 0, MAIN, 2 },                      /* 1 */
	{ 1, BURST, 5 },                     /* 2 */
	{ 2, BURST_TIER0, 1 },               /* 3 */
	{ 1, EVICTED, 2 },                   /* 4 */
	{ NT_STACK_ROOT, PAUSED_WORKER, 0 }, /* 5 */
	{ 5, MAIN, 10 },                     /* 6 */
	{ NT_STACK_ROOT, OTHER, 0 },         /* 7 */
	{ 7, BURST, 4 },                     /* 8 */
	{ NT_STACK_ROOT, EVICTED, 3 },       /* 9 */
};

enum { NODES = sizeof(nodes) / sizeof(nodes[0]) };

struct span {
	struct nt_thread_row threads[3];
	struct nt_process_snapshot process;
	struct nt_arena *arena;
};

static struct span made(void)
{
	return (struct span){ .threads = { { .id = 73 }, { .id = 71 }, { .id = 72 } },
			      .process = { .thread_count = 3,
					   .stacks = { .wanted = NT_STACKS_SIDES,
						       .frames = frames,
						       .frame_count = FRAMES,
						       .nodes = nodes,
						       .node_count = NODES,
						       .samples = 27 } },
			      .arena = nt_arena_new() };
}

static void assert_hot(const struct nt_hot_method *hot, uint64_t method, double samples, double of)
{
	assert_int_equal(hot->method_id, method);
	assert_near(hot->samples, samples);
	assert_near(hot->pct, 100 * samples / of);
}

static void each_thread_and_each_side_has_its_own(void **state)
{
	(void)state;
	struct span span = made();
	span.process.threads = span.threads;
	nt_span_hot_fill(span.arena, &span.process);
	assert_int_equal(span.threads[0].hot_count, 0);
	assert_int_equal(span.threads[1].hot_count, 2);
	assert_near(span.threads[1].window_samples, 20);
	assert_hot(&span.threads[1].hot[0], 1, 12, 20);
	assert_hot(&span.threads[1].hot[1], 2, 6, 20); /* of both tiers; what was evicted is of no method */
	assert_int_equal(span.threads[2].hot_count, 1);
	assert_hot(&span.threads[2].hot[0], 2, 4, 4);
	const struct nt_pause_part *parts = span.process.pause_samples.parts;
	assert_hot(&parts[NT_IN_PAUSES].hot[0], 1, 10, 10);
	assert_int_equal(parts[NT_OUTSIDE_PAUSES].hot_count, 2);
	assert_hot(&parts[NT_OUTSIDE_PAUSES].hot[0], 2, 10, 14);
	assert_hot(&parts[NT_OUTSIDE_PAUSES].hot[1], 1, 2, 14);
	assert_true(span.process.pause_samples.told);
	nt_arena_free(span.arena);
}

static void as_many_as_an_interval_has(void **state)
{
	(void)state;
	enum { MANY = 3 * NT_HOT_METHODS };
	static struct nt_stack_frame many[MANY + 1];
	static struct nt_stack_node leaves[MANY + 1];
	struct span span = made();
	many[0] = (struct nt_stack_frame){ .sort = NT_FRAME_THREAD, .id = 72, .side = NT_SIDE_NOT_TOLD };
	leaves[0] = (struct nt_stack_node){ NT_STACK_ROOT, 0, 0 };
	for (uint32_t i = 1; i <= MANY; i++) {
		many[i] = (struct nt_stack_frame){ .id = i };
		leaves[i] = (struct nt_stack_node){ 0, i, i };
	}
	span.process.threads = span.threads;
	span.process.stacks = (struct nt_stack_tree){ .frames = many, .nodes = leaves, .node_count = MANY + 1, .samples = 1 };
	nt_span_hot_fill(span.arena, &span.process);
	assert_int_equal(span.threads[2].hot_count, NT_HOT_METHODS);
	for (unsigned i = 0; i < NT_HOT_METHODS; i++)
		assert_int_equal(span.threads[2].hot[i].method_id, MANY - i);
	/* They are on neither side. */
	assert_false(span.process.pause_samples.told);
	assert_int_equal(span.process.pause_samples.parts[NT_OUTSIDE_PAUSES].hot_count, 0);
	nt_arena_free(span.arena);
}

static void without_samples_nothing_is_told(void **state)
{
	(void)state;
	struct span span = made();
	span.process.threads = span.threads;
	span.process.stacks = (struct nt_stack_tree){ 0 };
	nt_span_hot_fill(span.arena, &span.process);
	assert_int_equal(span.threads[1].hot_count, 0);
	assert_false(span.process.pause_samples.told);
	nt_arena_free(span.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_thread_and_each_side_has_its_own),
					    cmocka_unit_test(as_many_as_an_interval_has),
					    cmocka_unit_test(without_samples_nothing_is_told) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
