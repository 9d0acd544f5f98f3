// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_hot.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/index.h"

#include <stdlib.h>
#include <string.h>

/* A part of the samples: a side of the pauses by its number, and behind those the threads, as the process has their rows. */
struct parts {
	const struct nt_process_snapshot *process;
	size_t count;
	double *samples;         /* owned: in each */
	struct nt_index threads; /* id of a row -> its part */
	struct entry *entries;   /* owned */
	size_t entry_count;
};

/* Samples of a part with this method as their leaf. */
struct entry {
	size_t part;
	const struct nt_stack_frame *method;
	double samples;
};

/* ---- counting ---- */

static void put(struct parts *parts, size_t part, const struct nt_stack_node *node)
{
	const struct nt_stack_frame *frame = &parts->process->stacks.frames[node->frame];
	parts->samples[part] += node->self;
	if (frame->sort == NT_FRAME_CODE)
		parts->entries[parts->entry_count++] = (struct entry){ part, frame, node->self };
}

static void count(struct parts *parts)
{
	const struct nt_stack_tree *tree = &parts->process->stacks;
	uint32_t *roots = nt_realloc(NULL, tree->node_count + 1, sizeof(*roots));
	for (uint32_t i = 0; i < tree->node_count; i++) {
		const struct nt_stack_node *node = &tree->nodes[i];
		roots[i] = node->parent == NT_STACK_ROOT ? i : roots[node->parent];
		const struct nt_stack_frame *thread = &tree->frames[tree->nodes[roots[i]].frame];
		if (node->self <= 0 || thread->sort != NT_FRAME_THREAD)
			continue;
		put(parts, thread->side, node);
		uint32_t row = nt_index_get(&parts->threads, thread->id);
		if (row != NT_INDEX_NONE)
			put(parts, row, node);
	}
	free(roots);
}

/* ---- the hottest ---- */

static int by_method(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return x->method->id < y->method->id ? -1 : x->method->id > y->method->id;
}

static int by_samples(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return by_method(a, b);
}

/* A method is one entry of its part, whatever called it and whichever of its tiers ran. */
static void join(struct parts *parts)
{
	struct entry *entries = parts->entries;
	size_t kept = 0;
	qsort(entries, parts->entry_count, sizeof(*entries), by_method);
	for (size_t i = 0; i < parts->entry_count; i++) {
		if (kept && by_method(&entries[kept - 1], &entries[i]) == 0)
			entries[kept - 1].samples += entries[i].samples;
		else
			entries[kept++] = entries[i];
	}
	parts->entry_count = kept;
	qsort(entries, kept, sizeof(*entries), by_samples);
}

/* The first of `count` entries of one part. */
static const struct nt_hot_method *hottest(const struct entry *entries, size_t count, double samples, struct nt_arena *arena)
{
	struct nt_hot_method *hot = nt_arena_alloc(arena, count * sizeof(*hot));
	for (size_t i = 0; i < count; i++)
		hot[i] = (struct nt_hot_method){ .method_id = entries[i].method->id,
						 .name = entries[i].method->name,
						 .samples = entries[i].samples,
						 .pct = 100 * entries[i].samples / samples };
	return hot;
}

static void fill_part(struct parts *parts, size_t part, const struct entry *entries, size_t count, struct nt_arena *arena,
		      struct nt_process_snapshot *process)
{
	double samples = parts->samples[part];
	size_t hot_count = count < NT_HOT_METHODS ? count : NT_HOT_METHODS;
	const struct nt_hot_method *hot = count ? hottest(entries, hot_count, samples, arena) : NULL;
	if (part < NT_PAUSE_SIDES) {
		/* Of the samples that are on neither side nothing is told. */
		if (part != NT_SIDE_NOT_TOLD)
			process->pause_samples.parts[part] = (struct nt_pause_part){ hot, hot_count, samples };
		return;
	}
	struct nt_thread_row *row = &process->threads[part - NT_PAUSE_SIDES];
	row->hot = hot;
	row->hot_count = (uint32_t)hot_count;
	row->window_samples = samples;
}

static void fill(struct parts *parts, struct nt_arena *arena, struct nt_process_snapshot *process)
{
	size_t at = 0;
	for (size_t part = 0; part < parts->count; part++) {
		size_t first = at;
		while (at < parts->entry_count && parts->entries[at].part == part)
			at++;
		fill_part(parts, part, parts->entries + first, at - first, arena, process);
	}
	process->pause_samples.told = process->stacks.samples > 0 && parts->samples[NT_SIDE_NOT_TOLD] <= 0;
}

void nt_span_hot_fill(void *arena, struct nt_process_snapshot *process)
{
	struct parts parts = { .process = process, .count = NT_PAUSE_SIDES + process->thread_count };
	process->pause_samples = (struct nt_pause_samples){ 0 };
	parts.samples = nt_alloc(parts.count * sizeof(*parts.samples));
	parts.entries = nt_realloc(NULL, 2 * (size_t)process->stacks.node_count + 1, sizeof(*parts.entries));
	for (size_t i = 0; i < process->thread_count; i++)
		nt_index_put(&parts.threads, process->threads[i].id, (uint32_t)(NT_PAUSE_SIDES + i));
	count(&parts);
	join(&parts);
	fill(&parts, arena, process);
	nt_index_fini(&parts.threads);
	free(parts.samples);
	free(parts.entries);
}
