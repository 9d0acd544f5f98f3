/* SPDX-License-Identifier: GPL-2.0-only */
/* The headlines of the tiles over the last intervals. */
#ifndef NT_MODEL_SERIES_H
#define NT_MODEL_SERIES_H

#include "nettop/snapshot.h"

/* All zero is an empty one. */
struct nt_series_state {
	struct nt_series series[NT_SUBJECT_TILES];
};

/* Add the headlines of an interval that is over; one without length has none. */
void nt_series_add(struct nt_series_state *state, const struct nt_figures *interval);

/* A count of an interval as a rate; unknown when it is, and in an interval without length. */
struct nt_f64 nt_per_second(struct nt_u64 count, nt_time span_ns);

#endif
