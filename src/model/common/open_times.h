/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When the samples of a chain were taken that wait for names: several methods may have followed each other at one address before the code map told of any of them, and each has the samples of
 * its own time. One pool for all chains, a list in it for each.
 */
#ifndef NT_MODEL_OPEN_TIMES_H
#define NT_MODEL_OPEN_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "nettop/clock.h"

/* Samples that were taken within that time go together: so few methods live so briefly that it matters which of two it was. */
#define NT_OPEN_TOGETHER_NS (10 * NT_NS_PER_MS)

struct nt_open_time {
	nt_time time;   /* of the first of these samples */
	uint64_t count; /* of samples */
	uint32_t older; /* 0 = none */
};

/* All zeros are an empty one. */
struct nt_open_times {
	struct nt_open_time *items; /* owned; items[0] is nobody's */
	size_t count, capacity;
	uint32_t unused; /* the first of a list of them, 0 = none */
	size_t used;
};

void nt_open_times_fini(struct nt_open_times *times);

/*
 * `count` samples more at `time`, in the list that begins at *newest (0 = empty). Those within NT_OPEN_TOGETHER_NS go together, and all that come when the pool is full: then it is known of fewer of them which
 * of two methods they were in.
 */
void nt_open_times_add(struct nt_open_times *times, uint32_t *newest, nt_time time, uint64_t count);

/* Of the list after `*link` (its newest, or the `older` of one that is in it) the first, taken out of it. */
struct nt_open_time nt_open_times_take(struct nt_open_times *times, uint32_t *link);

/* Empty the list. */
void nt_open_times_drop(struct nt_open_times *times, uint32_t *newest);

#endif
