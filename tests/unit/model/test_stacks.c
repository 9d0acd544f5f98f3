// SPDX-License-Identifier: GPL-2.0-only
/* The tree of call stacks: what goes in, where it ends up, and what late names do to it. */
#include "build.h"

struct world {
	struct nt_model *model;
	struct feed perf, codemap;
};

enum { MAIN = 0x7000, WORK = 0x7100, LIBC = 0x400000, CORECLR = 0x500000, FOO = 0x600000 };
#define KERNEL UINT64_C(0xffffffff81000010)

static void begin(struct world *w, enum nt_stacks_wanted wanted)
{
	w->model = new_model();
	keep_stacks(w->model, wanted);
	feed_init(&w->perf, w->model, NT_SOURCE_PERF);
	feed_init(&w->codemap, w->model, NT_SOURCE_CODEMAP);
	delivering(&w->perf);
	delivering(&w->codemap);
	map_image(&w->perf, 1, MAIN, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	map_image(&w->perf, 1, LIBC, 0x10000, "/usr/lib/libc.so.6", NT_MAP_FILE);
	map_image(&w->perf, 1, CORECLR, 0x10000, "/usr/share/dotnet/libcoreclr.so", NT_MAP_FILE);
	map_image(&w->perf, 1, FOO, 0x10000, "/usr/lib/libfoo.so", NT_MAP_FILE);
	code_line(&w->codemap, 0, MAIN, 0x100, "Shop.Main()", NT_TIER_0);
	code_line(&w->codemap, 0, WORK, 0x100, "Shop.Work()", NT_TIER_1);
	feed_send(&w->perf);
	feed_send(&w->codemap);
}

static void end(struct world *w)
{
	feed_fini(&w->perf);
	feed_fini(&w->codemap);
	nt_model_free(w->model);
}

static struct nt_snapshot *close_all(struct world *w, double at_ms)
{
	feed_send(&w->perf);
	feed_send(&w->codemap);
	return close_at(w->model, at_ms);
}

static const struct nt_stack_tree *tree_of(const struct nt_snapshot *s)
{
	return &s->processes[0].stacks;
}

/* What was asked, as it came: [libfoo.so+start, end) has a name. */
static void answer(struct world *w, uint64_t start, uint64_t end_, const char *name)
{
	struct nt_event *e = event(&w->codemap, NT_EV_NAME, 0, 0);
	e->u.name = (struct nt_ev_name){ .inode = 7,
					 .start = start,
					 .end = end_,
					 .image = text(&w->codemap, "/usr/lib/libfoo.so"),
					 .name = text(&w->codemap, name),
					 .kind = NT_CODE_NATIVE };
}

/* Its path, root first, as `name;name;…`; a thread as its tid. */
static void path_of(const struct nt_stack_tree *tree, uint32_t node, char *out, size_t size)
{
	const struct nt_stack_frame *frame = &tree->frames[tree->nodes[node].frame];
	if (tree->nodes[node].parent != NT_STACK_ROOT) {
		assert_true(tree->nodes[node].parent < node);
		path_of(tree, tree->nodes[node].parent, out, size);
		snprintf(out + strlen(out), size - strlen(out), ";%s", frame->name);
		return;
	}
	assert_int_equal(frame->sort, NT_FRAME_THREAD);
	snprintf(out, size, "%u", frame->tid);
}

static enum nt_pause_side side_of(const struct nt_stack_tree *tree, uint32_t node)
{
	while (tree->nodes[node].parent != NT_STACK_ROOT)
		node = tree->nodes[node].parent;
	return tree->frames[tree->nodes[node].frame].side;
}

/* Samples of this side whose path is this one; -1 = there is no such path. */
static double self_on(const struct nt_snapshot *s, enum nt_pause_side side, const char *path)
{
	const struct nt_stack_tree *tree = tree_of(s);
	char text[512];
	for (uint32_t i = 0; i < tree->node_count; i++) {
		path_of(tree, i, text, sizeof(text));
		if (strcmp(text, path) == 0 && side_of(tree, i) == side)
			return tree->nodes[i].self;
	}
	return -1;
}

/* The same where nobody told of pauses. */
static double self_of(const struct nt_snapshot *s, const char *path)
{
	return self_on(s, NT_SIDE_NOT_TOLD, path);
}

static void test_nobody_asks(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_NONE);
	sample_at(&w.perf, 10, 5, MAIN + 8);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(tree_of(s)->wanted, NT_STACKS_NONE);
	assert_int_equal(tree_of(s)->node_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

/* Threads are the roots, recursion stays, the kernel comes last, junk of a broken chain is left out. */
static void test_from_the_thread_to_the_leaf(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_WINDOW);
	const uint64_t deep[] = { WORK + 1, WORK + 9, MAIN + 9 }, system[] = { KERNEL, MAIN + 9 },
		       broken[] = { WORK + 1, 0x1234, MAIN + 9 };
	sample_chain(&w.perf, 10, 5, deep, 0, 3);
	sample_chain(&w.perf, 11, 5, deep, 0, 3);
	sample_chain(&w.perf, 12, 6, deep, 0, 3);
	sample_chain(&w.perf, 13, 5, system, 1, 2);
	sample_chain(&w.perf, 14, 5, broken, 0, 3);
	sample_chain(&w.perf, 15, 5, NULL, 0, 0);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_stack_tree *tree = tree_of(s);
	assert_near(self_of(s, "5;Shop.Main();Shop.Work();Shop.Work()"), 2);
	assert_near(self_of(s, "6;Shop.Main();Shop.Work();Shop.Work()"), 1);
	assert_near(self_of(s, "5;Shop.Main();[kernel]+0xffffffff81000010"), 1);
	assert_near(self_of(s, "5;Shop.Main();Shop.Work()"), 1);
	assert_near(self_of(s, "5;[no call chain]"), 1);
	assert_near(tree->samples, 6);
	assert_near(tree->evicted, 0);
	nt_snapshot_release(s);
	end(&w);
}

/* A frame is that of its method's row. */
static void test_frames_are_rows(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_WINDOW);
	sample_at(&w.perf, 10, 5, WORK + 8);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_stack_frame *thread = &tree_of(s)->frames[0], *work = &tree_of(s)->frames[1];
	assert_int_equal(tree_of(s)->frame_count, 2);
	assert_true(thread->id == s->processes[0].threads[0].id);
	assert_true(work->id == row_named(s, "Shop.Work()")->id);
	assert_int_equal(work->tier, NT_TIER_1);
	assert_int_equal(work->kind, NT_CODE_JIT);
	assert_string_equal(work->module, "Shop");
	nt_snapshot_release(s);
	end(&w);
}

