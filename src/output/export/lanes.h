/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of a timeline by thread, and what each thread did for how long by them. */
#ifndef NT_OUTPUT_LANES_H
#define NT_OUTPUT_LANES_H

#include "output/export/export_timeline.h"

/* A thread: its samples, in order of time. */
struct nt_lane {
	uint32_t root;       /* its node in the tree */
	uint32_t tid;        /* 0 = threads that were too many to be kept apart */
	size_t first, count; /* in nt_lanes.moments */
};

struct nt_lanes {
	const struct nt_export_timeline *timeline; /* borrowed */
	struct nt_lane *items;                     /* owned; in the order of the tree */
	size_t count;
	uint32_t *moments; /* owned; indices of the tree's moments, lane by lane */
};

/*
 * A recording is a stranger's: may it be written that each sample is there as often as it says it stands for, and for how long? At most as many as the highest rate has of the lowest one, and all together as many as 46
 * hours of a busy CPU have.
 */
enum { NT_SAMPLES_FOR_ONE_MOST = 10000, NT_SAMPLES_ALL_MOST = 1 << 24 };
#define NT_SAMPLE_PERIOD_MOST_NS NT_NS_PER_S
bool nt_lanes_are_bounded(const struct nt_export_timeline *timeline);

void nt_lanes_make(struct nt_lanes *lanes, const struct nt_export_timeline *timeline);
void nt_lanes_fini(struct nt_lanes *lanes);

/*
 * A sample stands for CPU time that was used about then. It begins with its sample; or where the one before ends, if that is as near as the sampler's clock wavers, so that the slices of a thread do not overlap and
 * their sum is its CPU time, exactly.
 */
struct nt_slice {
	nt_time start, end;
	uint32_t node; /* its leaf */
	bool follows;  /* it begins where the one before ended */
};

/* The next one of a lane: *at is 0 and *slice all zero at first. False: there is none any more. */
bool nt_lane_next(const struct nt_lanes *lanes, const struct nt_lane *lane, size_t *at, struct nt_slice *slice);

#endif
