/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When in the interval the CPU samples were taken: what happens within a part of a second shows. Source: perf. A sample tells of CPU time up to its time, which is as long as the sampling period.
 */
#ifndef NETTOP_INTERVAL_SAMPLES_H
#define NETTOP_INTERVAL_SAMPLES_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stdint.h>

/* Parts of an interval, all of one length: of a second 20 ms each, two samples of a busy CPU at the usual rate. */
enum { NT_INTERVAL_PARTS = 50 };

struct nt_interval_samples {
	bool known;                        /* samples were taken; false: all else is 0 */
	uint32_t parts[NT_INTERVAL_PARTS]; /* samples by the part in which they were taken, also those that wait for their method's name */
	uint32_t late;                     /* told in this interval, and taken in one before: in none of its parts */
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
