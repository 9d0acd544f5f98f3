// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/samples_kept.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static void forget(struct nt_samples_kept *kept)
{
	free(kept->rows);
	free(kept->stacks);
	free(kept->frames);
	nt_index_fini(&kept->by_row);
	nt_index_fini(&kept->by_stack);
	*kept = (struct nt_samples_kept){ .wanted = kept->wanted };
}

void nt_samples_kept_fini(struct nt_samples_kept *kept)
{
	forget(kept);
	kept->wanted = false;
}

void nt_samples_kept_want(struct nt_samples_kept *kept, bool wanted)
{
	if (!wanted)
		forget(kept);
	kept->wanted = wanted;
}

/* Rounded up: what was taken before the interval is in none of its parts. */
static int32_t parts_in(nt_time gap, nt_time length, bool up)
{
	if (gap / length >= NT_SAMPLE_PARTS_MOST / NT_INTERVAL_PARTS)
		return NT_SAMPLE_PARTS_MOST;
	return (int32_t)((gap * NT_INTERVAL_PARTS + (up ? length - 1 : 0)) / length);
}

static int32_t part_of(const struct nt_span *span, nt_time time)
{
	nt_time length = nt_span_length(span);
	if (!length)
		return 0;
	return time < span->t0 ? -parts_in(span->t0 - time, length, true) : parts_in(time - span->t0, length, false);
}

static bool is_stack(const struct nt_samples_kept *kept, uint32_t number, const nt_frame *frames, size_t count)
{
	const struct nt_kept_stack *stack = &kept->stacks[number];
	if (stack->count != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (kept->frames[stack->first + i] != nt_frame_row(frames[i]))
			return false;
	return true;
}

/* NT_INDEX_NONE: there is no room for it. */
static uint32_t put_stack(struct nt_samples_kept *kept, const nt_frame *frames, size_t count)
{
	uint64_t hash = count;
	for (size_t i = 0; i < count; i++)
		hash = nt_hash_fold(hash ^ nt_frame_row(frames[i]), nt_hash_secret[0]);
	uint32_t number = nt_index_get(&kept->by_stack, hash);
	if (number != NT_INDEX_NONE && is_stack(kept, number, frames, count))
		return number;
	if (kept->stack_count == NT_SAMPLE_STACKS_MOST || kept->frame_count + count > NT_SAMPLES_KEPT_FRAMES)
		return NT_INDEX_NONE;
	kept->frames = nt_grow(kept->frames, &kept->frame_capacity, kept->frame_count + count, sizeof(*kept->frames));
	kept->stacks = nt_grow(kept->stacks, &kept->stack_capacity, kept->stack_count + 1, sizeof(*kept->stacks));
	number = (uint32_t)kept->stack_count++;
	kept->stacks[number] = (struct nt_kept_stack){ .first = (uint32_t)kept->frame_count, .count = (uint32_t)count };
	for (size_t i = 0; i < count; i++)
		kept->frames[kept->frame_count++] = nt_frame_row(frames[i]);
	nt_index_put(&kept->by_stack, hash, number);
	return number;
}

static struct nt_sample_row *find_row(const struct nt_samples_kept *kept, uint64_t hash, const struct nt_sample_row *like)
{
	uint32_t number = nt_index_get(&kept->by_row, hash);
	struct nt_sample_row *row = number == NT_INDEX_NONE ? NULL : &kept->rows[number];
	return row && row->part == like->part && row->tid == like->tid && row->stack == like->stack ? row : NULL;
}

/* False: there is no room for it. */
static bool put_row(struct nt_samples_kept *kept, const struct nt_sample_row *like)
{
	uint64_t hash = nt_hash_fold((uint64_t)(uint32_t)like->part << 32 | like->tid, nt_hash_secret[0] ^ like->stack);
	struct nt_sample_row *row = find_row(kept, hash, like);
	if (row) {
		row->count += like->count;
		return true;
	}
	if (kept->row_count == NT_SAMPLE_ROWS_MOST)
		return false;
	kept->rows = nt_grow(kept->rows, &kept->row_capacity, kept->row_count + 1, sizeof(*kept->rows));
	nt_index_put(&kept->by_row, hash, (uint32_t)kept->row_count);
	kept->rows[kept->row_count++] = *like;
	return true;
}

void nt_samples_kept_add(struct nt_samples_kept *kept, nt_time time, uint32_t count, uint32_t tid, const nt_frame *frames,
			 size_t frame_count, const struct nt_span *span)
{
	const struct nt_sample_row row = {
		.part = part_of(span, time), .count = count, .tid = tid, .stack = put_stack(kept, frames, frame_count)
	};
	if (row.stack == NT_INDEX_NONE || !put_row(kept, &row))
		kept->left_out += count;
}

/* The numbers of rows become ids: those may be given away again. */
static const struct nt_sample_stack *show_stacks(const struct nt_samples_kept *kept, const struct nt_resolver *resolver,
						 struct nt_arena *arena)
{
	struct nt_sample_stack *stacks = nt_arena_alloc(arena, kept->stack_count * sizeof(*stacks));
	uint64_t *ids = nt_arena_alloc(arena, kept->frame_count * sizeof(*ids));
	for (size_t i = 0; i < kept->frame_count; i++)
		ids[i] = nt_resolver_key(resolver, kept->frames[i])->id;
	for (size_t i = 0; i < kept->stack_count; i++)
		stacks[i] = (struct nt_sample_stack){ .methods = ids + kept->stacks[i].first, .count = kept->stacks[i].count };
	return stacks;
}

void nt_samples_kept_close(struct nt_samples_kept *kept, const struct nt_resolver *resolver, struct nt_snapshot *snapshot,
			   struct nt_interval_samples *out)
{
	out->kept = out->known;
	out->left_out = kept->left_out;
	if (kept->row_count) {
		out->row_count = (uint32_t)kept->row_count;
		out->rows = memcpy(nt_arena_alloc(snapshot->arena, kept->row_count * sizeof(*kept->rows)), kept->rows,
				   kept->row_count * sizeof(*kept->rows));
		out->stack_count = (uint32_t)kept->stack_count;
		out->stacks = show_stacks(kept, resolver, snapshot->arena);
	}
	forget(kept);
}
