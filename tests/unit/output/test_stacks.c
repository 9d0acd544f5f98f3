// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each format of call stacks against tests/data/stacks/: a small program, and one whose texts try to be more than text. `test_stacks --update` writes these
 * files anew; read the difference. tests/live/test_stacks_out.py has them read by programs that are not ours.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/stacks/stacks_layout.h"
#include "output/stacks/stacks_parts.h"
#include "output/stacks/stacks_side.h"
#include "output/stacks/stacks_write.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define THREAD(name_, tid_)                                                                                                                \
	{                                                                                                                                  \
		.sort = NT_FRAME_THREAD, .name = (name_), .tid = (tid_)                                                                    \
	}
enum { TOP = NT_STACK_ROOT };

static bool updating;

/* ---- a small program: two threads of the same name, a method in two tiers, kernel, native code, R2R, a stub ---- */

static const struct nt_stack_frame shop_frames[] = {
	THREAD("shop", 4711),
	THREAD(".NET TP Worker", 4715),
	THREAD(".NET TP Worker", 4714),
	THREAD(NULL, 4716),
	{ .name = "start_thread", .module = "libc.so.6", .kind = NT_CODE_NATIVE }, /* 4 */
	{ .name = "Shop.Cart.Total(ref Cart)",
	  .raw_name = "instance int32 [Shop] Shop.Cart::Total(class Shop.Cart&)[Tier0]",
	  .module = "Shop",
	  .kind = NT_CODE_JIT,
	  .tier = NT_TIER_0 },
	{ .name = "Shop.Cart.Total(ref Cart)", /* 6 */
	  .raw_name = "instance int32 [Shop] Shop.Cart::Total(class Shop.Cart&)[OptimizedTier1]",
	  .module = "Shop",
	  .kind = NT_CODE_JIT,
	  .tier = NT_TIER_1 },
	{ .name = "System.String.Concat(string, string)", .module = "System.Private.CoreLib", .kind = NT_CODE_R2R },
	{ .name = "libcoreclr.so+0x1234", .module = "libcoreclr.so", .reason = "no symbols", .kind = NT_CODE_RUNTIME }, /* 8 */
	{ .name = "clear_page_erms", .module = "[kernel]", .kind = NT_CODE_KERNEL },
	{ .name = "VSD_DispatchStub", .kind = NT_CODE_STUB }, /* 10 */
	{ .name = "[no call chain]", .reason = "the kernel gave none", .kind = NT_CODE_UNKNOWN },
	{ .sort = NT_FRAME_EVICTED, .name = "(evicted)" }, /* 12 */
};
static const struct nt_stack_node shop_nodes[] = {
	{ TOP, 0, 0 }, { TOP, 1, 0 }, { TOP, 2, 0 }, { TOP, 3, 0 }, { 1, 4, 0 },   { 4, 5, 3 },  { 4, 6, 20 }, { 6, 7, 7 },
	{ 7, 8, 2 },   { 8, 9, 11 },  { 2, 4, 1 },   { 10, 6, 4 },  { 11, 10, 1 }, { 0, 11, 5 }, { 3, 9, 2 },  { 11, 12, 6 },
};
static const struct nt_stack_tree shop_tree = { .wanted = NT_STACKS_ALL,
						.frames = shop_frames,
						.frame_count = LENGTH(shop_frames),
						.nodes = shop_nodes,
						.node_count = LENGTH(shop_nodes),
						.samples = 62,
						.evicted = 6 };
static const struct nt_stacks shop = {
	.tree = &shop_tree, .pid = 4711, .process_name = "shop", .t0 = 5000000000, .t1 = 6000000000, .period_ns = 1001001
};

/* ---- recursion below the runtime's own frames, and a thread that never comes to managed code ---- */

