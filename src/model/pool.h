/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread pool: workers from its own events (they say "active now"), else as threads named `.NET TP Worker` in /proc. */
#ifndef NT_MODEL_POOL_H
#define NT_MODEL_POOL_H

#include "nettop/snapshot.h"

struct nt_pool {
	struct nt_u64 worker_count; /* ActiveWorkerThreadCount of the newest Start, Stop or Wait */
	struct nt_u64 procfs_count;
	struct nt_u64 goal_count;                   /* NewWorkerThreadCount of the newest adjustment: a goal, not a count */
	const char *reason;                         /* of the newest adjustment */
	uint64_t interval_injected, total_injected; /* by how much starvation raised the goal */
	uint64_t interval_starved, total_starved;   /* adjustments for starvation */
};

void nt_pool_init(struct nt_pool *pool);

/* POOL_WORKERS and POOL_ADJUST; others are ignored. */
void nt_pool_apply(struct nt_pool *pool, const struct nt_event *event);

void nt_pool_read(struct nt_pool *pool, const struct nt_ev_proc *reading);

/* `known`: pool events can come from a source that delivers. */
void nt_pool_close(struct nt_pool *pool, bool interval_known, bool total_known, struct nt_pool_figures *interval,
		   struct nt_pool_figures *total);

#endif
