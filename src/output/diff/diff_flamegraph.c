// SPDX-License-Identifier: GPL-2.0-only
/* The trees of both sides become one, by the names on each path; what is drawn is that of `after`. */
#include "output/diff/diff_write.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/index.h"
#include "output/stacks/stacks_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum side { BEFORE, AFTER, SIDES };

/* So many standard errors are no noise. */
static const double sure = 3;

/* Of the share of all samples that a box has: how many times as large it has become. */
static const struct {
	double from;
	const char *fill, *legend;
} colours[] = {
	{ 2, "#e0503c", "twice or more" }, { 1.2, "#f08c78", "a fifth more or more" }, { 1, "#f8c8bc", "more" },
	{ 0.8, "#c4d8f4", "less" },        { 0.5, "#88b0ec", "a fifth less or more" }, { 0, "#4c80e0", "half or less" },
};
static const char same[] = "#e4e4e4";
enum { COLOURS = sizeof(colours) / sizeof(colours[0]) };

struct merged {
	struct nt_stack_frame *frames; /* owned */
	struct nt_stack_node *nodes;   /* owned; weighed as in AFTER */
	double *own[SIDES];            /* owned; samples that ended in each node */
	double samples[SIDES];
	uint32_t frame_count, node_count;
	size_t frame_capacity, node_capacity, own_capacity[SIDES];
	struct nt_index by_name, by_path;
};

static uint64_t hash_of(const struct nt_stack_frame *frame)
{
	const char *name = frame->name ? frame->name : "", *module = frame->module ? frame->module : "";
	return nt_hash_bytes(name, strlen(name)) * 31 + nt_hash_bytes(module, strlen(module)) + frame->sort;
}

/* A thread is its name: numbers are others in another run. */
static uint32_t frame_of(struct merged *merged, const struct nt_stack_frame *frame)
{
	uint64_t hash = hash_of(frame);
	uint32_t place = nt_index_get(&merged->by_name, hash);
	if (place != NT_INDEX_NONE)
		return place;
	merged->frames = nt_grow(merged->frames, &merged->frame_capacity, merged->frame_count + 1u, sizeof(*merged->frames));
	struct nt_stack_frame *copy = &merged->frames[merged->frame_count];
	*copy = *frame;
	copy->tier = NT_TIER_UNKNOWN;
	copy->id = merged->frame_count + 1u; /* recursion is told by it */
	if (copy->sort == NT_FRAME_THREAD) {
		copy->sort = NT_FRAME_CODE;
		copy->kind = NT_CODE_UNKNOWN;
		copy->name = frame->name ? frame->name : "(threads without a name)";
	}
	nt_index_put(&merged->by_name, hash, merged->frame_count);
	return merged->frame_count++;
}

static uint32_t node_of(struct merged *merged, uint32_t parent, uint32_t frame)
{
	uint64_t path = (uint64_t)parent << 32 | frame;
	uint32_t place = nt_index_get(&merged->by_path, path);
	if (place != NT_INDEX_NONE)
		return place;
	merged->nodes = nt_grow(merged->nodes, &merged->node_capacity, merged->node_count + 1u, sizeof(*merged->nodes));
	merged->nodes[merged->node_count] = (struct nt_stack_node){ .parent = parent, .frame = frame };
	for (int side = 0; side < SIDES; side++) {
		merged->own[side] =
			nt_grow(merged->own[side], &merged->own_capacity[side], merged->node_count + 1u, sizeof(*merged->own[side]));
		merged->own[side][merged->node_count] = 0;
	}
	nt_index_put(&merged->by_path, path, merged->node_count);
	return merged->node_count++;
}

static void add(struct merged *merged, enum side side, const struct nt_stack_tree *tree)
{
	uint32_t *places = nt_alloc((tree->node_count + 1u) * sizeof(*places));
	for (uint32_t n = 0; n < tree->node_count; n++) {
		const struct nt_stack_node *node = &tree->nodes[n];
		uint32_t parent = node->parent == NT_STACK_ROOT ? NT_STACK_ROOT : places[node->parent];
		places[n] = node_of(merged, parent, frame_of(merged, &tree->frames[node->frame]));
		merged->own[side][places[n]] += node->self;
		merged->samples[side] += node->self;
	}
	free(places);
}

