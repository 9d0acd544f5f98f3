// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/stack_nodes.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Nodes that weigh less are not shown: rounding, and what left the window. */
static const double negligible = 0.005;

struct filling {
	const struct nt_trie *trie;
	nt_stack_frame_of *meaning;
	const void *context;
	struct nt_index place_of_frame; /* label of a node, and whether it is a root -> place among `frames` */
	struct nt_stack_frame *frames;  /* owned */
	size_t frame_capacity;
	struct nt_stack_node *nodes;
	uint32_t frame_count, node_count;
	uint32_t evicted; /* place of that frame; NT_INDEX_NONE = not there yet */
	double evicted_weight, samples;
};

void nt_stack_places_fini(struct nt_stack_places *places)
{
	free(places->of_node);
	*places = (struct nt_stack_places){ 0 };
}

static uint32_t add_frame(struct filling *filling, struct nt_stack_frame frame)
{
	filling->frames = nt_grow(filling->frames, &filling->frame_capacity, (size_t)filling->frame_count + 1, sizeof(*filling->frames));
	filling->frames[filling->frame_count] = frame;
	return filling->frame_count++;
}

static uint32_t place_of_node(struct filling *filling, const struct nt_trie_node *node)
{
	bool root = node->parent == NT_TRIE_ROOT;
	uint64_t name = (uint64_t)root << 32 | node->label;
	uint32_t place = nt_index_get(&filling->place_of_frame, name);
	if (place != NT_INDEX_NONE)
		return place;
	place = add_frame(filling, filling->meaning(filling->context, node->label, root));
	nt_index_put(&filling->place_of_frame, name, place);
	return place;
}

static void add_evicted(struct filling *filling, uint32_t parent, double weight)
{
	if (weight < negligible)
		return;
	static const struct nt_stack_frame evicted = { .sort = NT_FRAME_EVICTED,
						       .name = "(evicted)",
						       .reason = "too many different call stacks to keep each",
						       .kind = NT_CODE_UNKNOWN };
	if (filling->evicted == NT_INDEX_NONE)
		filling->evicted = add_frame(filling, evicted);
	filling->nodes[filling->node_count++] = (struct nt_stack_node){ .parent = parent, .frame = filling->evicted, .self = weight };
	filling->evicted_weight += weight;
}

static void fill_nodes(struct filling *filling, struct nt_stack_places *places)
{
	const struct nt_trie *trie = filling->trie;
	double *totals = nt_trie_totals(trie);
	places->of_node = nt_alloc(trie->count * sizeof(*places->of_node));
	for (uint32_t i = 0; i < trie->count; i++) {
		const struct nt_trie_node *node = &trie->nodes[i];
		if (totals[i] < negligible)
			continue;
		uint32_t place = places->of_node[i] = filling->node_count++;
		filling->nodes[place] =
			(struct nt_stack_node){ .parent = node->parent == NT_TRIE_ROOT ? NT_STACK_ROOT : places->of_node[node->parent],
						.frame = place_of_node(filling, node),
						.self = node->self };
		filling->samples += node->self;
		add_evicted(filling, place, node->cut);
	}
	places->evicted_root = filling->node_count;
	add_evicted(filling, NT_STACK_ROOT, trie->cut);
	filling->samples += filling->evicted_weight;
	free(totals);
}

/* How many samples there are of each side: all of a stack are of its root's. */
static void add_up_sides(const struct filling *filling, double samples[NT_PAUSE_SIDES])
{
	enum nt_pause_side *sides = nt_alloc((filling->node_count + 1u) * sizeof(*sides));
	for (uint32_t i = 0; i < filling->node_count; i++) {
		const struct nt_stack_node *node = &filling->nodes[i];
		sides[i] = node->parent == NT_STACK_ROOT ? filling->frames[node->frame].side : sides[node->parent];
		samples[sides[i]] += node->self;
	}
	free(sides);
}

static uint32_t count_cut(const struct nt_trie *trie)
{
	uint32_t count = 1;
	for (uint32_t i = 0; i < trie->count; i++)
		count += trie->nodes[i].cut > 0;
	return count;
}

void nt_stack_nodes_fill(const struct nt_trie *trie, nt_stack_frame_of *meaning, const void *context, struct nt_arena *arena,
			 struct nt_stack_tree *tree, struct nt_stack_places *places)
{
	size_t most = (size_t)trie->count + count_cut(trie); /* each may have something evicted below it */
	struct filling filling = { .trie = trie,
				   .meaning = meaning,
				   .context = context,
				   .evicted = NT_INDEX_NONE,
				   .nodes = nt_arena_alloc(arena, most * sizeof(*filling.nodes)) };
	fill_nodes(&filling, places);
	struct nt_stack_frame *frames = nt_arena_alloc(arena, filling.frame_count * sizeof(*frames));
	if (filling.frame_count)
		memcpy(frames, filling.frames, filling.frame_count * sizeof(*frames));
	add_up_sides(&filling, tree->side_samples);
	free(filling.frames);
	nt_index_fini(&filling.place_of_frame);
	tree->frames = frames;
	tree->frame_count = filling.frame_count;
	tree->nodes = filling.nodes;
	tree->node_count = filling.node_count;
	tree->samples = filling.samples;
	tree->evicted = filling.evicted_weight;
}
