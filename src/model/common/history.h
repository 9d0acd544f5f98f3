/* SPDX-License-Identifier: GPL-2.0-only */
/* What is usual for a value: its median over the last 5 minutes. */
#ifndef NT_MODEL_HISTORY_H
#define NT_MODEL_HISTORY_H

#include "nettop/snapshot.h"

#define NT_HISTORY_NS       (300 * NT_NS_PER_S)
#define NT_HISTORY_LEAST_NS (30 * NT_NS_PER_S) /* less is not enough to call anything usual */
enum { NT_HISTORY_CELLS = 300 };

/* All zero is an empty one. */
struct nt_history {
	struct {
		nt_time time;
		double value;
	} cells[NT_HISTORY_CELLS]; /* a ring */
	size_t count;              /* ever added */
};

/* Add a value; one per second at most, so that they reach back far enough. */
void nt_history_add(struct nt_history *history, nt_time time, double value);

/* Unknown when what is there does not reach back far enough. */
struct nt_f64 nt_history_median(const struct nt_history *history, nt_time now);

#endif