static const struct nt_stack_frame deep_frames[] = {
	THREAD("main", 4711),
	THREAD(".NET Server GC", 4712),
	{ .id = 1, .name = "start_thread", .module = "libc.so.6", .kind = NT_CODE_NATIVE }, /* 2 */
	{ .id = 2, .name = "libcoreclr.so!0x1000", .module = "libcoreclr.so", .kind = NT_CODE_RUNTIME },
	{ .id = 3, .name = "libcoreclr.so!0x2000", .module = "libcoreclr.so", .kind = NT_CODE_RUNTIME }, /* 4 */
	{ .id = 4, .name = "Shop.Program.Main()", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_0 },
	{ .id = 5, .name = "Shop.Tree.Walk(Node)", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_0 }, /* 6 */
	{ .id = 5, .name = "Shop.Tree.Walk(Node)", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_1 },
	{ .id = 6, .name = "System.String.Concat(string, string)", .module = "System.Private.CoreLib", .kind = NT_CODE_R2R }, /* 8 */
	{ .id = 7, .name = "libcoreclr.so!0x3000", .module = "libcoreclr.so", .kind = NT_CODE_RUNTIME },
};
static const struct nt_stack_node deep_nodes[] = {
	{ TOP, 0, 0 }, { 0, 2, 0 }, { 1, 3, 1 },  { 2, 4, 0 },  { 3, 5, 2 }, { 4, 6, 0 },   { 5, 7, 0 },  { 6, 7, 0 },
	{ 7, 7, 0 },   { 8, 7, 4 }, { 9, 8, 40 }, { 7, 8, 10 }, { 2, 9, 3 }, { TOP, 1, 0 }, { 13, 2, 0 }, { 14, 9, 20 },
};
static const struct nt_stack_tree deep_tree = { .wanted = NT_STACKS_ALL,
						.frames = deep_frames,
						.frame_count = LENGTH(deep_frames),
						.nodes = deep_nodes,
						.node_count = LENGTH(deep_nodes),
						.samples = 80 };
static const struct nt_stacks recursive = { .tree = &deep_tree, .pid = 4711, .process_name = "shop", .t1 = 1000, .period_ns = 1001001 };

/* ---- texts that would be more than text ---- */

static const struct nt_stack_frame hostile_frames[] = {
	THREAD("x;y 3\n", 1),
	THREAD("", 2),
	THREAD("\xf0\x9f\x98\x80<&>\"", 3),
	{ .name = "A;B 12\nmain 1/1 0.0: 9 x:", .module = "a b (c)\n", .kind = NT_CODE_JIT, .tier = NT_TIER_OSR },
	{ .name = "</title></text><script>alert(\"&amp;\")</script>]]>",
	  .module = "\"\\\x1b[2J",
	  .reason = "<!-- -->",
	  .kind = NT_CODE_NATIVE },
	{ .name = "\xff\xfe\xef\xbf\xbf\xef\xbf\xbe\xe2\x80\xae", .kind = NT_CODE_KERNEL },
	{ .name = "", .kind = NT_CODE_UNKNOWN },
};
static const struct nt_stack_node hostile_nodes[] = { { TOP, 0, 0 }, { TOP, 1, 0 }, { TOP, 2, 0 }, { 0, 3, 1 },
						      { 3, 4, 2 },   { 1, 5, 3 },   { 2, 6, 4 } };
static const struct nt_stack_tree hostile_tree = { .wanted = NT_STACKS_ALL,
						   .frames = hostile_frames,
						   .frame_count = LENGTH(hostile_frames),
						   .nodes = hostile_nodes,
						   .node_count = LENGTH(hostile_nodes),
						   .samples = 10 };
static const struct nt_stacks hostile = { .tree = &hostile_tree, .pid = 1, .process_name = "<b>&\"\n", .t1 = 1000 };

/* ---- two things that happened, in one thread and in two; of one of them there are bytes ---- */

static const struct nt_stack_frame event_frames[] = {
	THREAD("main", 4711),
	{ .sort = NT_FRAME_THREAD, .name = "main", .tid = 4711, .what = 1 },
	{ .sort = NT_FRAME_THREAD, .name = "Pool 3", .tid = 4712, .what = 1 },
	{ .id = 1, .name = "Shop.Program.Main()", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_0 },
	{ .id = 2, .name = "malloc", .module = "libc.so.6", .kind = NT_CODE_NATIVE },
};
static const struct nt_stack_node event_nodes[] = { { TOP, 0, 0 }, { 0, 3, 0 },   { 1, 4, 3 }, { TOP, 1, 0 },
						    { 3, 3, 20 },  { TOP, 2, 0 }, { 5, 3, 7 } };