static void fini(struct merged *merged)
{
	nt_index_fini(&merged->by_name);
	nt_index_fini(&merged->by_path);
	free(merged->frames);
	free(merged->nodes);
	for (int side = 0; side < SIDES; side++)
		free(merged->own[side]);
}

/* Callers have what their callees have, too. */
static double *totals_of(const struct merged *merged, enum side side)
{
	double *totals = nt_alloc((merged->node_count + 1u) * sizeof(*totals));
	for (uint32_t n = merged->node_count; n-- > 0;) {
		totals[n] += merged->own[side][n];
		if (merged->nodes[n].parent != NT_STACK_ROOT)
			totals[merged->nodes[n].parent] += totals[n];
	}
	return totals;
}

/* Samples are counted, so the error of a count is its root. */
static const char *fill_of(const double counts[SIDES], const double samples[SIDES])
{
	if (samples[BEFORE] <= 0 || samples[AFTER] <= 0)
		return same;
	double was = counts[BEFORE] / samples[BEFORE], is = counts[AFTER] / samples[AFTER];
	double error = sqrt(counts[BEFORE] / (samples[BEFORE] * samples[BEFORE]) + counts[AFTER] / (samples[AFTER] * samples[AFTER]));
	int colour = 0;
	if (fabs(is - was) <= sure * error)
		return same;
	while (colour < COLOURS - 1 && is < colours[colour].from * was)
		colour++;
	return colours[colour].fill;
}

void nt_diff_write_flamegraph(FILE *out, const struct nt_diff *diff)
{
	const struct nt_process_snapshot *process = &diff->after.span->processes[0];
	struct merged merged = { 0 };
	add(&merged, BEFORE, &diff->before.span->processes[0].stacks);
	add(&merged, AFTER, &process->stacks);
	double *totals[SIDES] = { totals_of(&merged, BEFORE), totals_of(&merged, AFTER) };
	const char **fills = nt_alloc((merged.node_count + 1u) * sizeof(*fills));
	double *shares = nt_alloc((merged.node_count + 1u) * sizeof(*shares));
	for (uint32_t n = 0; n < merged.node_count; n++) {
		const double counts[SIDES] = { totals[BEFORE][n], totals[AFTER][n] };
		merged.nodes[n].self = merged.own[AFTER][n];
		fills[n] = fill_of(counts, merged.samples);
		shares[n] = merged.samples[BEFORE] > 0 ? 100 * counts[BEFORE] / merged.samples[BEFORE] : 0;
	}
	struct nt_stacks_legend legend[COLOURS + 1];
	for (int i = 0; i < COLOURS; i++)
		legend[i] = (struct nt_stacks_legend){ colours[i].fill, colours[i].legend };
	legend[COLOURS] = (struct nt_stacks_legend){ same, "as before, or noise (3 standard errors)" };
	const struct nt_stacks_colours colouring = { .fills = fills, .was_pct = shares, .legend = legend, .legend_count = COLOURS + 1 };
	const struct nt_stack_tree tree = { .wanted = NT_STACKS_ALL,
					    .frames = merged.frames,
					    .frame_count = merged.frame_count,
					    .nodes = merged.nodes,
					    .node_count = merged.node_count,
					    .samples = merged.samples[AFTER] };
	const struct nt_stacks stacks = { .tree = &tree,
					  .pid = process->target.pid,
					  .process_name = process->target.name,
					  .t0 = diff->after.span->t0,
					  .t1 = diff->after.span->t1,
					  .colours = &colouring };
	nt_stacks_write(out, NT_STACKS_AS_FLAMEGRAPH, &stacks);
	for (int side = 0; side < SIDES; side++)
		free(totals[side]);
	free(fills);
	free(shares);
	fini(&merged);
}