/* Samples are shown under the names that there are, and go over to better ones. */
static void test_late_names(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_WINDOW);
	const uint64_t chain[] = { FOO + 0x10, MAIN + 9 };
	sample_chain(&w.perf, 10, 5, chain, 0, 2);
	sample_chain(&w.perf, 11, 5, chain, 0, 2);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_near(self_of(s, "5;Shop.Main();libfoo.so+0x10"), 2);
	nt_snapshot_release(s);
	answer(&w, 0, 0x100, "foo");
	s = close_all(&w, 2000);
	double left = self_of(s, "5;Shop.Main();foo");
	assert_true(left > 1.5 && left < 2); /* one interval has passed */
	assert_near(self_of(s, "5;Shop.Main();libfoo.so+0x10"), -1);
	assert_near(tree_of(s)->samples, left);
	sample_chain(&w.perf, 2010, 5, chain, 0, 2);
	nt_snapshot_release(s);
	s = close_all(&w, 3000);
	assert_true(self_of(s, "5;Shop.Main();foo") > left);
	nt_snapshot_release(s);
	end(&w);
}

/* A sample that waits for a name when the source gives its ids anew. */
static void test_late_name_of_an_ended_epoch(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_WINDOW);
	nt_interner_free(w.perf.interner);
	w.perf.interner = nt_interner_new(1); /* with each batch */
	nt_interner_begin(w.perf.interner, w.perf.batch);
	sample_chain(&w.perf, 10, 5, (const uint64_t[]){ FOO + 0x10, MAIN + 9 }, 0, 2);
	sample_chain(&w.perf, 11, 5, (const uint64_t[]){ WORK + 0x10, MAIN + 9 }, 0, 2);
	nt_snapshot_release(close_all(&w, 1000));
	sample_chain(&w.perf, 1010, 5, (const uint64_t[]){ WORK + 0x10, MAIN + 9 }, 0, 2);
	nt_snapshot_release(close_all(&w, 2000));
	struct nt_snapshot *s = close_all(&w, 3000);
	assert_true(self_of(s, "5;Shop.Main();libfoo.so+0x10") > 0);
	nt_snapshot_release(s);
	answer(&w, 0, 0x100, "foo");
	s = close_all(&w, 4000);
	assert_true(self_of(s, "5;Shop.Main();foo") > 0);
	assert_near(self_of(s, "5;Shop.Main();libfoo.so+0x10"), -1);
	nt_snapshot_release(s);
	end(&w);
}

