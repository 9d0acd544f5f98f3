// SPDX-License-Identifier: GPL-2.0-only
/* The call tree of a time that is over, made of the samples kept of it, is the one that was kept while it ran: every path, with its thread, its side of the pauses and its tiers. */
#include "sampled_world.h"

#include "model/past/past_span.h"

#include <inttypes.h>

enum { CODE = 0x10000, METHODS = 24, SIZE = 0x100, SECONDS = 40, TREE_LINES = 1 << 16 };
#define KERNEL UINT64_C(0xffffffff81000010)

struct told {
	struct world world;
	struct feed runtime;
	struct nt_past *past;
	uint64_t seed;
	unsigned each_ms; /* between two samples */
	bool busy;        /* in a few stacks, again and again, as programs are */
};

static uint64_t next(struct told *told)
{
	told->seed = told->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return told->seed >> 33;
}

static void begin_within(struct told *told, enum nt_stacks_wanted wanted, size_t limit_bytes)
{
	*told = (struct told){ .seed = 7, .each_ms = 25, .past = nt_past_new(&(struct nt_past_config){ .limit_bytes = limit_bytes }) };
	begin(&told->world);
	keep_stacks(told->world.model, wanted);
	keep_samples(told->world.model, true);
	feed_init(&told->runtime, told->world.model, NT_SOURCE_EVENTPIPE);
	delivering(&told->runtime);
	answer_name(&told->world, 0, "[kernel]", KERNEL - 0x10, KERNEL + 0xf0, "read", NULL);
	for (unsigned i = 0; i < METHODS; i++) {
		char name[32];
		snprintf(name, sizeof(name), "Shop.Method%u()", i);
		code_line(&told->world.codemap, 0, CODE + i * SIZE, SIZE, name, i % 3 ? NT_TIER_1 : NT_TIER_0);
	}
}

static void begin_told(struct told *told, enum nt_stacks_wanted wanted)
{
	begin_within(told, wanted, 0);
}

static void end_told(struct told *told)
{
	nt_past_free(told->past);
	feed_fini(&told->runtime);
	end(&told->world);
}

/* Recursion, frames of the kernel, chains that are broken or are none. */
static void sample(struct told *told, double at)
{
	uint64_t chain[40], seed = told->seed;
	if (told->busy)
		told->seed = next(told) % 64 << 40;
	unsigned count = (unsigned)next(told) % 12, kernel = next(told) % 4 == 0 ? 1 : 0, depth = 0;
	for (unsigned i = 0; i < kernel; i++)
		chain[depth++] = KERNEL;
	for (unsigned i = 0; i < count; i++)
		chain[depth++] = CODE + next(told) % (next(told) % 2 ? 3 : METHODS) * SIZE + next(told) % 4 * 4 + 4;
	if (next(told) % 16 == 0 && depth > 2)
		chain[depth / 2] = 0x1234; /* lies nowhere */
	if (told->busy)
		told->seed = seed + 1;
	sample_chain(&told->world.perf, at, 1 + (uint32_t)next(told) % 3, chain, depth ? kernel : 0, depth);
}

static void close_second(struct told *told, unsigned second, struct nt_snapshot **out)
{
	double from = second * 1000;
	for (unsigned at = 0; at < 1000; at += told->each_ms)
		sample(told, from + at);
	suspend(&told->runtime, from + 100, 1, 1);
	restart(&told->runtime, from + 300, 1);
	idle(&told->runtime, from + 1000);
	feed_send(&told->runtime);
	*out = close_all(&told->world, from + 1000);
	nt_past_add(told->past, *out);
}

/* ---- trees as sorted lines ---- */

struct line {
	char *path;
	double samples;
};

struct lines {
	struct line items[TREE_LINES];
	size_t count;
};

static void add_path(const struct nt_stack_tree *tree, uint32_t node, FILE *out)
{
	const struct nt_stack_frame *frame = &tree->frames[tree->nodes[node].frame];
	if (tree->nodes[node].parent != NT_STACK_ROOT)
		add_path(tree, tree->nodes[node].parent, out);
	fprintf(out, ";%s %u %d %d %d %" PRIu64, frame->name ? frame->name : "", frame->tid, (int)frame->side, (int)frame->tier, frame->own,
		frame->id);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->path, ((const struct line *)b)->path);
}

/* Those with samples of their own. */
static void lines_of(const struct nt_stack_tree *tree, struct lines *lines)
{
	lines->count = 0;
	for (uint32_t i = 0; i < tree->node_count; i++) {
		struct line *line = &lines->items[lines->count];
		size_t length;
		if (tree->nodes[i].parent != NT_STACK_ROOT)
			assert_true(tree->nodes[i].parent < i);
		if (tree->nodes[i].self < 0.1)
			continue;
		FILE *out = open_memstream(&line->path, &length);
		assert_non_null(out);
		add_path(tree, i, out);
		fclose(out);
		line->samples = tree->nodes[i].self;
		assert_true(++lines->count < TREE_LINES);
	}
	qsort(lines->items, lines->count, sizeof(*lines->items), by_path);
}

