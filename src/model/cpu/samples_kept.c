// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/samples_kept.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "model/cpu/shown_frame.h"

#include <stdlib.h>
#include <string.h>

static void forget(struct nt_samples_kept *kept)
{
	free(kept->rows);
	free(kept->stacks);
	free(kept->frames);
	free(kept->threads);
	nt_index_fini(&kept->by_row);
	nt_index_fini(&kept->by_stack);
	nt_index_fini(&kept->by_thread);
	*kept = (struct nt_samples_kept){ .wanted = kept->wanted, .generation = kept->generation };
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
	kept->generation++;
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

/* ---- stacks ---- */

static bool is_stack(const struct nt_samples_kept *kept, uint32_t number, const nt_frame *frames, size_t count)
{
	const struct nt_kept_stack *stack = &kept->stacks[number];
	return stack->count == count && memcmp(kept->frames + stack->first, frames, count * sizeof(*frames)) == 0;
}

/* NT_INDEX_NONE: there is no room for it. */
static uint32_t put_stack(struct nt_samples_kept *kept, const nt_frame *frames, size_t count)
{
	uint64_t hash = nt_hash_bytes(frames, count * sizeof(*frames));
	uint32_t number = nt_index_get(&kept->by_stack, hash);
	if (number != NT_INDEX_NONE && is_stack(kept, number, frames, count))
		return number;
	if (kept->stack_count == NT_SAMPLE_STACKS_MOST || kept->frame_count + count > NT_SAMPLES_KEPT_FRAMES)
		return NT_INDEX_NONE;
	kept->frames = nt_grow(kept->frames, &kept->frame_capacity, kept->frame_count + count, sizeof(*kept->frames));
	kept->stacks = nt_grow(kept->stacks, &kept->stack_capacity, kept->stack_count + 1, sizeof(*kept->stacks));
	number = (uint32_t)kept->stack_count++;
	kept->stacks[number] = (struct nt_kept_stack){ .first = (uint32_t)kept->frame_count, .count = (uint32_t)count };
	memcpy(kept->frames + kept->frame_count, frames, count * sizeof(*frames));
	kept->frame_count += count;
	nt_index_put(&kept->by_stack, hash, number);
	return number;
}

/* Most chains have several samples in an interval, and the same stack as long as they are not resolved anew. */
static uint32_t stack_of(struct nt_samples_kept *kept, struct nt_chain *chain)
{
	if (chain->kept_generation != kept->generation) {
		chain->kept_stack = chain->whole_count ? put_stack(kept, chain->whole, chain->whole_count)
						       : put_stack(kept, chain->frames, chain->frame_count);
		chain->kept_generation = kept->generation;
	}
	return chain->kept_stack;
}

/* ---- rows ---- */

static uint32_t thread_of(struct nt_samples_kept *kept, const struct nt_thread *thread, enum nt_pause_side side)
{
	uint64_t id = thread ? thread->id : 0, key = id << 2 | (uint64_t)side;
	uint32_t number = nt_index_get(&kept->by_thread, key);
	if (number != NT_INDEX_NONE)
		return number;
	kept->threads = nt_grow(kept->threads, &kept->thread_capacity, kept->thread_count + 1, sizeof(*kept->threads));
	number = (uint32_t)kept->thread_count++;
	kept->threads[number] = (struct nt_stack_frame){
		.sort = NT_FRAME_THREAD, .id = id, .tid = thread ? thread->tid : 0, .side = side, .name = thread ? thread->name : NULL
	};
	nt_index_put(&kept->by_thread, key, number);
	return number;
}

static struct nt_sample_row *find_row(const struct nt_samples_kept *kept, uint64_t hash, const struct nt_sample_row *like)
{
	uint32_t number = nt_index_get(&kept->by_row, hash);
	struct nt_sample_row *row = number == NT_INDEX_NONE ? NULL : &kept->rows[number];
	return row && row->part == like->part && row->thread == like->thread && row->stack == like->stack ? row : NULL;
}

/* False: there is no room for it. */
static bool put_row(struct nt_samples_kept *kept, const struct nt_sample_row *like)
{
	uint64_t hash = nt_hash_fold((uint64_t)(uint32_t)like->part << 32 | like->thread, nt_hash_secret[0] ^ like->stack);
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

void nt_samples_kept_add(struct nt_samples_kept *kept, struct nt_chain *chain, nt_frame no_chain, const struct nt_stacks_sample *sample,
			 uint32_t count, const struct nt_span *span)
{
	const struct nt_sample_row row = { .part = part_of(span, sample->time),
					   .count = count,
					   .thread = thread_of(kept, sample->thread, sample->side),
					   .stack = chain ? stack_of(kept, chain) : put_stack(kept, &no_chain, 1) };
	if (row.stack == NT_INDEX_NONE || !put_row(kept, &row))
		kept->left_out += count;
}

/* ---- the snapshot ---- */

/* Of each row of methods: its id, and of which tiers there are frames; 0 = none yet. */
enum { TIER_BITS = 8 };

struct showing {
	const struct nt_resolver *resolver;
	uint64_t *rows;     /* owned: id << TIER_BITS | tiers */
	nt_frame *distinct; /* owned: each frame once */
	size_t distinct_count, distinct_capacity;
};

/* The numbers of rows become ids: those may be given away again. */
static uint64_t show_frame(struct showing *showing, nt_frame frame)
{
	uint64_t *row = &showing->rows[nt_frame_row(frame)];
	if (!(*row >> nt_frame_tier(frame) & 1)) {
		*row |= nt_resolver_key(showing->resolver, nt_frame_row(frame))->id << TIER_BITS | UINT64_C(1) << nt_frame_tier(frame);
		showing->distinct =
			nt_grow(showing->distinct, &showing->distinct_capacity, showing->distinct_count + 1, sizeof(*showing->distinct));
		showing->distinct[showing->distinct_count++] = frame;
	}
	return nt_sample_frame(*row >> TIER_BITS, nt_frame_tier(frame));
}

static void show_stacks(const struct nt_samples_kept *kept, const struct nt_resolver *resolver, struct nt_arena *arena,
			struct nt_interval_samples *out)
{
	nt_frame most = 0;
	for (size_t i = 0; i < kept->frame_count; i++)
		most = kept->frames[i] > most ? kept->frames[i] : most;
	struct showing showing = { .resolver = resolver, .rows = nt_alloc((nt_frame_row(most) + 1u) * sizeof(*showing.rows)) };
	struct nt_sample_stack *stacks = nt_arena_alloc(arena, kept->stack_count * sizeof(*stacks));
	uint64_t *frames = nt_arena_alloc(arena, kept->frame_count * sizeof(*frames));
	for (size_t i = 0; i < kept->frame_count; i++)
		frames[i] = show_frame(&showing, kept->frames[i]);
	for (size_t i = 0; i < kept->stack_count; i++)
		stacks[i] = (struct nt_sample_stack){ .frames = frames + kept->stacks[i].first, .count = kept->stacks[i].count };
	struct nt_stack_frame *shown = nt_arena_alloc(arena, showing.distinct_count * sizeof(*shown));
	for (size_t i = 0; i < showing.distinct_count; i++)
		shown[i] = nt_shown_frame(resolver, showing.distinct[i]);
	out->stack_count = (uint32_t)kept->stack_count;
	out->stacks = stacks;
	out->frame_count = (uint32_t)showing.distinct_count;
	out->frames = shown;
	free(showing.distinct);
	free(showing.rows);
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
		out->thread_count = (uint32_t)kept->thread_count;
		out->threads = memcpy(nt_arena_alloc(snapshot->arena, kept->thread_count * sizeof(*kept->threads)), kept->threads,
				      kept->thread_count * sizeof(*kept->threads));
		show_stacks(kept, resolver, snapshot->arena, out);
	}
	forget(kept);
	kept->generation++;
}
