// SPDX-License-Identifier: GPL-2.0-only
#include "ui/calls/call_index.h"

#include "base/alloc.h"
#include "base/index.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = NT_STACK_ROOT };

static uint32_t parent_of(const struct nt_call_index *index, uint32_t node)
{
	return index->tree->nodes[node].parent;
}

static bool is_runtime(const struct nt_call_index *index, uint32_t node)
{
	const struct nt_stack_frame *frame = nt_call_frame_of(index, node);
	return frame->sort == NT_FRAME_CODE && frame->kind == NT_CODE_RUNTIME;
}

static bool is_method(const struct nt_call_index *index, uint32_t node)
{
	const struct nt_stack_frame *frame = nt_call_frame_of(index, node);
	return frame->sort == NT_FRAME_CODE && frame->id == index->query->method;
}

/* Is it called by the runtime's own code, of which it is itself? */
static bool is_folded(const struct nt_call_index *index, uint32_t node)
{
	uint32_t caller = parent_of(index, node);
	return !index->query->unfolded && caller != NONE && is_runtime(index, node) && is_runtime(index, caller);
}

/* Is it left out because only the program's own methods are looked at? What it takes is theirs who called it. */
static bool is_foreign(const struct nt_call_index *index, const struct nt_stack_frame *frame)
{
	return index->query->hide & NT_HIDE_FOREIGN && frame->sort == NT_FRAME_CODE && !frame->own && frame->id != index->query->method;
}

/* ---- making it ---- */

static void add_up(struct nt_call_index *index)
{
	for (uint32_t i = index->tree->node_count; i-- > 0;) { /* what is below a node comes after it */
		uint32_t caller = parent_of(index, i);
		double self = index->tree->nodes[i].self;
		index->selfs[i] += self;
		index->totals[i] += self;
		if (caller == NONE)
			continue;
		index->totals[caller] += index->totals[i];
		if (is_folded(index, i) || is_foreign(index, nt_call_frame_of(index, i)))
			index->selfs[caller] += index->selfs[i];
		index->next[i] = index->first_child[caller];
		index->first_child[caller] = i;
	}
}

/* Threads that were too many to keep each are of all samples only. */
static bool is_looked_at(const struct nt_call_index *index, uint32_t root)
{
	const struct nt_restriction *restricted = index->query->restricted;
	const struct nt_stack_frame *thread = nt_call_frame_of(index, root);
	if (nt_part_is_of_pauses(restricted->part))
		return thread->sort == NT_FRAME_THREAD && thread->side == nt_part_side(restricted->part);
	return restricted->part != NT_PART_THREAD || thread->id == restricted->thread_id;
}

void nt_call_index_init(struct nt_call_index *index, const struct nt_stack_tree *tree, const struct nt_call_query *query)
{
	size_t count = tree->node_count + 1u;
	*index = (struct nt_call_index){ .tree = tree, .query = query };
	index->totals = nt_alloc(count * sizeof(*index->totals));
	index->selfs = nt_alloc(count * sizeof(*index->selfs));
	index->first_child = nt_realloc(NULL, count, sizeof(*index->first_child));
	index->next = nt_realloc(NULL, count, sizeof(*index->next));
	memset(index->first_child, 0xff, count * sizeof(*index->first_child));
	memset(index->next, 0xff, count * sizeof(*index->next));
	add_up(index);
	for (uint32_t i = 0; i < tree->node_count; i++)
		if (parent_of(index, i) == NONE && is_looked_at(index, i))
			index->samples += index->totals[i];
}

void nt_call_index_fini(struct nt_call_index *index)
{
	free(index->totals);
	free(index->selfs);
	free(index->first_child);
	free(index->next);
	*index = (struct nt_call_index){ 0 };
}

/* ---- walking it ---- */

static void add(struct nt_call_places *out, uint32_t node, double total, double self)
{
	out->items = nt_grow(out->items, &out->capacity, out->count + 1, sizeof(*out->items));
	out->items[out->count++] = (struct nt_call_place){ .node = node, .total = total, .self = self };
}

