// SPDX-License-Identifier: GPL-2.0-only
/* The tree of call stacks as the snapshot has it. */
#include "model/cpu/stacks_kept.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/cpu/purposes.h"

#include <stdlib.h>
#include <string.h>

/* Nodes that weigh less are not shown: rounding, and what left the window. */
static const double negligible = 0.005;

struct filling {
	const struct nt_stacks *stacks;
	struct nt_index place_of_frame; /* label of a node, and whether it is a root -> place among `frames` */
	struct nt_stack_frame *frames;  /* owned */
	size_t frame_capacity;
	struct nt_stack_node *nodes;
	uint32_t *places;      /* owned; of each node of the trie: among `nodes`. What was evicted below one is the next */
	uint32_t evicted_root; /* likewise, of what was evicted below none */
	uint32_t frame_count, node_count;
	uint32_t evicted; /* place of that frame; NT_INDEX_NONE = not there yet */
	double evicted_weight, samples;
};

static struct nt_stack_frame frame_of_thread(const struct nt_stacks *stacks, uint32_t label)
{
	const struct nt_stacks_thread *thread = &stacks->threads[nt_index_get(&stacks->threads_by_label, label)];
	return (struct nt_stack_frame){ .sort = NT_FRAME_THREAD,
					.id = thread->id,
					.tid = thread->tid,
					.what = thread->what,
					.side = thread->side,
					.name = thread->name };
}

static struct nt_stack_frame frame_of_code(const struct nt_stacks *stacks, nt_frame frame)
{
	const struct nt_key *key = nt_resolver_key(stacks->frames->resolver, nt_frame_row(frame));
	return (struct nt_stack_frame){ .sort = NT_FRAME_CODE,
					.id = key->id,
					.name = key->name,
					.raw_name = key->raw_name,
					.module = key->module,
					.reason = key->reason,
					.kind = key->kind,
					.tier = nt_frame_tier(frame),
					.own = nt_purpose_of_key(key) == NT_PURPOSE_PROGRAM };
}

static uint32_t add_frame(struct filling *filling, struct nt_stack_frame frame)
{
	filling->frames = nt_grow(filling->frames, &filling->frame_capacity, (size_t)filling->frame_count + 1, sizeof(*filling->frames));
	filling->frames[filling->frame_count] = frame;
	return filling->frame_count++;
}

static uint32_t frame_of(struct filling *filling, const struct nt_trie_node *node)
{
	bool root = node->parent == NT_TRIE_ROOT;
	uint64_t name = (uint64_t)root << 32 | node->label;
	uint32_t place = nt_index_get(&filling->place_of_frame, name);
	if (place != NT_INDEX_NONE)
		return place;
	const struct nt_stacks *stacks = filling->stacks;
	place = add_frame(filling, root ? frame_of_thread(stacks, node->label) : frame_of_code(stacks, node->label));
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

/* Room for every node, each with something evicted below it. */
static void fill_nodes(struct filling *filling)
{
	const struct nt_trie *trie = &filling->stacks->trie;
	double *totals = nt_trie_totals(trie);
	uint32_t *places = filling->places = nt_alloc(trie->count * sizeof(*places));
	for (uint32_t i = 0; i < trie->count; i++) {
		const struct nt_trie_node *node = &trie->nodes[i];
		if (totals[i] < negligible)
			continue;
		places[i] = filling->node_count++;
		filling->nodes[places[i]] =
			(struct nt_stack_node){ .parent = node->parent == NT_TRIE_ROOT ? NT_STACK_ROOT : places[node->parent],
						.frame = frame_of(filling, node),
						.self = node->self };
		filling->samples += node->self;
		add_evicted(filling, places[i], node->cut);
	}
	filling->evicted_root = filling->node_count;
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

/* What waits for names is in the tree for this moment, as far as there is room. */
static size_t lend(struct nt_stacks *stacks)
{
	size_t lent = 0;
	while (lent < stacks->open_count && nt_stacks_lend(stacks, &stacks->open[lent]))
		lent++;
	return lent;
}

static void take_back(struct nt_stacks *stacks, size_t lent)
{
	for (size_t i = 0; i < lent; i++)
		nt_stacks_take_back(stacks, &stacks->open[i]);
}

static uint32_t place_of(const struct filling *filling, uint32_t node)
{
	if (node == NT_TRIE_ROOT)
		return filling->evicted_root;
	return node & NT_TRIE_EVICTED ? filling->places[node & ~NT_TRIE_EVICTED] + 1 : filling->places[node];
}

/* All that has a moment weighs 1 at least, so its node was filled. */
static void fill_moments(const struct filling *filling, struct nt_moments *moments, struct nt_snapshot *snapshot,
			 struct nt_stack_tree *tree)
{
	struct nt_stack_moment *items = nt_arena_alloc(snapshot->arena, moments->count * sizeof(*items));
	nt_moments_sort(moments);
	for (size_t i = 0; i < moments->count; i++) {
		items[i] = moments->items[i];
		items[i].node = place_of(filling, items[i].node);
	}
	tree->moments = items;
	tree->moment_count = (uint32_t)moments->count;
	tree->untimed = moments->lost;
}

void nt_stacks_fill(struct nt_stacks *stacks, const struct nt_span *span, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	process->stacks = (struct nt_stack_tree){ .wanted = stacks->wanted };
	if (stacks->wanted == NT_STACKS_NONE || (nt_stacks_are_of_all(stacks->wanted) && !span->final))
		return;
	size_t lent = lend(stacks);
	size_t most = (size_t)stacks->trie.count + count_cut(&stacks->trie);
	struct filling filling = { .stacks = stacks,
				   .evicted = NT_INDEX_NONE,
				   .nodes = nt_arena_alloc(snapshot->arena, most * sizeof(*filling.nodes)) };
	fill_nodes(&filling);
	take_back(stacks, lent);
	struct nt_stack_frame *frames = nt_arena_alloc(snapshot->arena, filling.frame_count * sizeof(*frames));
	if (filling.frame_count)
		memcpy(frames, filling.frames, filling.frame_count * sizeof(*frames));
	add_up_sides(&filling, process->stacks.side_samples);
	fill_moments(&filling, &stacks->moments, snapshot, &process->stacks);
	free(filling.places);
	free(filling.frames);
	nt_index_fini(&filling.place_of_frame);
	memcpy(process->stacks.happened, stacks->happened, sizeof(stacks->happened));
	process->stacks.frames = frames;
	process->stacks.frame_count = filling.frame_count;
	process->stacks.nodes = filling.nodes;
	process->stacks.node_count = filling.node_count;
	process->stacks.samples = filling.samples;
	process->stacks.evicted = filling.evicted_weight;
}