static void free_lines(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i].path);
}

static void assert_close(double a, double b)
{
	assert_true(a - b < 0.02 && b - a < 0.02);
}

/* Both have the same paths with as many samples, but for what the window leaves out; how many paths. */
static size_t check_same(const struct nt_stack_tree *a, const struct nt_stack_tree *b)
{
	static struct lines one, other;
	lines_of(a, &one);
	lines_of(b, &other);
	for (size_t i = 0; i < one.count && i < other.count; i++) {
		assert_string_equal(one.items[i].path, other.items[i].path);
		assert_close(one.items[i].samples, other.items[i].samples);
	}
	assert_int_equal(one.count, other.count);
	free_lines(&one);
	free_lines(&other);
	for (int side = 0; side < NT_PAUSE_SIDES; side++)
		assert_true(a->side_samples[side] - b->side_samples[side] < 0.5 && b->side_samples[side] - a->side_samples[side] < 0.5);
	return one.count;
}

static const struct nt_stack_tree *tree_of(const struct nt_snapshot *s)
{
	return &s->processes[0].stacks;
}

/* ---- tests ---- */

/* What `nettop stacks` would have written of all that time. */
static void the_tree_of_all_intervals_is_that_of_all_samples(void **state)
{
	(void)state;
	struct told told;
	begin_told(&told, NT_STACKS_SIDES);
	for (unsigned second = 0; second < SECONDS; second++) {
		struct nt_snapshot *s;
		close_second(&told, second, &s);
		nt_snapshot_release(s);
	}
	struct nt_snapshot *all = nt_model_close(told.world.model, ms(SECONDS * 1000 + 500), true);
	struct nt_snapshot *span = nt_past_span(told.past, 0, ms(SECONDS * 1000));
	assert_int_equal(tree_of(span)->wanted, NT_STACKS_SIDES);
	assert_true(check_same(tree_of(span), tree_of(all)) > 100);
	assert_near(tree_of(span)->samples, SECONDS * 40);
	assert_true(tree_of(span)->side_samples[NT_IN_PAUSES] > 1);
	nt_snapshot_release(span);
	nt_snapshot_release(all);
	end_told(&told);
}

/* Each sample is in one of those that follow each other, and a tree has as many as the methods. */
static void spans_add_up(void **state)
{
	(void)state;
	struct told told;
	begin_told(&told, NT_STACKS_NONE);
	double sum = 0;
	for (unsigned second = 0; second < SECONDS; second++) {
		struct nt_snapshot *s;
		close_second(&told, second, &s);
		nt_snapshot_release(s);
	}
	for (double at = 0; at < SECONDS * 1000; at += 700) {
		struct nt_snapshot *span = nt_past_span(told.past, ms(at), ms(at + 700));
		const struct nt_process_snapshot *process = &span->processes[0];
		assert_near(process->stacks.samples, (double)process->interval.cpu.samples.v);
		sum += process->stacks.samples;
		nt_snapshot_release(span);
	}
	assert_near(sum, SECONDS * 40);
	end_told(&told);
}

/* Going back shows the tree as it was then, and nobody has kept it. */
static void the_tree_of_a_moment_is_as_it_was(void **state)
{
	(void)state;
	struct told told;
	struct nt_snapshot *then[SECONDS];
	begin_told(&told, NT_STACKS_WINDOW);
	for (unsigned second = 0; second < SECONDS; second++)
		close_second(&told, second, &then[second]);
	for (unsigned second = 0; second < SECONDS; second++) {
		struct nt_snapshot *s = nt_past_get(told.past, second + 1);
		assert_int_equal(tree_of(s)->wanted, NT_STACKS_NONE);
		assert_int_equal(tree_of(s)->node_count, 0);
		nt_past_add_stacks(told.past, s);
		assert_int_equal(tree_of(s)->wanted, NT_STACKS_WINDOW);
		assert_true(check_same(tree_of(s), tree_of(then[second])) > 10);
		nt_snapshot_release(s);
	}
	for (unsigned second = 0; second < SECONDS; second++)
		nt_snapshot_release(then[second]);
	end_told(&told);
}

/* Of recursion a sample counts once for the method, also where its frames are of two tiers. */
static void an_interval_chosen_as_a_span_has_its_methods(void **state)
{
	(void)state;
	struct told told;
	begin_told(&told, NT_STACKS_NONE);
	for (unsigned second = 0; second < 3; second++) {
		struct nt_snapshot *s;
		close_second(&told, second, &s);
		struct nt_snapshot *span = nt_past_span(told.past, s->t0, s->t1);
		size_t listed = 0;
		for (size_t i = 0; i < s->processes[0].method_count; i++) {
			const struct nt_method_row *then = &s->processes[0].methods[i], *row = row_named(span, then->name);
			listed += then->total_samples > 0;
			assert_int_equal(row ? row->total_samples : 0, then->total_samples);
			assert_int_equal(row ? row->self_samples : 0, then->self_samples);
		}
		assert_int_equal(span->processes[0].method_count, listed);
		nt_snapshot_release(span);
		nt_snapshot_release(s);
	}
	end_told(&told);
}