static void test_the_window_forgets(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_WINDOW);
	sample_at(&w.perf, 10, 5, WORK + 8);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(tree_of(s)->node_count, 2);
	for (int i = 2; i < 60; i++) {
		nt_snapshot_release(s);
		s = close_all(&w, i * 1000);
	}
	assert_int_equal(tree_of(s)->node_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

/* Everything counts and nothing fades; the tree comes at the end, with the names that came meanwhile. */
static void test_all_of_them(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_ALL);
	const uint64_t chain[] = { FOO + 0x10, MAIN + 9 };
	sample_chain(&w.perf, 10, 5, chain, 0, 2);
	for (int i = 1; i < 30; i++) {
		struct nt_snapshot *s = close_all(&w, i * 1000);
		assert_int_equal(tree_of(s)->node_count, 0);
		nt_snapshot_release(s);
		sample_at(&w.perf, i * 1000 + 10, 5, WORK + 8);
		if (i == 3)
			answer(&w, 0, 0x100, "foo");
	}
	feed_send(&w.perf);
	struct nt_snapshot *s = nt_model_close(w.model, ms(30000), true);
	assert_near(self_of(s, "5;Shop.Main();foo"), 1);
	assert_near(self_of(s, "5;Shop.Work()"), 29);
	assert_near(tree_of(s)->samples, 30);
	nt_snapshot_release(s);
	end(&w);
}

/* Each sample has its time, also those that have waited for a name; they are told in order. */
static void test_times(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_TIMED);
	const uint64_t chain[] = { FOO + 0x10, MAIN + 9 };
	sample_chain(&w.perf, 10, 5, chain, 0, 2);
	sample_at(&w.perf, 11, 5, WORK + 8);
	sample_chain(&w.perf, 12, 5, chain, 0, 2);
	sample_chain(&w.perf, 13, 6, chain, 0, 2);
	nt_snapshot_release(close_all(&w, 1000));
	answer(&w, 0, 0x100, "foo");
	sample_at(&w.perf, 1500, 6, WORK + 8);
	feed_send(&w.perf);
	feed_send(&w.codemap);
	struct nt_snapshot *s = nt_model_close(w.model, ms(2000), true);
	const struct nt_stack_tree *tree = tree_of(s);
	static const struct {
		double at_ms;
		uint32_t tid;
		const char *leaf;
	} expected[] = { { 10, 5, "foo" }, { 11, 5, "Shop.Work()" }, { 12, 5, "foo" }, { 13, 6, "foo" }, { 1500, 6, "Shop.Work()" } };
	assert_int_equal(tree->moment_count, 5);
	assert_int_equal(tree->untimed, 0);
	for (size_t i = 0; i < 5; i++) {
		uint32_t root = tree->moments[i].node;
		assert_int_equal(tree->moments[i].time, ms(expected[i].at_ms));
		assert_int_equal(tree->moments[i].samples, 1);
		assert_string_equal(tree->frames[tree->nodes[root].frame].name, expected[i].leaf);
		while (tree->nodes[root].parent != NT_STACK_ROOT)
			root = tree->nodes[root].parent;
		assert_int_equal(tree->frames[tree->nodes[root].frame].tid, expected[i].tid);
	}
	nt_snapshot_release(s);
	end(&w);
}

/* The source begins anew, and its chains end: what waited for their names stays. */
static void test_a_source_begins_anew(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_ALL);
	const uint64_t chain[] = { FOO + 0x10, MAIN + 9 };
	sample_chain(&w.perf, 10, 5, chain, 0, 2);
	nt_snapshot_release(close_all(&w, 1000));
	w.perf.batch->epoch = 2;
	sample_at(&w.perf, 1010, 5, WORK + 8);
	nt_snapshot_release(close_all(&w, 2000));
	struct nt_snapshot *s = nt_model_close(w.model, ms(3000), true);
	assert_near(self_of(s, "5;Shop.Main();libfoo.so+0x10"), 1);
	assert_near(self_of(s, "5;Shop.Work()"), 1);
	nt_snapshot_release(s);
	end(&w);
}

static void assert_sides(const struct nt_snapshot *s, double not_told, double in_pauses, double outside)
{
	const struct nt_stack_tree *tree = tree_of(s);
	assert_near(tree->side_samples[NT_SIDE_NOT_TOLD], not_told);
	assert_near(tree->side_samples[NT_IN_PAUSES], in_pauses);
	assert_near(tree->side_samples[NT_OUTSIDE_PAUSES], outside);
	assert_near(not_told + in_pauses + outside, tree->samples);
}

