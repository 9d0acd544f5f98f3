// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/stacks_kept.h"

#include "base/alloc.h"
#include "model/common/decay.h"
#include "model/common/open_times.h"

#include <stdlib.h>

enum {
	WINDOW_NODES = 1 << 15, /* some 2 MB */
	ALL_NODES = 1 << 18,
	OPEN_LIMIT = 1 << 13,
	OPEN_LIMIT_TIMED = 1 << 16, /* each sample waits by itself */
	PATIENCE = 8,               /* intervals that a sample waits for names */
	PRUNE_EVERY = 16,           /* intervals */
	THREADS_CROWDED = 1024,
};

/* A path weighs nothing when less than this is left of it in the window. */
static const double negligible = 0.005;

void nt_stacks_init(struct nt_stacks *stacks, struct nt_frames *frames)
{
	*stacks = (struct nt_stacks){ .frames = frames, .crowded = THREADS_CROWDED };
	nt_trie_init(&stacks->trie, WINDOW_NODES);
}

void nt_stacks_fini(struct nt_stacks *stacks)
{
	nt_trie_fini(&stacks->trie);
	nt_moments_fini(&stacks->moments);
	nt_index_fini(&stacks->threads_by_label);
	free(stacks->threads);
	free(stacks->open);
}

static void restart(struct nt_stacks *stacks)
{
	uint32_t generation = stacks->trie.generation;
	enum nt_stacks_wanted wanted = stacks->wanted;
	struct nt_frames *frames = stacks->frames;
	nt_stacks_fini(stacks);
	nt_stacks_init(stacks, frames);
	stacks->wanted = wanted;
	stacks->trie.limit = nt_stacks_are_of_all(wanted) ? ALL_NODES : WINDOW_NODES;
	stacks->trie.generation = generation + 1; /* chains remember their nodes */
}

void nt_stacks_want(struct nt_stacks *stacks, enum nt_stacks_wanted wanted)
{
	if (stacks->wanted == wanted)
		return;
	stacks->wanted = wanted;
	restart(stacks);
}

/* ---- one stack ---- */

/* Of what happened and the side one is 0. */
static uint32_t label_of(uint64_t id, uint32_t what, enum nt_pause_side side)
{
	return (uint32_t)(id >> 32) ^ (what | (uint32_t)side) << 28; /* nobody sees a sixteenth of 4 G threads */
}

static uint32_t thread_of(struct nt_stacks *stacks, const struct nt_thread *thread, uint32_t what, enum nt_pause_side side)
{
	uint64_t id = thread ? thread->id : 0;
	uint32_t label = label_of(id, what, side), place = nt_index_get(&stacks->threads_by_label, label);
	if (place == NT_INDEX_NONE) {
		stacks->threads = nt_grow(stacks->threads, &stacks->thread_capacity, stacks->thread_count + 1, sizeof(*stacks->threads));
		place = (uint32_t)stacks->thread_count++;
		stacks->threads[place] = (struct nt_stacks_thread){ .id = id, .tid = thread ? thread->tid : 0, .what = what, .side = side };
		nt_index_put(&stacks->threads_by_label, label, place);
	}
	if (thread && thread->name)
		stacks->threads[place].name = thread->name;
	return label;
}

/* `chain` NULL: the sample has none. */
static void find_path(struct nt_stacks *stacks, const struct nt_chain *chain, nt_time time)
{
	stacks->depth = chain ? nt_frames_path(stacks->frames, chain, time, stacks->path) : 0;
	if (!stacks->depth)
		stacks->path[stacks->depth++] = nt_frame_pack(nt_resolver_no_chain(stacks->frames->resolver), NT_TIER_UNKNOWN);
}

/* The node at the end of the path in this thread. There is room for it. */
static uint32_t walk(struct nt_stacks *stacks, uint32_t thread)
{
	uint32_t node = nt_trie_child(&stacks->trie, NT_TRIE_ROOT, thread);
	for (uint32_t i = 0; i < stacks->depth; i++)
		node = nt_trie_child(&stacks->trie, node, stacks->path[i]);
	return node;
}

