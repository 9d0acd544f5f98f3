/* SPDX-License-Identifier: GPL-2.0-only */
/* What batches say of the thread pool: payloads of NT_EV_POOL_WORKERS and its neighbours. */
#ifndef NETTOP_POOL_EVENT_H
#define NETTOP_POOL_EVENT_H

#include <stdint.h>

enum nt_pool_op { NT_POOL_START, NT_POOL_STOP, NT_POOL_WAIT };

struct nt_ev_pool_workers {
	uint32_t active_count, retired_count;
	uint32_t op; /* enum nt_pool_op */
};

struct nt_ev_pool_adjust {
	double throughput; /* items per second, the runtime's own average */
	uint32_t goal_count;
	uint32_t reason; /* 0 warmup .. 6 starvation, 7 timed out, 8 cooperative blocking */
};

struct nt_ev_pool_sample {
	double throughput;
};

struct nt_ev_pool_minmax {
	uint32_t min_count, max_count;
};

/* As the pool's own fields have it at the event's time. */
struct nt_ev_pool_counts {
	uint64_t queued_count;                              /* work items that no worker has taken yet, where queued_known */
	uint32_t working_count, existing_count, goal_count; /* workers: that have work, that there are, that it aims at */
	uint32_t min_count, max_count;
	uint32_t queued_known;
};

enum nt_pool_item_op { NT_POOL_ITEM_ENQUEUED, NT_POOL_ITEM_TAKEN };

/* A work item. Others may have the same id at the same time: it is a hash code. */
struct nt_ev_pool_item {
	uint64_t id;
	uint32_t op; /* enum nt_pool_item_op */
};

#endif
