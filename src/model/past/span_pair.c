// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_pair.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "model/past/batch_change.h"
#include "model/past/span_methods.h"

#include <stdlib.h>
#include <string.h>

void nt_span_pair_fini(struct nt_span_pair *pair)
{
	for (size_t i = 0; i < pair->count; i++)
		for (int side = 0; side < NT_PAIR_SIDES; side++)
			free(pair->rows[i].self[side]);
	for (int side = 0; side < NT_PAIR_SIDES; side++) {
		free(pair->spans[side].seconds);
		free(pair->spans[side].samples);
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

/* One name is one row, in however many forms the method was compiled. Two names of one hash: the next key is tried. */
static size_t place_of(struct nt_span_pair *pair, const char *name, const char *module)
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

static struct nt_pair_row *row_at(struct nt_span_pair *pair, enum nt_pair_side side, size_t place)
{
	struct nt_pair_row *row = &pair->rows[place];
	if (!row->self[side])
		row->self[side] = nt_alloc((pair->spans[side].count + 1) * sizeof(*row->self[side]));
	return row;
}

struct nt_pair_row *nt_span_pair_row(struct nt_span_pair *pair, enum nt_pair_side side, const char *name, const char *module)
{
	return row_at(pair, side, place_of(pair, name, module));
}

/* ---- batches ---- */

/* One side, being read. */
struct reading {
	struct nt_span_pair *pair;
	enum nt_pair_side side;
	struct nt_pair_span *span;
	bool untold; /* an interval of the fold that is read */
};

static size_t batches_of(nt_time length)
{
	size_t seconds = (size_t)(length / NT_NS_PER_S);
	return seconds < NT_BATCHES_LEAST ? NT_BATCHES_LEAST : seconds > NT_PAIR_BATCHES_MOST ? NT_PAIR_BATCHES_MOST : seconds;
}

static size_t batch_at(const struct nt_pair_span *span, nt_time time)
{
	return (size_t)((double)(time - span->from) * (double)span->count / (double)(span->to - span->from));
}

static nt_time batch_start(const struct nt_pair_span *span, size_t batch)
{
	return span->from + (span->to - span->from) * batch / span->count;
}

/* Samples of [t0, t1) are told. */
static void tell(struct nt_pair_span *span, nt_time t0, nt_time t1)
{
	nt_time from = t0 > span->from ? t0 : span->from, to = t1 < span->to ? t1 : span->to;
	for (size_t i = 0; i < span->count && from < to; i++) {
		nt_time begin = batch_start(span, i), end = batch_start(span, i + 1);
		begin = begin > from ? begin : from;
		end = end < to ? end : to;
		if (begin < end)
			span->seconds[i] += (double)(end - begin) / (double)NT_NS_PER_S;
	}
	span->told_ns += from < to ? to - from : 0;
}

/* Folded ones are of one batch, and so is their time. A fold that goes beyond the span belongs to none. */
static void tell_folded(struct nt_pair_span *span, const struct nt_interval_samples *samples)
{
	if (samples->folded_from < span->from || samples->folded_to > span->to)
		return;
	nt_time length = samples->folded_to - samples->folded_from;
	span->seconds[batch_at(span, samples->folded_from)] += (double)length / (double)NT_NS_PER_S;
	span->told_ns += length;
}

/* The rows of the interval's frames, as they lie there. The caller's. */
static uint32_t *rows_of_frames(const struct reading *reading, const struct nt_interval_samples *samples, struct nt_index *by_frame)
{
	uint32_t *places = nt_alloc((samples->frame_count + 1) * sizeof(*places));
	for (uint32_t i = 0; i < samples->frame_count; i++) {
		const struct nt_stack_frame *frame = &samples->frames[i];
		nt_index_put(by_frame, nt_sample_frame(frame->id, frame->tier), i);
		places[i] = (uint32_t)place_of(reading->pair, frame->name ? frame->name : "", frame->module);
	}
	return places;
}

static void count(const struct reading *reading, uint32_t place, size_t batch, uint32_t samples)
{
	struct nt_pair_row *row = row_at(reading->pair, reading->side, place);
	row->self[reading->side][batch] += samples;
	row->sums[reading->side] += samples;
}

static void count_all(const struct reading *reading, const struct nt_snapshot *interval, const struct nt_interval_samples *samples)
{
	struct nt_pair_span *span = reading->span;
	struct nt_index by_frame = { 0 };
	uint32_t *places = rows_of_frames(reading, samples, &by_frame);
	for (uint32_t i = 0; i < samples->row_count; i++) {
		const struct nt_sample_stack *stack = &samples->stacks[samples->rows[i].stack];
		nt_time time = nt_sample_start(samples, &samples->rows[i], interval->t0, interval->t1);
		uint32_t leaf = stack->count ? nt_index_get(&by_frame, stack->frames[0]) : NT_INDEX_NONE;
		if (time < span->from || time >= span->to)
			continue;
		size_t batch = batch_at(span, time);
		span->samples[batch] += samples->rows[i].count;
		span->sampled += samples->rows[i].count;
		if (leaf != NT_INDEX_NONE)
			count(reading, places[leaf], batch, samples->rows[i].count);
	}
	nt_index_fini(&by_frame);
	free(places);
}

/* Samples are counted where their time is told, so that what one is divided by is of the same intervals. */
static void read_interval(struct reading *reading, const struct nt_snapshot *interval, const struct nt_process_snapshot *process)
{
	const struct nt_interval_samples *samples = &process->interval_samples;
	bool beyond = samples->folded_to > reading->span->to; /* of which nobody knows which lie in the span */
	bool told = nt_span_samples_are_told(interval, process);
	if (samples->folded_to) { /* the last one has those of all */
		bool last = samples->folded_to == interval->t1;
		reading->untold |= !told;
		told = last && !reading->untold;
		reading->untold &= !last;
		if (told)
			tell_folded(reading->span, samples);
	} else if (told) {
		tell(reading->span, interval->t0, interval->t1);
	}
	if (told && samples->row_count && !beyond)
		count_all(reading, interval, samples);
}

/* Batches that are told of to less than a half say nothing, and are left out. */
static void leave_out_untold(const struct reading *reading)
{
	struct nt_pair_span *span = reading->span;
	double least = (double)(span->to - span->from) / (double)NT_NS_PER_S / (double)span->count / 2;
	size_t kept = 0;
	for (size_t i = 0; i < span->count; i++) {
		if (span->seconds[i] < least)
			continue;
		span->seconds[kept] = span->seconds[i];
		span->samples[kept] = span->samples[i];
		for (size_t r = 0; r < reading->pair->count; r++) {
			double *self = reading->pair->rows[r].self[reading->side];
			if (self)
				self[kept] = self[i];
		}
		kept++;
	}
	span->count = kept;
}

void nt_span_pair_read(struct nt_span_pair *pair, enum nt_pair_side side, struct nt_past *past, uint32_t pid, nt_time from, nt_time to)
{
	struct reading reading = { .pair = pair, .side = side, .span = &pair->spans[side] };
	struct nt_pair_span *span = reading.span;
	nt_time t0, t1;
	*span = (struct nt_pair_span){ .from = from, .to = to, .count = batches_of(to - from) };
	span->seconds = nt_alloc(span->count * sizeof(*span->seconds));
	span->samples = nt_alloc(span->count * sizeof(*span->samples));
	for (uint64_t sequence = nt_past_at(past, from); nt_past_times(past, sequence, &t0, &t1) && t0 < to + NT_SPAN_LATE_NS; sequence++) {
		struct nt_snapshot *interval = nt_past_get(past, sequence);
		for (size_t i = 0; i < interval->process_count; i++)
			if (interval->processes[i].target.pid == pid)
				read_interval(&reading, interval, &interval->processes[i]);
		nt_snapshot_release(interval);
	}
	leave_out_untold(&reading);
}
