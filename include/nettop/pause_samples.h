/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPU samples, cut by the pauses for collections: what ran in them, and what ran outside. Source: perf for the samples, the runtime's events for the pauses. Samples of a time of which pauses
 * were not told, or of which events were lost, are on neither side.
 */
#ifndef NETTOP_PAUSE_SAMPLES_H
#define NETTOP_PAUSE_SAMPLES_H

#include "nettop/pause_side.h"
#include "nettop/thread_row.h"

#include <stdbool.h>
#include <stddef.h>

struct nt_pause_part {
	const struct nt_hot_method *hot; /* in the snapshot: the hottest of the window, by their own samples */
	size_t hot_count;                /* at most NT_HOT_METHODS */
	double window_samples;           /* all of this side, weighted as the window is */
};

struct nt_pause_samples {
	bool told;                                  /* the sides are known of the interval's samples */
	struct nt_pause_part parts[NT_PAUSE_SIDES]; /* of those on neither side nothing */
};

#endif
