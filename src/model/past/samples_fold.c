// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/samples_fold.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"

#include <stdlib.h>
#include <string.h>

/* Lists that become one, each with what is in it already. */
struct folding {
	struct nt_sample_row *rows; /* all owned */
	struct nt_sample_stack *stacks;
	struct nt_stack_frame *frames, *threads;
	size_t row_count, row_capacity, stack_count, stack_capacity, frame_count, frame_capacity, thread_count, thread_capacity;
	struct nt_index by_row, by_stack, by_frame, by_thread;
};

static uint32_t put_frame(struct nt_stack_frame **frames, size_t *count, size_t *capacity, struct nt_index *index, uint64_t key,
			  const struct nt_stack_frame *frame)
{
	uint32_t number = nt_index_get(index, key);
	if (number == NT_INDEX_NONE) {
		*frames = nt_grow(*frames, capacity, *count + 1, sizeof(**frames));
		number = (uint32_t)(*count)++;
		nt_index_put(index, key, number);
	}
	(*frames)[number] = *frame; /* its newest name */
	return number;
}

static uint32_t put_thread(struct folding *folding, const struct nt_stack_frame *thread)
{
	return put_frame(&folding->threads, &folding->thread_count, &folding->thread_capacity, &folding->by_thread,
			 thread->id << 2 | (uint64_t)thread->side, thread);
}

static bool is_same(const struct nt_sample_stack *a, const struct nt_sample_stack *b)
{
	return a->count == b->count && memcmp(a->frames, b->frames, a->count * sizeof(*a->frames)) == 0;
}

static uint32_t put_stack(struct folding *folding, const struct nt_sample_stack *stack)
{
	uint64_t hash = nt_hash_bytes(stack->frames, stack->count * sizeof(*stack->frames));
	uint32_t number = nt_index_get(&folding->by_stack, hash);
	if (number != NT_INDEX_NONE && is_same(&folding->stacks[number], stack))
		return number;
	folding->stacks = nt_grow(folding->stacks, &folding->stack_capacity, folding->stack_count + 1, sizeof(*folding->stacks));
	number = (uint32_t)folding->stack_count++;
	folding->stacks[number] = *stack;
	nt_index_put(&folding->by_stack, hash, number);
	return number;
}

static void put_row(struct folding *folding, uint32_t thread, uint32_t stack, uint32_t count)
{
	uint64_t key = (uint64_t)thread << 32 | stack;
	uint32_t number = nt_index_get(&folding->by_row, key);
	if (number == NT_INDEX_NONE) {
		folding->rows = nt_grow(folding->rows, &folding->row_capacity, folding->row_count + 1, sizeof(*folding->rows));
		number = (uint32_t)folding->row_count++;
		folding->rows[number] = (struct nt_sample_row){ .thread = thread, .stack = stack };
		nt_index_put(&folding->by_row, key, number);
	}
	folding->rows[number].count += count;
}

static void add(struct folding *folding, const struct nt_interval_samples *samples)
{
	uint32_t *threads = nt_alloc((samples->thread_count + 1u) * sizeof(*threads));
	uint32_t *stacks = nt_alloc((samples->stack_count + 1u) * sizeof(*stacks));
	for (uint32_t i = 0; i < samples->thread_count; i++)
		threads[i] = put_thread(folding, &samples->threads[i]);
	for (uint32_t i = 0; i < samples->stack_count; i++)
		stacks[i] = put_stack(folding, &samples->stacks[i]);
	for (uint32_t i = 0; i < samples->frame_count; i++) {
		const struct nt_stack_frame *frame = &samples->frames[i];
		put_frame(&folding->frames, &folding->frame_count, &folding->frame_capacity, &folding->by_frame,
			  nt_sample_frame(frame->id, frame->tier), frame);
	}
	for (uint32_t i = 0; i < samples->row_count; i++) {
		const struct nt_sample_row *row = &samples->rows[i];
		put_row(folding, threads[row->thread], stacks[row->stack], row->count);
	}
	free(threads);
	free(stacks);
}

/* What was counted, and when, in fiftieths, and what was left out, stays with each interval. */
static void empty(struct nt_interval_samples *samples, nt_time from, nt_time to)
{
	samples->rows = NULL;
	samples->stacks = NULL;
	samples->frames = samples->threads = NULL;
	samples->row_count = samples->stack_count = samples->frame_count = samples->thread_count = 0;
	samples->folded_from = from;
	samples->folded_to = to;
}

static const void *copy(struct nt_arena *arena, const void *from, size_t count, size_t size)
{
	return count ? memcpy(nt_arena_alloc(arena, count * size), from, count * size) : NULL;
}

static void fill(const struct folding *folding, struct nt_arena *arena, struct nt_interval_samples *samples)
{
	samples->rows = copy(arena, folding->rows, folding->row_count, sizeof(*folding->rows));
	samples->row_count = (uint32_t)folding->row_count;
	samples->stacks = copy(arena, folding->stacks, folding->stack_count, sizeof(*folding->stacks));
	samples->stack_count = (uint32_t)folding->stack_count;
	samples->frames = copy(arena, folding->frames, folding->frame_count, sizeof(*folding->frames));
	samples->frame_count = (uint32_t)folding->frame_count;
	samples->threads = copy(arena, folding->threads, folding->thread_count, sizeof(*folding->threads));
	samples->thread_count = (uint32_t)folding->thread_count;
}

static void fini(struct folding *folding)
{
	free(folding->rows);
	free(folding->stacks);
	free(folding->frames);
	free(folding->threads);
	nt_index_fini(&folding->by_row);
	nt_index_fini(&folding->by_stack);
	nt_index_fini(&folding->by_frame);
	nt_index_fini(&folding->by_thread);
}

static void fold(struct nt_snapshot *const *intervals, size_t count, struct nt_process_snapshot *last)
{
	struct folding folding = { 0 };
	nt_time from = intervals[0]->t0, to = intervals[count - 1]->t1;
	for (size_t i = 0; i < count; i++)
		for (size_t p = 0; p < intervals[i]->process_count; p++) {
			struct nt_process_snapshot *process = &intervals[i]->processes[p];
			if (process->target.pid != last->target.pid || !process->interval_samples.kept)
				continue;
			add(&folding, &process->interval_samples);
			empty(&process->interval_samples, from, to);
		}
	fill(&folding, intervals[count - 1]->arena, &last->interval_samples);
	fini(&folding);
}

void nt_samples_fold(struct nt_snapshot *const *intervals, size_t count)
{
	struct nt_snapshot *last = intervals[count - 1];
	for (size_t i = 0; i < last->process_count; i++)
		if (last->processes[i].interval_samples.kept)
			fold(intervals, count, &last->processes[i]);
}
