/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums over the last 10 s (one interval, if that is longer), in fixed memory: intervals are joined to steps of a second. */
#ifndef NT_MODEL_RECENT_SUM_H
#define NT_MODEL_RECENT_SUM_H

#include "nettop/clock.h"

#include <stddef.h>

#define NT_RECENT_NS (10 * NT_NS_PER_S)
enum { NT_RECENT_STEPS = 10, NT_RECENT_VALUES = 16 };

/* All zero is an empty one. */
struct nt_recent {
	struct {
		nt_time span_ns;
		uint64_t values[NT_RECENT_VALUES];
	} steps[NT_RECENT_STEPS]; /* a ring */
	size_t newest;
};

/* An interval of span_ns passed, in which these values were counted. */
void nt_recent_add(struct nt_recent *recent, nt_time span_ns, const uint64_t *values, size_t count);

/* Fill the sums of the last 10 s; returns the time that they are over. */
nt_time nt_recent_sum(const struct nt_recent *recent, uint64_t *sums, size_t count);

#endif
