/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/pool: the thread pool. */
/*
 * The thread pool: how many workers there are and what waits as the runtime's memory has it, where it is read; else workers from the pool's events (they say "active now"), or as threads named `.NET TP Worker` in
 * /proc, and what waits from the runtime's counter. What was done is from its counter, because single work items are told only while somebody looks at them (work_items.h).
 */
#ifndef NT_MODEL_POOL_H
#define NT_MODEL_POOL_H

#include "model/common/counted.h"
#include "model/pool/waiting.h"
#include "model/pool/work_items.h"
#include "nettop/snapshot.h"

/* Of the last ones a row is kept: hill climbing makes some in a second. */
enum { NT_POOL_ADJUSTMENTS = 64 };

struct nt_pool {
	struct nt_ev_pool_counts read; /* of its memory, the newest */
	nt_time read_at;               /* 0 = it has not been read */
	struct nt_u64 worker_count;    /* ActiveWorkerThreadCount of the newest Start, Stop or Wait */
	struct nt_u64 procfs_count;
	struct nt_u64 goal_count;                 /* NewWorkerThreadCount of the newest adjustment: a goal, not a count */
	const char *reason;                       /* of the newest adjustment */
	struct nt_u64 goal_before;                /* at the interval's begin: adjustments raise and lower it many times in a second */
	uint64_t total_injected;                  /* by how much the goal was higher at the end of intervals than at their begin */
	uint64_t interval_starved, total_starved; /* adjustments for starvation */
	uint64_t interval_blocked, total_blocked; /* adjustments because workers wait for tasks */
	struct nt_pool_adjustment adjustments[NT_POOL_ADJUSTMENTS]; /* ring: that with number n is at n % NT_POOL_ADJUSTMENTS */
	uint64_t adjustment_count;                                  /* since attach */
	struct nt_counted completed;                                /* the runtime's counter of items done */
	uint64_t total_completed;
	bool was_counting; /* it has told of items at some time */
	struct nt_pool_told {
		double value;
		nt_time at, period_ns;  /* 0 = it has not told */
	} queued, timers;               /* the runtime's newest counts of items that wait, of active timers */
	struct nt_pool_waiting waiting; /* by whoever tells the queue's length */
	struct nt_work_items items;
};

void nt_pool_init(struct nt_pool *pool);
void nt_pool_fini(struct nt_pool *pool);

/* POOL_WORKERS, POOL_ADJUST and POOL_COUNTS; others are ignored. */
void nt_pool_apply(struct nt_pool *pool, const struct nt_event *event);

void nt_pool_read(struct nt_pool *pool, const struct nt_ev_proc *reading);

enum nt_pool_counter { NT_POOL_COUNTER_QUEUED, NT_POOL_COUNTER_COMPLETED, NT_POOL_COUNTER_TIMERS, NT_POOL_COUNTERS };

/* Which counter of System.Runtime `name` is; NT_POOL_COUNTERS = none of these. */
enum nt_pool_counter nt_pool_counter_of(const char *name, size_t length);

/* A COUNTER event of that counter. */
void nt_pool_counted(struct nt_pool *pool, enum nt_pool_counter which, const struct nt_ev_counter *told, nt_time time);

/* `known`: pool events can come from a source that delivers. Counters say themselves whether they are told. Fills the pool's part of `process`. */
void nt_pool_close(struct nt_pool *pool, const struct nt_span *span, bool interval_known, bool total_known, struct nt_snapshot *snapshot,
		   struct nt_process_snapshot *process);

#endif
