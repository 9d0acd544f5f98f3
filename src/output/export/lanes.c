// SPDX-License-Identifier: GPL-2.0-only
#include "output/export/lanes.h"

#include "base/alloc.h"
#include "output/stacks/stacks_parts.h"

#include <stdlib.h>

/* Of each thread how many samples there are, then where they begin. */
static void find_lanes(struct nt_lanes *lanes, const struct nt_stack_tree *tree, const uint32_t *roots, uint32_t *lane_of)
{
	for (uint32_t m = 0; m < tree->moment_count; m++) {
		uint32_t root = roots[tree->moments[m].node];
		if (lane_of[root] == NT_STACK_ROOT) {
			lane_of[root] = (uint32_t)lanes->count;
			lanes->items[lanes->count++] = (struct nt_lane){ .root = root, .tid = tree->frames[tree->nodes[root].frame].tid };
		}
		lanes->items[lane_of[root]].count++;
	}
	for (size_t i = 1; i < lanes->count; i++)
		lanes->items[i].first = lanes->items[i - 1].first + lanes->items[i - 1].count;
}

bool nt_lanes_are_bounded(const struct nt_export_timeline *timeline)
{
	const struct nt_stack_tree *tree = timeline->stacks.tree;
	uint64_t all = 0;
	bool bounded = timeline->stacks.period_ns <= NT_SAMPLE_PERIOD_MOST_NS;
	for (uint32_t m = 0; m < tree->moment_count; m++) {
		bounded &= tree->moments[m].samples <= NT_SAMPLES_FOR_ONE_MOST;
		all += tree->moments[m].samples;
	}
	return bounded && all <= NT_SAMPLES_ALL_MOST;
}

void nt_lanes_make(struct nt_lanes *lanes, const struct nt_export_timeline *timeline)
{
	const struct nt_stack_tree *tree = timeline->stacks.tree;
	uint32_t *roots = nt_stacks_threads(tree), *lane_of = nt_alloc((tree->node_count + 1u) * sizeof(*lane_of)), root_count = 0;
	for (uint32_t n = 0; n < tree->node_count; n++) {
		lane_of[n] = NT_STACK_ROOT;
		root_count += roots[n] == n;
	}
	*lanes = (struct nt_lanes){ .timeline = timeline,
				    .items = nt_alloc((root_count + 1u) * sizeof(*lanes->items)),
				    .moments = nt_alloc((tree->moment_count + 1u) * sizeof(*lanes->moments)) };
	find_lanes(lanes, tree, roots, lane_of);
	size_t *filled = nt_alloc((lanes->count + 1) * sizeof(*filled));
	for (uint32_t m = 0; m < tree->moment_count; m++) {
		uint32_t lane = lane_of[roots[tree->moments[m].node]];
		lanes->moments[lanes->items[lane].first + filled[lane]++] = m;
	}
	free(filled);
	free(lane_of);
	free(roots);
}

void nt_lanes_fini(struct nt_lanes *lanes)
{
	free(lanes->items);
	free(lanes->moments);
	*lanes = (struct nt_lanes){ 0 };
}

bool nt_lane_next(const struct nt_lanes *lanes, const struct nt_lane *lane, size_t *at, struct nt_slice *slice)
{
	if (*at == lane->count)
		return false;
	const struct nt_stack_moment *moment = &lanes->timeline->stacks.tree->moments[lanes->moments[lane->first + *at]];
	uint64_t period_ns = lanes->timeline->stacks.period_ns;
	bool follows = *at > 0 && moment->time < slice->end + period_ns / 2;
	nt_time start = follows ? slice->end : moment->time;
	*slice = (struct nt_slice){ .start = start, .end = start + period_ns * moment->samples, .node = moment->node, .follows = follows };
	++*at;
	return true;
}
