// SPDX-License-Identifier: GPL-2.0-only
#include "output/stacks/stacks_side.h"

#include "base/alloc.h"
#include "output/stacks/stacks_parts.h"

#include <stdlib.h>

static bool is_of(const struct nt_stack_tree *tree, uint32_t root, enum nt_pause_side side)
{
	const struct nt_stack_frame *thread = &tree->frames[tree->nodes[root].frame];
	return thread->sort == NT_FRAME_THREAD && thread->side == side;
}

/* Returns of each node its place among those that are kept. The caller's: free() it. */
static uint32_t *keep_nodes(struct nt_stacks_side *side, const struct nt_stack_tree *tree, enum nt_pause_side which)
{
	struct nt_stack_tree *out = &side->tree;
	uint32_t *roots = nt_stacks_threads(tree), *places = nt_alloc((tree->node_count + 1u) * sizeof(*places));
	side->nodes = nt_alloc((tree->node_count + 1u) * sizeof(*side->nodes));
	for (uint32_t n = 0; n < tree->node_count; n++) {
		places[n] = NT_STACK_ROOT;
		if (!is_of(tree, roots[n], which))
			continue;
		struct nt_stack_node *node = &side->nodes[out->node_count];
		*node = tree->nodes[n];
		if (node->parent != NT_STACK_ROOT)
			node->parent = places[node->parent];
		out->samples += node->self;
		if (tree->frames[node->frame].sort == NT_FRAME_EVICTED)
			out->evicted += node->self;
		places[n] = out->node_count++;
	}
	free(roots);
	out->nodes = side->nodes;
	return places;
}

void nt_stacks_side_init(struct nt_stacks_side *side, const struct nt_stack_tree *tree, enum nt_pause_side which)
{
	struct nt_stack_tree *out = &side->tree;
	*side = (struct nt_stacks_side){ .tree = *tree };
	out->node_count = out->moment_count = 0;
	out->samples = out->evicted = 0;
	uint32_t *places = keep_nodes(side, tree, which);
	side->moments = nt_alloc((tree->moment_count + 1u) * sizeof(*side->moments));
	for (uint32_t i = 0; i < tree->moment_count; i++) {
		uint32_t place = places[tree->moments[i].node];
		if (place == NT_STACK_ROOT)
			continue;
		side->moments[out->moment_count] = tree->moments[i];
		side->moments[out->moment_count++].node = place;
	}
	out->moments = side->moments;
	free(places);
}

void nt_stacks_side_fini(struct nt_stacks_side *side)
{
	free(side->nodes);
	free(side->moments);
	*side = (struct nt_stacks_side){ 0 };
}