static const struct nt_stack_tree event_tree = { .wanted = NT_STACKS_ALL,
						 .frames = event_frames,
						 .frame_count = LENGTH(event_frames),
						 .nodes = event_nodes,
						 .node_count = LENGTH(event_nodes),
						 .samples = 30 };
static const struct nt_stacks_event event_names[] = { { "u:libc.so.6:malloc", "count" }, { "clr:GCAllocationTick", "bytes" } };
static const struct nt_stacks events = {
	.tree = &event_tree, .pid = 4711, .process_name = "shop", .t1 = 1000, .events = event_names, .event_count = LENGTH(event_names)
};

static const struct nt_stack_tree no_tree = { .wanted = NT_STACKS_ALL };
static const struct nt_stacks nothing = { .tree = &no_tree, .pid = 4711, .process_name = "idle" };

static const struct stacks_case {
	const char *name;
	const struct nt_stacks *stacks;
} cases[] = { { "shop", &shop }, { "recursive", &recursive }, { "hostile", &hostile }, { "nothing", &nothing }, { "events", &events } };

/* ---- as files ---- */

static int by_time(const void *a, const void *b)
{
	const struct nt_stack_moment *x = a, *y = b;
	return x->time != y->time ? (x->time < y->time ? -1 : 1) : x->node < y->node ? -1 : x->node > y->node;
}

/* As if each thread's samples had been taken one a period from t0 on, in order of the nodes. */
static uint32_t take_moments(const struct nt_stacks *stacks, struct nt_stack_moment moments[200])
{
	uint32_t *threads = nt_stacks_threads(stacks->tree), taken[32] = { 0 }, count = 0;
	for (uint32_t n = 0; n < stacks->tree->node_count; n++) {
		uint64_t samples = nt_stacks_samples(&stacks->tree->nodes[n]);
		for (uint64_t i = 0; i < samples; i++) {
			nt_time time = stacks->t0 + taken[threads[n]]++ * (stacks->period_ns ? stacks->period_ns : 1);
			moments[count++] = (struct nt_stack_moment){ time, n, 1 };
		}
	}
	free(threads);
	qsort(moments, count, sizeof(*moments), by_time);
	return count;
}

static char *written(enum nt_stacks_format format, const struct nt_stacks *stacks, size_t *size)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, size);
	struct nt_stack_moment moments[200];
	struct nt_stack_tree tree = *stacks->tree;
	struct nt_stacks timed = *stacks;
	tree.moments = moments;
	tree.moment_count = take_moments(stacks, moments);
	timed.tree = &tree;
	assert_non_null(out);
	nt_stacks_write(out, format, &timed);
	assert_false(ferror(out));
	fclose(out);
	return bytes;
}

static void update(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

static void check_file(const struct stacks_case *c, enum nt_stacks_format format)
{
	static char expected[65536];
	char path[128];
	size_t size;
	char *bytes = written(format, c->stacks, &size);
	snprintf(path, sizeof(path), "tests/data/stacks/%s.%s", c->name, nt_stacks_format_name(format));
	if (updating)
		update(path, bytes, size);
	FILE *file = fopen(path, "r");
	if (!file)
		fail_msg("%s cannot be read (run from the top of the repository)", path);
	size_t expected_size = fread(expected, 1, sizeof(expected), file);
	fclose(file);
	if (size != expected_size || memcmp(bytes, expected, size) != 0)
		fail_msg("not as in %s:\n%.*s", path, nt_stacks_format_is_binary(format) ? 0 : (int)size, bytes);
	free(bytes);
}

static void test_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++)
		for (int format = 0; format < NT_STACKS_AS_COUNT; format++)
			check_file(&cases[i], (enum nt_stacks_format)format);
}

static void test_names(void **state)
{
	(void)state;
	for (int format = 0; format < NT_STACKS_AS_COUNT; format++)
		assert_int_equal(nt_stacks_format_of(nt_stacks_format_name((enum nt_stacks_format)format)), format);
	assert_int_equal(nt_stacks_format_of("svg"), NT_STACKS_AS_COUNT);
}

