// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/pair_samples.h"

#include "base/alloc.h"
#include "model/past/span_methods.h"

#include <stdlib.h>

enum { OWN, WITH_CALLS };

/* Samples of [t0, t1) are told. */
static void tell(struct nt_pair_span *span, nt_time t0, nt_time t1)
{
	nt_time from = t0 > span->from ? t0 : span->from, to = t1 < span->to ? t1 : span->to;
	for (size_t i = 0; i < span->count && from < to; i++) {
		nt_time begin = nt_pair_batch_start(span, i), end = nt_pair_batch_start(span, i + 1);
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
	span->seconds[nt_pair_batch(span, samples->folded_from)] += (double)length / (double)NT_NS_PER_S;
	span->told_ns += length;
}

/* The rows of the interval's frames, as they lie there. The caller's. */
static uint32_t *rows_of_frames(const struct nt_pair_samples *reading, const struct nt_interval_samples *samples, struct nt_index *by_frame)
{
	uint32_t *rows = nt_alloc((samples->frame_count + 1) * sizeof(*rows));
	for (uint32_t i = 0; i < samples->frame_count; i++) {
		const struct nt_stack_frame *frame = &samples->frames[i];
		nt_index_put(by_frame, nt_sample_frame(frame->id, frame->tier), i);
		rows[i] = (uint32_t)nt_span_pair_row(reading->pair, frame->name ? frame->name : "", frame->module);
	}
	return rows;
}

/* Of recursion each method counts once. */
static void count_stack(const struct nt_pair_samples *reading, const struct nt_sample_stack *stack, const struct nt_index *by_frame,
			const uint32_t *rows, size_t batch, uint32_t samples)
{
	uint64_t number = ++reading->pair->stacks;
	for (uint32_t i = 0; i < stack->count; i++) {
		uint32_t frame = nt_index_get(by_frame, stack->frames[i]);
		if (frame == NT_INDEX_NONE)
			continue;
		struct nt_pair_row *row = &reading->pair->rows[rows[frame]];
		if (!i)
			nt_span_pair_add(reading->pair, reading->side, rows[frame], OWN, batch, samples, samples);
		if (row->stack != number)
			nt_span_pair_add(reading->pair, reading->side, rows[frame], WITH_CALLS, batch, samples, samples);
		row->stack = number;
	}
}

static void count_all(const struct nt_pair_samples *reading, const struct nt_snapshot *interval, const struct nt_interval_samples *samples)
{
	struct nt_pair_span *span = &reading->pair->spans[reading->side];
	struct nt_index by_frame = { 0 };
	uint32_t *rows = rows_of_frames(reading, samples, &by_frame);
	for (uint32_t i = 0; i < samples->row_count; i++) {
		nt_time time = nt_sample_start(samples, &samples->rows[i], interval->t0, interval->t1);
		if (time < span->from || time >= span->to)
			continue;
		size_t batch = nt_pair_batch(span, time);
		span->totals[OWN][batch] += samples->rows[i].count;
		span->totals[WITH_CALLS][batch] += samples->rows[i].count;
		count_stack(reading, &samples->stacks[samples->rows[i].stack], &by_frame, rows, batch, samples->rows[i].count);
	}
	nt_index_fini(&by_frame);
	free(rows);
}

/* Samples are counted where their time is told, so that what one is divided by is of the same intervals. */
void nt_pair_samples_read(struct nt_pair_samples *reading, const struct nt_snapshot *interval, const struct nt_process_snapshot *process)
{
	const struct nt_interval_samples *samples = &process->interval_samples;
	struct nt_pair_span *span = &reading->pair->spans[reading->side];
	bool beyond = samples->folded_to > span->to; /* of which nobody knows which lie in the span */
	bool told = nt_span_samples_are_told(interval, process);
	if (samples->folded_to) { /* the last one has those of all */
		bool last = samples->folded_to == interval->t1;
		reading->untold |= !told;
		told = last && !reading->untold;
		reading->untold &= !last;
		if (told)
			tell_folded(span, samples);
	} else if (told) {
		tell(span, interval->t0, interval->t1);
	}
	if (told && samples->row_count && !beyond)
		count_all(reading, interval, samples);
}
