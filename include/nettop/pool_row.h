/* SPDX-License-Identifier: GPL-2.0-only */
/* What the thread pool decided, and how long its work items waited: rows of a snapshot. */
#ifndef NETTOP_POOL_ROW_H
#define NETTOP_POOL_ROW_H

#include "nettop/clock.h"
#include "nettop/known.h"

/* The thread pool aims at another number of workers: what it decided, and why. */
struct nt_pool_adjustment {
	uint64_t id; /* 1, 2, 3 ... since attach */
	nt_time time;
	uint64_t goal_count;      /* workers from now on */
	struct nt_u64 was_count;  /* before; not known of the first */
	struct nt_f64 work_per_s; /* work items that it has measured lately */
	const char *reason;       /* the runtime's */
};

/* Work items that waited longer than this, and not longer than the next row says. While they are told (NT_WANT_POOL_ITEMS). */
struct nt_pool_wait_row {
	uint64_t id; /* 1, 2, 3 ...: the shortest waits first */
	uint64_t over_ns;
	uint64_t count, count_all; /* that a worker has taken: in the interval, since they are told */
};

/* Of the same: how long they waited, percentiles within 1 %. Of an interval, and of all the time for which they were told. */
struct nt_pool_item_figures {
	struct nt_u64 covered_ns;                     /* for so long of the span they were told */
	struct nt_u64 count;                          /* taken, and it is known since when they waited */
	struct nt_u64 p50_ns, p95_ns, p99_ns, max_ns; /* of these */
	struct nt_u64 unmatched_count;                /* taken, and not told when they were enqueued; or so long ago that it is forgotten */
	struct nt_u64 open_count;                     /* enqueued, and not told that a worker has taken them */
	struct nt_why why;                            /* why they are not told now; no reason = they are */
};

#endif