static void weigh(struct nt_stacks *stacks, uint32_t node, double weight)
{
	stacks->trie.nodes[node].self += weight;
}

/* To stay. */
static void count_at(struct nt_stacks *stacks, uint32_t node, double weight, nt_time time)
{
	weigh(stacks, node, weight);
	if (nt_stacks_are_timed(stacks->wanted))
		nt_moments_add(&stacks->moments, time, node, weight < UINT32_MAX ? (uint32_t)weight : UINT32_MAX);
}

static void make_room(struct nt_stacks *stacks)
{
	if (nt_trie_has_room(&stacks->trie, stacks->depth + 1))
		return;
	uint32_t *numbers = nt_trie_evict(&stacks->trie);
	nt_moments_renumber(&stacks->moments, numbers);
	free(numbers);
}

/* Its names are final, or as good as they will get. */
static void put_in(struct nt_stacks *stacks, const struct nt_open_stack *open)
{
	find_path(stacks, open->chain, open->time);
	make_room(stacks);
	count_at(stacks, walk(stacks, open->thread), open->weight, open->time);
}

bool nt_stacks_lend(struct nt_stacks *stacks, const struct nt_open_stack *open)
{
	find_path(stacks, open->chain, open->time);
	if (!nt_trie_has_room(&stacks->trie, stacks->depth + 1))
		return false;
	weigh(stacks, walk(stacks, open->thread), open->weight);
	return true;
}

void nt_stacks_take_back(struct nt_stacks *stacks, const struct nt_open_stack *open)
{
	find_path(stacks, open->chain, open->time);
	weigh(stacks, walk(stacks, open->thread), -open->weight);
}

/* ---- an interval ---- */

static void put_in_some(struct nt_stacks *stacks, bool (*is_ready)(const struct nt_open_stack *open, const void *context),
			const void *context)
{
	size_t kept = 0;
	for (size_t i = 0; i < stacks->open_count; i++) {
		if (is_ready(&stacks->open[i], context))
			put_in(stacks, &stacks->open[i]);
		else
			stacks->open[kept++] = stacks->open[i];
	}
	stacks->open_count = kept;
}

static bool has_waited(const struct nt_open_stack *open, const void *context)
{
	const struct nt_span *span = context;
	return !open->chain->provisional || open->since + PATIENCE <= span->number;
}

static bool is_any(const struct nt_open_stack *open, const void *context)
{
	(void)open;
	(void)context;
	return true;
}

static bool is_of(const struct nt_open_stack *open, const void *context)
{
	return open->chain->ids == context;
}

/* Programs that start threads without end must not make us grow without end. */
static void forget_threads(struct nt_stacks *stacks)
{
	struct nt_index needed = { 0 };
	size_t kept = 0;
	for (uint32_t i = 0; i < stacks->trie.count; i++)
		if (stacks->trie.nodes[i].parent == NT_TRIE_ROOT)
			nt_index_put(&needed, stacks->trie.nodes[i].label, 1);
	for (size_t i = 0; i < stacks->open_count; i++)
		nt_index_put(&needed, stacks->open[i].thread, 1);
	nt_index_fini(&stacks->threads_by_label);
	for (size_t i = 0; i < stacks->thread_count; i++) {
		const struct nt_stacks_thread thread = stacks->threads[i];
		uint32_t label = label_of(thread.id, thread.what, thread.side);
		if (nt_index_get(&needed, label) == NT_INDEX_NONE)
			continue;
		nt_index_put(&stacks->threads_by_label, label, (uint32_t)kept);
		stacks->threads[kept++] = thread;
	}
	nt_index_fini(&needed);
	stacks->thread_count = kept;
	stacks->crowded = kept * 2 > THREADS_CROWDED ? kept * 2 : THREADS_CROWDED;
}