static void test_folding(void **state)
{
	(void)state;
	/* Of each node: its row, whether it is folded, and how many are folded into it. */
	static const struct {
		uint32_t row;
		bool folded;
		uint32_t folds;
	} expected[LENGTH(deep_nodes)] = {
		{ 0, false, 3 }, { 0, true, 2 },  { 0, true, 1 },  { 0, true, 0 },  { 1, false, 0 }, { 2, false, 4 },
		{ 2, true, 3 },  { 2, true, 2 },  { 2, true, 1 },  { 2, true, 0 },  { 3, false, 0 }, { 3, false, 0 },
		{ 1, false, 0 }, { 0, false, 0 }, { 1, false, 0 }, { 2, false, 0 },
	};
	struct nt_stacks_layout layout;
	nt_stacks_layout_make(&layout, &deep_tree);
	nt_stacks_fold(&layout, &deep_tree);
	for (size_t n = 0; n < LENGTH(expected); n++) {
		assert_int_equal(layout.boxes[n].row, expected[n].row);
		assert_int_equal(layout.boxes[n].folded, expected[n].folded);
		assert_int_equal(layout.boxes[n].folds, expected[n].folds);
	}
	assert_int_equal(layout.folded_deepest, 4);
	nt_stacks_layout_fini(&layout);
}

/* Methods that call each other in turn: what comes before the second round is seen. */
static void test_folding_of_cycles(void **state)
{
	(void)state;
	enum { ROUNDS = 10 };
	static struct nt_stack_node nodes[1 + 2 * ROUNDS];
	nodes[0] = (struct nt_stack_node){ TOP, 0, 0 };
	for (uint32_t n = 1; n < LENGTH(nodes); n++)
		nodes[n] = (struct nt_stack_node){ n - 1, n % 2 ? 5 : 8, 1 };
	const struct nt_stack_tree tree = { .frames = deep_frames,
					    .frame_count = LENGTH(deep_frames),
					    .nodes = nodes,
					    .node_count = LENGTH(nodes),
					    .samples = 2 * ROUNDS };
	struct nt_stacks_layout layout;
	nt_stacks_layout_make(&layout, &tree);
	nt_stacks_fold(&layout, &tree);
	assert_int_equal(layout.folded_deepest, 4);
	nt_stacks_layout_fini(&layout);
}

/* ---- what the formats share ---- */

static void test_layout(void **state)
{
	(void)state;
	struct nt_stacks_layout layout;
	nt_stacks_layout_make(&layout, &shop_tree);
	/* Threads by name, those of one name by number: the one without, two workers, shop. */
	static const uint64_t first[] = { 57, 14, 2, 0 }, count[] = { 5, 43, 12, 2 };
	for (size_t thread = 0; thread < LENGTH(first); thread++) {
		assert_int_equal(layout.boxes[thread].first, first[thread]);
		assert_int_equal(layout.boxes[thread].count, count[thread]);
	}
	assert_int_equal(layout.deepest, 6);
	assert_int_equal(layout.samples, 62);
	for (uint32_t n = 0; n < shop_tree.node_count; n++) {
		const struct nt_stacks_box *box = &layout.boxes[n];
		const struct nt_stacks_box *below = shop_nodes[n].parent == TOP ? NULL : &layout.boxes[shop_nodes[n].parent];
		if (below)
			assert_true(box->first >= below->first && box->first + box->count <= below->first + below->count);
		for (uint32_t other = 0; other < n; other++) {
			const struct nt_stacks_box *beside = &layout.boxes[other];
			if (beside->depth == box->depth)
				assert_true(box->first >= beside->first + beside->count || beside->first >= box->first + box->count);
		}
	}
	nt_stacks_layout_fini(&layout);
}

