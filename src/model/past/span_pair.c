// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_pair.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "model/past/batch_change.h"

#include <stdlib.h>
#include <string.h>

void nt_span_pair_fini(struct nt_span_pair *pair)
{
	for (size_t i = 0; i < pair->count; i++)
		for (int figure = 0; figure < NT_PAIR_FIGURES; figure++)
			for (int side = 0; side < NT_PAIR_SIDES; side++)
				free(pair->rows[i].figures[figure].amounts[side]);
	for (int side = 0; side < NT_PAIR_SIDES; side++) {
		free(pair->spans[side].seconds);
		for (int figure = 0; figure < NT_PAIR_FIGURES; figure++)
			free(pair->spans[side].totals[figure]);
	}
	free(pair->rows);
	nt_index_fini(&pair->by_name);
	*pair = (struct nt_span_pair){ 0 };
}

/* ---- rows ---- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* One name is one row, in however many forms a method was compiled. Two names of one hash: the next key is tried. */
size_t nt_span_pair_row(struct nt_span_pair *pair, const char *name, const char *module)
{
	uint64_t key = nt_hash_bytes(name, strlen(name));
	for (;; key++) {
		uint32_t place = nt_index_get(&pair->by_name, key);
		if (place == NT_INDEX_NONE)
			break;
		if (same_text(pair->rows[place].name, name) && same_text(pair->rows[place].module, module))
			return place;
	}
	pair->rows = nt_grow(pair->rows, &pair->capacity, pair->count + 1, sizeof(*pair->rows));
	pair->rows[pair->count] =
		(struct nt_pair_row){ .name = nt_arena_copy(pair->arena, name), .module = nt_arena_copy(pair->arena, module) };
	nt_index_put(&pair->by_name, key, (uint32_t)pair->count);
	return pair->count++;
}

void nt_span_pair_add(struct nt_span_pair *pair, enum nt_pair_side side, size_t row, unsigned figure, size_t batch, double amount,
		      double count)
{
	struct nt_pair_figure *to = &pair->rows[row].figures[figure];
	if (!to->amounts[side])
		to->amounts[side] = nt_alloc(pair->spans[side].count * sizeof(*to->amounts[side]));
	to->amounts[side][batch] += amount;
	to->sums[side] += amount;
	to->counts[side] += count;
}

/* ---- batches ---- */

static size_t batches_of(nt_time length)
{
	size_t seconds = (size_t)(length / NT_NS_PER_S);
	return seconds < NT_BATCHES_LEAST ? NT_BATCHES_LEAST : seconds > NT_PAIR_BATCHES_MOST ? NT_PAIR_BATCHES_MOST : seconds;
}

void nt_span_pair_begin(struct nt_span_pair *pair, enum nt_pair_side side, nt_time from, nt_time to)
{
	struct nt_pair_span *span = &pair->spans[side];
	*span = (struct nt_pair_span){ .from = from, .to = to, .count = batches_of(to - from) };
	span->seconds = nt_alloc(span->count * sizeof(*span->seconds));
	for (int figure = 0; figure < NT_PAIR_FIGURES; figure++)
		span->totals[figure] = nt_alloc(span->count * sizeof(*span->totals[figure]));
}

size_t nt_pair_batch(const struct nt_pair_span *span, nt_time time)
{
	return (size_t)((double)(time - span->from) * (double)span->count / (double)(span->to - span->from));
}

nt_time nt_pair_batch_start(const struct nt_pair_span *span, size_t batch)
{
	return span->from + (span->to - span->from) * batch / span->count;
}

static void keep(double *of_batches, size_t from, size_t to)
{
	if (of_batches)
		of_batches[to] = of_batches[from];
}

void nt_span_pair_end(struct nt_span_pair *pair, enum nt_pair_side side)
{
	struct nt_pair_span *span = &pair->spans[side];
	double least = (double)(span->to - span->from) / (double)NT_NS_PER_S / (double)span->count / 2;
	size_t kept = 0;
	for (size_t i = 0; i < span->count; i++) {
		if (span->seconds[i] < least)
			continue;
		keep(span->seconds, i, kept);
		for (int figure = 0; figure < NT_PAIR_FIGURES; figure++) {
			keep(span->totals[figure], i, kept);
			for (size_t r = 0; r < pair->count; r++)
				keep(pair->rows[r].figures[figure].amounts[side], i, kept);
		}
		kept++;
	}
	span->count = kept;
}
