// SPDX-License-Identifier: GPL-2.0-only
#include "model/pool.h"

enum { REASON_STARVATION = 6 };

void nt_pool_init(struct nt_pool *pool)
{
	*pool = (struct nt_pool){ 0 };
}

static const char *reason_name(uint32_t reason)
{
	static const char *const names[] = { "warmup",      "initializing", "random move", "climbing move",       "change point",
					     "stabilizing", "starvation",   "timed out",   "cooperative blocking" };
	return reason < sizeof(names) / sizeof(names[0]) ? names[reason] : "unknown reason";
}

static void adjust(struct nt_pool *pool, const struct nt_ev_pool_adjust *adjust)
{
	if (adjust->reason == REASON_STARVATION) {
		bool more = pool->goal_count.known && adjust->goal_count > pool->goal_count.v;
		uint64_t injected = more ? adjust->goal_count - pool->goal_count.v : 0;
		pool->interval_injected += injected;
		pool->total_injected += injected;
		pool->interval_starved++;
		pool->total_starved++;
	}
	pool->goal_count = nt_u64_of(adjust->goal_count);
	pool->reason = reason_name(adjust->reason);
}

void nt_pool_apply(struct nt_pool *pool, const struct nt_event *event)
{
	if (event->kind == NT_EV_POOL_WORKERS)
		pool->worker_count = nt_u64_of(event->u.pool_workers.active_count);
	else if (event->kind == NT_EV_POOL_ADJUST)
		adjust(pool, &event->u.pool_adjust);
}

void nt_pool_read(struct nt_pool *pool, const struct nt_ev_proc *reading)
{
	pool->procfs_count = (struct nt_u64){ .v = reading->pool_count, .known = reading->pool_known != 0 };
}

static void fill(const struct nt_pool *pool, bool known, uint64_t injected, uint64_t starved, struct nt_pool_figures *out)
{
	out->worker_from_procfs = !(known && pool->worker_count.known);
	out->worker_count = out->worker_from_procfs ? pool->procfs_count : pool->worker_count;
	if (!known)
		return;
	out->goal_count = pool->goal_count;
	out->injected_count = nt_u64_of(injected);
	out->starved_count = nt_u64_of(starved);
	out->reason = pool->reason;
}

void nt_pool_close(struct nt_pool *pool, bool interval_known, bool total_known, struct nt_pool_figures *interval,
		   struct nt_pool_figures *total)
{
	fill(pool, interval_known, pool->interval_injected, pool->interval_starved, interval);
	fill(pool, total_known, pool->total_injected, pool->total_starved, total);
	pool->interval_injected = pool->interval_starved = 0;
}
