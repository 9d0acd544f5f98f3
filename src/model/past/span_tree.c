// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_tree.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "model/common/stack_nodes.h"
#include "model/past/row_copy.h"
#include "model/past/row_shapes.h"
#include "nettop/status.h"

#include <stdlib.h>

/* As many as the model keeps of all stacks: what weighs least is evicted, and that is said. */
enum { NODES = 1 << 18 };

void nt_span_tree_init(struct nt_span_tree *tree)
{
	*tree = (struct nt_span_tree){ 0 };
	nt_trie_init(&tree->trie, NODES);
}

void nt_span_tree_fini(struct nt_span_tree *tree)
{
	nt_trie_fini(&tree->trie);
	free(tree->frames);
	free(tree->numbers);
	nt_index_fini(&tree->by_frame);
	nt_index_fini(&tree->by_thread);
	nt_index_fini(&tree->by_stack);
}

/* ---- frames ---- */

/* Its place; `index`: of frames of its sort, where it is under `key`. */
static uint32_t put_frame(struct nt_span_tree *tree, struct nt_index *index, uint64_t key, const struct nt_stack_frame *frame,
			  struct nt_arena *arena)
{
	uint32_t place = nt_index_get(index, key);
	if (place == NT_INDEX_NONE) {
		tree->frames = nt_grow(tree->frames, &tree->frame_capacity, tree->frame_count + 1, sizeof(*tree->frames));
		tree->numbers = nt_grow(tree->numbers, &tree->number_capacity, tree->frame_count + 1, sizeof(*tree->numbers));
		place = (uint32_t)tree->frame_count++;
		tree->frames[place] = *frame;
		nt_row_copy(&nt_stack_frame_shape, &tree->frames[place], arena);
		tree->numbers[place] = frame->sort == NT_FRAME_CODE ? key : 0;
		nt_index_put(index, key, place);
	}
	return place;
}

/* ---- stacks ---- */

/* Is the path that ends in this node this stack of this thread? */
static bool is_stack(const struct nt_span_tree *tree, uint32_t node, uint32_t thread, const struct nt_sample_stack *stack)
{
	const struct nt_trie_node *nodes = tree->trie.nodes;
	for (uint32_t i = 0; i < stack->count; i++, node = nodes[node].parent)
		if (nodes[node].parent == NT_TRIE_ROOT || tree->numbers[nodes[node].label] != stack->frames[i])
			return false;
	return nodes[node].parent == NT_TRIE_ROOT && nodes[node].label == thread;
}

static void make_room(struct nt_span_tree *tree, uint32_t nodes)
{
	if (nt_trie_has_room(&tree->trie, nodes))
		return;
	free(nt_trie_evict(&tree->trie));
	nt_index_fini(&tree->by_stack);
}

/* The node at the end of the stack. */
static uint32_t walk(struct nt_span_tree *tree, uint32_t thread, const struct nt_sample_stack *stack)
{
	make_room(tree, stack->count + 1);
	uint32_t node = nt_trie_child(&tree->trie, NT_TRIE_ROOT, thread);
	for (uint32_t i = stack->count; i-- > 0;) {
		uint32_t place = nt_index_get(&tree->by_frame, stack->frames[i]);
		nt_assert(place != NT_INDEX_NONE);
		node = nt_trie_child(&tree->trie, node, place);
	}
	return node;
}

/* Most stacks come again in the next interval. */
static uint32_t node_of(struct nt_span_tree *tree, uint32_t thread, const struct nt_sample_stack *stack)
{
	uint64_t hash = nt_hash_bytes(stack->frames, stack->count * sizeof(*stack->frames));
	uint64_t key = nt_hash_fold(hash ^ thread, nt_hash_secret[0]);
	uint32_t node = nt_index_get(&tree->by_stack, key);
	if (node != NT_INDEX_NONE && is_stack(tree, node, thread, stack))
		return node;
	node = walk(tree, thread, stack);
	nt_index_put(&tree->by_stack, key, node);
	return node;
}

void nt_span_tree_add(struct nt_span_tree *tree, const struct nt_snapshot *interval, const struct nt_interval_samples *samples,
		      nt_time from, nt_time to, double weight, void *arena)
{
	uint32_t *threads = nt_alloc((samples->thread_count + 1u) * sizeof(*threads));
	bool any = false;
	for (uint32_t i = 0; i < samples->frame_count; i++) {
		const struct nt_stack_frame *frame = &samples->frames[i];
		put_frame(tree, &tree->by_frame, nt_sample_frame(frame->id, frame->tier), frame, arena);
	}
	for (uint32_t i = 0; i < samples->thread_count; i++) {
		const struct nt_stack_frame *thread = &samples->threads[i];
		threads[i] = put_frame(tree, &tree->by_thread, thread->id << 2 | (uint64_t)thread->side, thread, arena);
	}
	for (uint32_t i = 0; i < samples->row_count; i++) {
		const struct nt_sample_row *row = &samples->rows[i];
		nt_time time = nt_sample_start(samples, row, interval->t0, interval->t1);
		if (time < from || time >= to)
			continue;
		uint32_t node = node_of(tree, threads[row->thread], &samples->stacks[row->stack]);
		tree->trie.nodes[node].self += weight * row->count;
		any = true;
	}
	free(threads);
	if (interval->t0 >= from && interval->t1 <= to)
		tree->trie.cut += weight * samples->left_out;
	nt_time coarse = any && samples->folded_to ? samples->folded_to - samples->folded_from : 0;
	tree->coarse_ns = coarse > tree->coarse_ns ? coarse : tree->coarse_ns;
}

/* ---- filling ---- */

static struct nt_stack_frame frame_of(const void *context, uint32_t label, bool root)
{
	const struct nt_span_tree *tree = context;
	(void)root;
	return tree->frames[label];
}

void nt_span_tree_fill(const struct nt_span_tree *tree, enum nt_stacks_wanted wanted, void *arena, struct nt_process_snapshot *process)
{
	struct nt_stack_places places = { 0 };
	process->stacks = (struct nt_stack_tree){ .wanted = wanted, .coarse_ns = tree->coarse_ns };
	nt_stack_nodes_fill(&tree->trie, frame_of, tree, arena, &process->stacks, &places);
	nt_stack_places_fini(&places);
}