/* There is no room for all: first the samples are folded. */
static void long_ago_it_is_told_to_ten_seconds(void **state)
{
	(void)state;
	enum { LONG_S = 600, EACH_MS = 2, A_SECOND = 1000 / EACH_MS, LIMIT = 6000 << 10 };
	struct told told;
	begin_within(&told, NT_STACKS_SIDES, LIMIT);
	told.each_ms = EACH_MS;
	told.busy = true;
	for (unsigned second = 0; second < LONG_S; second++) {
		struct nt_snapshot *s;
		close_second(&told, second, &s);
		nt_snapshot_release(s);
		/* What is being folded is there all the time. */
		s = nt_past_get(told.past, second / 4 + 1);
		assert_known(s->processes[0].interval.cpu.samples, A_SECOND);
		nt_snapshot_release(s);
	}
	struct nt_past_reach reach = nt_past_reach(told.past);
	printf("%zu bytes, samples of %d s are folded\n", reach.bytes, (int)((reach.exact_from - ms(0)) / NT_NS_PER_S));
	assert_int_equal(reach.first, 1);
	assert_false(reach.crowded);
	assert_in_range(reach.exact_from, ms(30000), ms(LONG_S * 1000 - 30000));
	/* Nothing is lost of what was sampled where. */
	struct nt_snapshot *all = nt_model_close(told.world.model, ms(LONG_S * 1000 + 500), true);
	struct nt_snapshot *span = nt_past_span(told.past, 0, ms(LONG_S * 1000));
	assert_true(check_same(tree_of(span), tree_of(all)) > 100);
	assert_in_range(tree_of(span)->coarse_ns, NT_NS_PER_S, 10 * NT_NS_PER_S);
	nt_snapshot_release(span);
	nt_snapshot_release(all);
	/* A part of a second is told with the time that it is in, which is said. */
	nt_time from, to;
	assert_true(nt_past_folded(told.past, 5, &from, &to));
	span = nt_past_span(told.past, ms(4100), ms(4200));
	assert_int_equal(span->t0, from);
	assert_int_equal(span->t1, to);
	assert_near(tree_of(span)->samples, (double)((to - from) / NT_NS_PER_S) * A_SECOND);
	assert_known(span->processes[0].interval.cpu.samples, (to - from) / NT_NS_PER_S * A_SECOND);
	assert_int_equal(span->processes[0].interval.cpu.samples_covered_ns.v, to - from);
	nt_snapshot_release(span);
	/* What is of an interval is as it was. */
	struct nt_snapshot *s = nt_past_get(told.past, 5);
	assert_known(s->processes[0].interval.cpu.samples, A_SECOND);
	nt_past_add_stacks(told.past, s);
	assert_int_equal(tree_of(s)->coarse_ns, to - from);
	assert_true(tree_of(s)->samples >= A_SECOND);
	nt_snapshot_release(s);
	/* Of the newest nothing is folded. */
	span = nt_past_span(told.past, ms(LONG_S * 1000 - 1000), ms(LONG_S * 1000 - 500));
	assert_int_equal(span->t1 - span->t0, 500 * NT_NS_PER_MS);
	assert_int_equal(tree_of(span)->coarse_ns, 0);
	nt_snapshot_release(span);
	end_told(&told);
}

static void without_samples_there_is_none(void **state)
{
	(void)state;
	struct told told;
	struct nt_snapshot *s;
	begin_told(&told, NT_STACKS_WINDOW);
	keep_samples(told.world.model, false);
	close_second(&told, 0, &s);
	nt_snapshot_release(s);
	s = nt_past_get(told.past, 1);
	assert_true(tree_of(s)->node_count > 0); /* there is nothing that it follows from: it is kept */
	nt_past_add_stacks(told.past, s);
	assert_true(tree_of(s)->node_count > 0);
	nt_snapshot_release(s);
	s = nt_past_span(told.past, 0, ms(1000));
	assert_int_equal(tree_of(s)->wanted, NT_STACKS_NONE);
	assert_int_equal(tree_of(s)->node_count, 0);
	nt_snapshot_release(s);
	end_told(&told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tree_of_all_intervals_is_that_of_all_samples),
		cmocka_unit_test(spans_add_up),
		cmocka_unit_test(the_tree_of_a_moment_is_as_it_was),
		cmocka_unit_test(an_interval_chosen_as_a_span_has_its_methods),
		cmocka_unit_test(long_ago_it_is_told_to_ten_seconds),
		cmocka_unit_test(without_samples_there_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