/* Of a process whose runtime tells its pauses. */
static void begin_told(struct world *w, struct feed *runtime, enum nt_stacks_wanted wanted)
{
	begin(w, wanted);
	feed_init(runtime, w->model, NT_SOURCE_EVENTPIPE);
	delivering(runtime);
}

/* Pauses of 100 to 200 and from 900 ms on, as the runtime tells them after the samples have come. */
static void pauses(struct feed *runtime)
{
	suspend(runtime, 100, 9, 1);
	restart(runtime, 200, 9);
	suspend(runtime, 900, 9, 1);
	feed_send(runtime);
}

/* A thread has a root for each side that it was sampled on, with the same row; what waits for a name stays on its side, and so does what comes without a chain. */
static void test_sides_of_the_pauses(void **state_)
{
	(void)state_;
	struct world w;
	struct feed runtime;
	begin_told(&w, &runtime, NT_STACKS_WINDOW);
	feed_send(&runtime);
	const uint64_t late[] = { FOO + 0x10, MAIN + 9 };
	const double times[] = { 50, 99.9, 100, 150, 199.9, 200, 950 };
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		sample_at(&w.perf, times[i], 5, WORK + 8);
	sample_chain(&w.perf, 150.1, 5, late, 0, 2);
	sample_chain(&w.perf, 250.1, 5, late, 0, 2);
	sample_chain(&w.perf, 151, 6, NULL, 0, 0);
	feed_send(&w.perf);
	pauses(&runtime);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_near(self_on(s, NT_IN_PAUSES, "5;Shop.Work()"), 4);
	assert_near(self_on(s, NT_OUTSIDE_PAUSES, "5;Shop.Work()"), 3);
	assert_near(self_on(s, NT_IN_PAUSES, "6;[no call chain]"), 1);
	assert_near(self_on(s, NT_IN_PAUSES, "5;Shop.Main();libfoo.so+0x10"), 1);
	assert_near(self_on(s, NT_OUTSIDE_PAUSES, "5;Shop.Main();libfoo.so+0x10"), 1);
	assert_sides(s, 0, 6, 4);
	const struct nt_stack_tree *tree = tree_of(s);
	for (uint32_t i = 0; i < tree->frame_count; i++)
		if (tree->frames[i].tid == 5)
			assert_true(tree->frames[i].id == tree->frames[0].id);
	nt_snapshot_release(s);
	answer(&w, 0, 0x100, "foo");
	s = close_all(&w, 2000);
	assert_true(self_on(s, NT_IN_PAUSES, "5;Shop.Main();foo") > 0.5);
	assert_true(self_on(s, NT_OUTSIDE_PAUSES, "5;Shop.Main();foo") > 0.5);
	nt_snapshot_release(s);
	feed_fini(&runtime);
	end(&w);
}

/* For a file both sides are kept where that is asked for, with the time of each sample; who asks for all has one root a thread. */
static void test_sides_for_a_file(void **state_)
{
	(void)state_;
	static const enum nt_stacks_wanted wanted[] = { NT_STACKS_ALL, NT_STACKS_SIDES, NT_STACKS_SIDES_TIMED };
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		struct world w;
		struct feed runtime;
		begin_told(&w, &runtime, wanted[i]);
		pauses(&runtime);
		for (int at_ms = 50; at_ms < 300; at_ms += 100)
			sample_at(&w.perf, at_ms, 5, WORK + 8);
		nt_snapshot_release(close_all(&w, 1000));
		struct nt_snapshot *s = nt_model_close(w.model, ms(1500), true);
		bool sided = wanted[i] != NT_STACKS_ALL;
		assert_sides(s, sided ? 0 : 3, sided ? 1 : 0, sided ? 2 : 0);
		assert_near(self_on(s, NT_OUTSIDE_PAUSES, "5;Shop.Work()"), sided ? 2 : -1);
		assert_near(self_of(s, "5;Shop.Work()"), sided ? -1 : 3);
		const struct nt_stack_tree *tree = tree_of(s);
		assert_int_equal(tree->moment_count, wanted[i] == NT_STACKS_SIDES_TIMED ? 3 : 0);
		for (uint32_t m = 0; m < tree->moment_count; m++)
			assert_int_equal(side_of(tree, tree->moments[m].node), m == 1 ? NT_IN_PAUSES : NT_OUTSIDE_PAUSES);
		nt_snapshot_release(s);
		feed_fini(&runtime);
		end(&w);
	}
}

