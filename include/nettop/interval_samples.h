/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When in the interval the CPU samples were taken: what happens within a part of a second shows. Source: perf. While somebody wants to go back to them (NT_EV_KEEP_SAMPLES) also which these were, in
 * bounded memory, so that the methods and the call tree of a part can be told.
 */
#ifndef NETTOP_INTERVAL_SAMPLES_H
#define NETTOP_INTERVAL_SAMPLES_H

#include "nettop/clock.h"
#include "nettop/stacks.h"

#include <stdbool.h>
#include <stdint.h>

/* Parts of an interval, all of one length: of a second 20 ms each, two samples of a busy CPU at the usual rate. */
enum { NT_INTERVAL_PARTS = 50 };

/* So much is kept of one interval: a busy CPU has 99 samples in a second. */
enum { NT_SAMPLE_ROWS_MOST = 4000, NT_SAMPLE_STACKS_MOST = 2000 };

/* Those of long ago may be told apart by such times only, or by an interval that is longer: see `folded_from`. */
#define NT_SAMPLES_FOLDED_NS (10 * NT_NS_PER_S)

/* A part is at most so far from its interval; farther ones are said to be there. */
enum { NT_SAMPLE_PARTS_MOST = 1 << 20 };

/* A frame of a call stack: the method, as in struct nt_method_row, and the tier of its code. Two intervals that have the same stacks have the same numbers. */
static inline uint64_t nt_sample_frame(uint64_t method, enum nt_tier tier)
{
	return method << 3 | tier;
}

static inline uint64_t nt_sample_method(uint64_t frame)
{
	return frame >> 3;
}

/* A call stack, leaf first, as struct nt_stack_tree has it: with all recursion. */
struct nt_sample_stack {
	const uint64_t *frames; /* nt_sample_frame(): `frames` of the interval's samples tells what they are called */
	uint32_t count;
};

/* Samples that have all of that in common. */
struct nt_sample_row {
	int32_t part; /* of the interval. They may have been taken before it, and are counted in it: then it is less than 0, the last part of the interval before were -1 if it was as long */
	uint32_t count;
	uint32_t thread; /* index in `threads` */
	uint32_t stack;  /* index in `stacks` */
};

struct nt_interval_samples {
	bool known;                        /* samples were taken; false: all else is 0 */
	uint32_t parts[NT_INTERVAL_PARTS]; /* samples by the part in which they were taken, also those that wait for their method's name */
	uint32_t late;                     /* told in this interval, and taken in one before: in none of its parts */

	/* In the snapshot. */
	bool kept;                        /* those that the interval counts are here; false: all below is 0 */
	const struct nt_sample_row *rows; /* in no order */
	uint32_t row_count;
	const struct nt_sample_stack *stacks; /* no two alike */
	uint32_t stack_count;
	const struct nt_stack_frame *frames; /* of all stacks, each once */
	uint32_t frame_count;
	const struct nt_stack_frame *threads; /* NT_FRAME_THREAD: a thread once for each side of the pauses on which it was sampled */
	uint32_t thread_count;
	uint32_t left_out; /* samples that the interval counts and for which there was no room here */
	/*
	 * Of long ago: those of all intervals in [folded_from, folded_to) are with the last of these, and when in that time they were taken is not known any more (`part` is 0). 0 = these are
	 * the interval's own.
	 */
	nt_time folded_from, folded_to;
};

/* In which part of [t0, t1) a time of it lies. */
static inline unsigned nt_interval_part(nt_time t0, nt_time t1, nt_time time)
{
	return (unsigned)((time - t0) * NT_INTERVAL_PARTS / (t1 - t0));
}

/* When a part begins; of NT_INTERVAL_PARTS: t1. What nt_interval_part() says to be in it is at this time or later, and before the next one's. */
static inline nt_time nt_interval_part_start(nt_time t0, nt_time t1, unsigned part)
{
	return t0 + ((t1 - t0) * part + NT_INTERVAL_PARTS - 1) / NT_INTERVAL_PARTS;
}

/* When the part begins in which samples were taken that the interval [t0, t1) counts; of folded ones: when their time does. */
static inline nt_time nt_sample_start(const struct nt_interval_samples *samples, const struct nt_sample_row *row, nt_time t0, nt_time t1)
{
	nt_time size = (t1 - t0) / NT_INTERVAL_PARTS;
	if (samples->folded_to)
		return samples->folded_from;
	if (row->part >= 0 && row->part < NT_INTERVAL_PARTS)
		return nt_interval_part_start(t0, t1, (unsigned)row->part);
	if (row->part >= NT_INTERVAL_PARTS)
		return t1 + size * (nt_time)(row->part - NT_INTERVAL_PARTS);
	nt_time back = size * (nt_time) - (int64_t)row->part;
	return back < t0 ? t0 - back : 0;
}

#endif