/*
 * Of recursion each sample counts once: whom the method called is told below its outermost frame, who called it above its innermost.
 */
void nt_call_index_method(const struct nt_call_index *index, struct nt_call_places *out)
{
	uint32_t count = index->tree->node_count;
	bool *below = nt_alloc((count + 1u) * sizeof(*below)), *counts = nt_alloc((count + 1u) * sizeof(*counts));
	double *nested = nt_alloc((count + 1u) * sizeof(*nested)); /* samples in which the method is again below this node */
	for (uint32_t i = 0; i < count; i++) {
		uint32_t caller = parent_of(index, i);
		counts[i] = caller == NONE ? is_looked_at(index, i) : counts[caller];
		below[i] = caller != NONE && (below[caller] || is_method(index, caller));
	}
	for (uint32_t i = count; i-- > 0;) {
		uint32_t caller = parent_of(index, i);
		if (caller != NONE)
			nested[caller] += is_method(index, i) ? index->totals[i] : nested[i];
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!counts[i] || !is_method(index, i))
			continue;
		if (index->query->callers)
			add(out, i, index->totals[i] - nested[i], index->selfs[i]);
		else if (!below[i])
			add(out, i, index->totals[i], index->selfs[i]);
	}
	free(below);
	free(counts);
	free(nested);
}

static bool is_hidden(const struct nt_call_index *index, const struct nt_stack_frame *frame)
{
	const struct nt_restriction *restricted = index->query->restricted;
	bool kernel = frame->kind == NT_CODE_KERNEL;
	if (frame->sort != NT_FRAME_CODE)
		return false;
	if (is_foreign(index, frame))
		return true;
	if ((index->query->hide & NT_HIDE_KERNEL && kernel) || (index->query->hide & NT_HIDE_USER && !kernel))
		return true;
	if (restricted->part == NT_PART_KIND)
		return frame->kind != restricted->kind;
	if (restricted->part == NT_PART_MODULE)
		return !nt_restriction_is_of(restricted, frame->module);
	return false;
}

static void add_callees(const struct nt_call_index *index, uint32_t node, struct nt_call_places *out)
{
	for (uint32_t i = index->first_child[node]; i != NONE; i = index->next[i]) {
		if (is_folded(index, i) || is_hidden(index, nt_call_frame_of(index, i)))
			add_callees(index, i, out);
		else
			add(out, i, index->totals[i], index->selfs[i]);
	}
}

void nt_call_index_next(const struct nt_call_index *index, const struct nt_call_place *place, struct nt_call_places *out)
{
	if (!index->query->callers) {
		add_callees(index, place->node, out);
		return;
	}
	uint32_t below = place->node, node = parent_of(index, below);
	while (node != NONE && (is_folded(index, below) || is_hidden(index, nt_call_frame_of(index, node)))) {
		below = node;
		node = parent_of(index, node);
	}
	if (node != NONE)
		add(out, node, place->total, place->self);
}

/* ---- threads ---- */

static uint32_t root_of(const struct nt_call_index *index, uint32_t node)
{
	while (parent_of(index, node) != NONE)
		node = parent_of(index, node);
	return node;
}

const struct nt_stack_frame *nt_call_index_thread(const struct nt_call_index *index, const struct nt_call_place *places, size_t count)
{
	double *weights = nt_alloc((index->tree->node_count + 1u) * sizeof(*weights)), most = 0; /* at the first root of each thread */
	struct nt_index first_of_thread = { 0 };
	const struct nt_stack_frame *thread = NULL;
	for (size_t i = 0; i < count; i++) {
		uint32_t root = root_of(index, places[i].node);
		const struct nt_stack_frame *frame = nt_call_frame_of(index, root);
		if (frame->sort != NT_FRAME_THREAD)
			continue;
		uint32_t first = nt_index_get(&first_of_thread, frame->id);
		if (first == NT_INDEX_NONE)
			nt_index_put(&first_of_thread, frame->id, first = root);
		weights[first] += places[i].total;
		if (weights[first] > most) {
			most = weights[first];
			thread = frame;
		}
	}
	nt_index_fini(&first_of_thread);
	free(weights);
	return thread;
}