/* Of a time in which events were lost a sample is on neither side, and in the whole. */
static void test_sides_that_are_not_told(void **state_)
{
	(void)state_;
	struct world w;
	struct feed runtime;
	begin_told(&w, &runtime, NT_STACKS_WINDOW);
	pauses(&runtime);
	event(&runtime, NT_EV_LOST, 500, 0)->u.lost = (struct nt_ev_lost){ .what = NT_LOST_EVENTS, .count = 1, .count_known = 1 };
	feed_send(&runtime);
	sample_at(&w.perf, 150, 5, WORK + 8);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_near(self_of(s, "5;Shop.Work()"), 1);
	assert_sides(s, 1, 0, 0);
	nt_snapshot_release(s);
	feed_fini(&runtime);
	end(&w);
}

/* More threads than there is room for: of what is cut off nobody can say the side any more. */
static void test_sides_of_too_many_threads(void **state_)
{
	(void)state_;
	enum { MANY = 20000 };
	struct world w;
	struct feed runtime;
	begin_told(&w, &runtime, NT_STACKS_WINDOW);
	pauses(&runtime);
	for (uint32_t i = 0; i < MANY; i++) {
		sample_at(&w.perf, i % 2 ? 150 : 250, 100 + i, WORK + 8);
		if (i % 1000 == 0)
			feed_send(&w.perf);
	}
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_stack_tree *tree = tree_of(s);
	double cut = tree->side_samples[NT_SIDE_NOT_TOLD], in_pauses = tree->side_samples[NT_IN_PAUSES];
	assert_true(cut > 0 && cut <= tree->evicted); /* calls that were cut off below a thread are of its side */
	assert_true(in_pauses > 0 && in_pauses <= MANY / 2);
	assert_sides(s, cut, in_pauses, MANY - cut - in_pauses);
	nt_snapshot_release(s);
	feed_fini(&runtime);
	end(&w);
}

static void test_asking_again_begins_anew(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_WINDOW);
	sample_at(&w.perf, 10, 5, WORK + 8);
	nt_snapshot_release(close_all(&w, 1000));
	keep_stacks(w.model, NT_STACKS_NONE);
	nt_snapshot_release(close_all(&w, 2000));
	keep_stacks(w.model, NT_STACKS_WINDOW);
	sample_at(&w.perf, 2010, 5, WORK + 8);
	struct nt_snapshot *s = close_all(&w, 3000);
	assert_near(self_of(s, "5;Shop.Work()"), 1);
	nt_snapshot_release(s);
	end(&w);
}

/* A chain is complete when it ends in libc and libc was not where it broke off. */
static void test_complete_chains(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_STACKS_NONE);
	/* The last one and the first have as many frames as could be taken: the first is complete nevertheless. */
	const uint64_t complete[] = { WORK + 1, CORECLR + 9, LIBC + 9 }, in_libc[] = { LIBC + 0x50 }, cut[] = { WORK + 1, CORECLR + 9 },
		       junk[] = { WORK + 1, CORECLR + 9, LIBC + 9, 0x1234 };
	sample_chain(&w.perf, 10, 5, complete, 0, 3);
	w.perf.batch->events[w.perf.batch->event_count - 1].u.sample.cut = 1;
	sample_chain(&w.perf, 11, 5, in_libc, 0, 1);
	sample_chain(&w.perf, 12, 5, cut, 0, 2);
	sample_chain(&w.perf, 13, 5, junk, 0, 4);
	w.perf.batch->events[w.perf.batch->event_count - 1].u.sample.cut = 1;
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_true(s->processes[0].window_complete_pct.known);
	assert_near(s->processes[0].window_complete_pct.v, 25);
	assert_near(s->processes[0].all_complete_pct.v, 25);
	assert_near(s->processes[0].window_cut_pct.v, 25);
	assert_near(s->processes[0].all_cut_pct.v, 25);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nobody_asks),
		cmocka_unit_test(test_from_the_thread_to_the_leaf),
		cmocka_unit_test(test_frames_are_rows),
		cmocka_unit_test(test_late_names),
		cmocka_unit_test(test_late_name_of_an_ended_epoch),
		cmocka_unit_test(test_the_window_forgets),
		cmocka_unit_test(test_all_of_them),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_a_source_begins_anew),
		cmocka_unit_test(test_sides_of_the_pauses),
		cmocka_unit_test(test_sides_for_a_file),
		cmocka_unit_test(test_sides_that_are_not_told),
		cmocka_unit_test(test_sides_of_too_many_threads),
		cmocka_unit_test(test_asking_again_begins_anew),
		cmocka_unit_test(test_complete_chains),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