void nt_stacks_advance(struct nt_stacks *stacks, const struct nt_span *span)
{
	if (stacks->wanted == NT_STACKS_NONE)
		return;
	if (stacks->wanted == NT_STACKS_WINDOW) {
		nt_trie_decay(&stacks->trie, span->decay);
		for (size_t i = 0; i < stacks->open_count; i++)
			stacks->open[i].weight *= span->decay;
		if (span->number % PRUNE_EVERY == 0)
			nt_trie_prune(&stacks->trie, negligible);
	}
	size_t limit = nt_stacks_are_timed(stacks->wanted) ? OPEN_LIMIT_TIMED : OPEN_LIMIT;
	put_in_some(stacks, stacks->open_count < limit && !span->final ? has_waited : is_any, span);
	if (stacks->thread_count > stacks->crowded)
		forget_threads(stacks);
}

/* Samples of one chain and one thread that were taken at nearly the same time wait as one, unless each one's time is wanted. */
static void wait_for_names(struct nt_stacks *stacks, struct nt_chain *chain, uint32_t thread, nt_time time, double weight,
			   const struct nt_span *span)
{
	if (!nt_stacks_are_timed(stacks->wanted) && chain->stack_generation == 0 && chain->stack_place < stacks->open_count) {
		struct nt_open_stack *open = &stacks->open[chain->stack_place];
		if (open->chain == chain && open->thread == thread && open->since == span->number && time >= open->time &&
		    time - open->time < NT_OPEN_TOGETHER_NS) {
			open->weight += weight;
			return;
		}
	}
	chain->stack_place = (uint32_t)stacks->open_count;
	chain->stack_generation = 0;
	stacks->open = nt_grow(stacks->open, &stacks->open_capacity, stacks->open_count + 1, sizeof(*stacks->open));
	stacks->open[stacks->open_count++] =
		(struct nt_open_stack){ .chain = chain, .thread = thread, .weight = weight, .time = time, .since = span->number };
}

/* The node of a path without names that could still change. */
static uint32_t node_of(struct nt_stacks *stacks, struct nt_chain *chain, uint32_t thread, nt_time time)
{
	if (chain && chain->stack_generation == stacks->trie.generation && chain->stack_thread == thread)
		return chain->stack_place;
	find_path(stacks, chain, time);
	make_room(stacks);
	uint32_t node = walk(stacks, thread);
	if (chain) {
		chain->stack_place = node;
		chain->stack_thread = thread;
		chain->stack_generation = stacks->trie.generation;
	}
	return node;
}

void nt_stacks_count(struct nt_stacks *stacks, struct nt_chain *chain, const struct nt_stacks_sample *sample, const struct nt_span *span)
{
	if (stacks->wanted == NT_STACKS_NONE)
		return;
	enum nt_pause_side side = nt_stacks_have_sides(stacks->wanted) ? sample->side : NT_SIDE_NOT_TOLD;
	uint32_t thread = thread_of(stacks, sample->thread, sample->what, side);
	if (chain && chain->provisional && !span->final)
		wait_for_names(stacks, chain, thread, sample->time, sample->weight, span);
	else
		count_at(stacks, node_of(stacks, chain, thread, sample->time), sample->weight, sample->time);
}

void nt_stacks_keep_open(struct nt_stacks *stacks, const struct nt_ids *ids)
{
	for (size_t i = 0; i < stacks->open_count; i++)
		if (stacks->open[i].chain->ids == ids)
			stacks->open[i].chain = nt_ids_keep(stacks->open[i].chain);
}

void nt_stacks_forget(struct nt_stacks *stacks, const struct nt_ids *ids)
{
	put_in_some(stacks, is_of, ids);
}

void nt_stacks_each_key(const struct nt_stacks *stacks, void (*visit)(uint32_t key, void *context), void *context)
{
	for (uint32_t i = 0; i < stacks->trie.count; i++)
		if (stacks->trie.nodes[i].parent != NT_TRIE_ROOT)
			visit(nt_frame_row(stacks->trie.nodes[i].label), context);
}
