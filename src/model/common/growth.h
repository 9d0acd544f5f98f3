/* SPDX-License-Identifier: GPL-2.0-only */
/* How a level has grown within the last minute. It goes up and down, as a heap does with each collection: compared are the least values of ten seconds. */
#ifndef NT_MODEL_GROWTH_H
#define NT_MODEL_GROWTH_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stddef.h>

enum { NT_GROWTH_CELLS = 64 };

/* All zero is an empty one. */
struct nt_growth {
	struct {
		nt_time time;
		double value;
	} cells[NT_GROWTH_CELLS]; /* a ring; one a second at most */
	size_t count;             /* ever added */
};

struct nt_grown {
	double from, to;
	nt_time over_ns; /* between the ends of both ten seconds */
};

void nt_growth_add(struct nt_growth *growth, nt_time time, double value);

/* False: what is there does not reach back for half a minute. */
bool nt_growth_of(const struct nt_growth *growth, nt_time now, struct nt_grown *out);

#endif
