// SPDX-License-Identifier: GPL-2.0-only
/* The tree of call stacks as the snapshot has it. */
#include "model/cpu/stacks_kept.h"

#include "base/arena.h"
#include "model/common/stack_nodes.h"
#include "model/cpu/shown_frame.h"

#include <string.h>

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

static struct nt_stack_frame frame_of(const void *context, uint32_t label, bool root)
{
	const struct nt_stacks *stacks = context;
	return root ? frame_of_thread(stacks, label) : nt_shown_frame(stacks->frames->resolver, label);
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

static uint32_t place_of(const struct nt_stack_places *places, uint32_t node)
{
	if (node == NT_TRIE_ROOT)
		return places->evicted_root;
	return node & NT_TRIE_EVICTED ? places->of_node[node & ~NT_TRIE_EVICTED] + 1 : places->of_node[node];
}

/* All that has a moment weighs 1 at least, so its node was filled. */
static void fill_moments(const struct nt_stack_places *places, struct nt_moments *moments, struct nt_snapshot *snapshot,
			 struct nt_stack_tree *tree)
{
	struct nt_stack_moment *items = nt_arena_alloc(snapshot->arena, moments->count * sizeof(*items));
	nt_moments_sort(moments);
	for (size_t i = 0; i < moments->count; i++) {
		items[i] = moments->items[i];
		items[i].node = place_of(places, items[i].node);
	}
	tree->moments = items;
	tree->moment_count = (uint32_t)moments->count;
	tree->untimed = moments->lost;
}

void nt_stacks_fill(struct nt_stacks *stacks, const struct nt_span *span, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct nt_stack_tree *tree = &process->stacks;
	struct nt_stack_places places = { 0 };
	*tree = (struct nt_stack_tree){ .wanted = stacks->wanted };
	if (stacks->wanted == NT_STACKS_NONE || (nt_stacks_are_of_all(stacks->wanted) && !span->final))
		return;
	size_t lent = lend(stacks);
	nt_stack_nodes_fill(&stacks->trie, frame_of, stacks, snapshot->arena, tree, &places);
	take_back(stacks, lent);
	fill_moments(&places, &stacks->moments, snapshot, tree);
	memcpy(tree->happened, stacks->happened, sizeof(tree->happened));
	nt_stack_places_fini(&places);
}