/* Of a stack that is too deep the outermost frames stay: whose work it was. */
static void test_deep_stack(void **state)
{
	(void)state;
	enum { DEEP = NT_STACKS_DEPTH + 100 };
	static struct nt_stack_node nodes[DEEP];
	uint32_t frames[NT_STACKS_DEPTH];
	for (uint32_t n = 0; n < DEEP; n++)
		nodes[n] = (struct nt_stack_node){ .parent = n ? n - 1 : TOP, .frame = n };
	const struct nt_stack_tree deep = { .nodes = nodes, .node_count = DEEP };
	assert_int_equal(nt_stacks_walk(&deep, DEEP - 1, frames), NT_STACKS_DEPTH);
	assert_int_equal(frames[0], 0);
	assert_int_equal(frames[NT_STACKS_DEPTH - 1], NT_STACKS_DEPTH - 1);
	assert_int_equal(nt_stacks_walk(&deep, 2, frames), 3);
	assert_int_equal(frames[2], 2);
}

/* Two roots of one thread, what was cut off below it, and threads that were: of either side its own, in the same order, with its samples' times. */
static void test_sides(void **state)
{
	(void)state;
	static const struct nt_stack_frame frames[] = {
		{ .sort = NT_FRAME_THREAD, .tid = 1, .side = NT_OUTSIDE_PAUSES },
		{ .sort = NT_FRAME_THREAD, .tid = 1, .side = NT_IN_PAUSES },
		{ .name = "Main" },
		{ .name = "Collect" },
		{ .sort = NT_FRAME_EVICTED, .name = "(evicted)" },
		{ .sort = NT_FRAME_THREAD, .tid = 2 },
	};
	static const struct nt_stack_node nodes[] = { { TOP, 0, 0 }, { 0, 2, 4 }, { TOP, 1, 1 }, { 2, 2, 0 },  { 3, 3, 6 },
						      { 1, 3, 2 },   { 2, 4, 5 }, { TOP, 5, 9 }, { TOP, 4, 7 } };
	static const struct nt_stack_moment moments[] = {
		{ 10, 1, 1 }, { 20, 4, 1 }, { 30, 7, 1 }, { 40, 6, 1 }, { 50, 8, 1 }, { 60, 5, 1 }
	};
	const struct nt_stack_tree tree = { .wanted = NT_STACKS_SIDES_TIMED,
					    .frames = frames,
					    .frame_count = LENGTH(frames),
					    .nodes = nodes,
					    .node_count = LENGTH(nodes),
					    .samples = 34,
					    .evicted = 12,
					    .moments = moments,
					    .moment_count = LENGTH(moments) };
	struct nt_stacks_side side;
	nt_stacks_side_init(&side, &tree, NT_IN_PAUSES);
	static const struct nt_stack_node in[] = { { TOP, 1, 1 }, { 0, 2, 0 }, { 1, 3, 6 }, { 0, 4, 5 } };
	assert_int_equal(side.tree.node_count, LENGTH(in));
	for (size_t i = 0; i < LENGTH(in); i++) {
		assert_int_equal(side.tree.nodes[i].parent, in[i].parent);
		assert_int_equal(side.tree.nodes[i].frame, in[i].frame);
		assert_true(side.tree.nodes[i].self == in[i].self);
	}
	assert_true(side.tree.samples == 12 && side.tree.evicted == 5);
	assert_int_equal(side.tree.moment_count, 2);
	assert_int_equal(side.tree.moments[0].node, 2);
	assert_int_equal(side.tree.moments[1].node, 3);
	assert_int_equal(side.tree.moments[1].time, 40);
	nt_stacks_side_fini(&side);
	nt_stacks_side_init(&side, &tree, NT_OUTSIDE_PAUSES);
	assert_true(side.tree.samples == 6 && side.tree.evicted == 0);
	assert_int_equal(side.tree.moment_count, 2);
	nt_stacks_side_fini(&side);
	nt_stacks_side_init(&side, &no_tree, NT_IN_PAUSES);
	assert_int_equal(side.tree.node_count, 0);
	nt_stacks_side_fini(&side);
}

int main(int argc, char **argv)
{
	updating = argc > 1 && strcmp(argv[1], "--update") == 0;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),   cmocka_unit_test(test_names),
		cmocka_unit_test(test_folding), cmocka_unit_test(test_folding_of_cycles),
		cmocka_unit_test(test_layout),  cmocka_unit_test(test_deep_stack),
		cmocka_unit_test(test_sides),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
