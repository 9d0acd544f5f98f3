/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When in the interval the CPU samples were taken: what happens within a part of a second shows. Source: perf. While somebody wants to go back to them (NT_EV_KEEP_SAMPLES) also which these were, in
 * bounded memory, so that the methods of a part can be told.
 */
#ifndef NETTOP_INTERVAL_SAMPLES_H
#define NETTOP_INTERVAL_SAMPLES_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stdint.h>

/* Parts of an interval, all of one length: of a second 20 ms each, two samples of a busy CPU at the usual rate. */
enum { NT_INTERVAL_PARTS = 50 };

/* So much is kept of one interval: a busy CPU has 99 samples in a second. */
enum { NT_SAMPLE_ROWS_MOST = 4000, NT_SAMPLE_STACKS_MOST = 1000 };

/* A part is at most so far from its interval; farther ones are said to be there. */
enum { NT_SAMPLE_PARTS_MOST = 1 << 20 };

/* The methods of a call stack, leaf first, each once: ids of struct nt_method_row, which has their names in the same snapshot. */
struct nt_sample_stack {
	const uint64_t *methods;
	uint32_t count;
};

/* Samples that have all of that in common. */
struct nt_sample_row {
	int32_t part; /* of the interval. They may have been taken before it, and are counted in it: then it is less than 0, the last part of the interval before were -1 if it was as long */
	uint32_t count;
	uint32_t tid;   /* 0 = not known */
	uint32_t stack; /* index in `stacks` */
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
	uint32_t left_out; /* samples that the interval counts and for which there was no room here */
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

#endif
