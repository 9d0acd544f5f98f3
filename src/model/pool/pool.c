// SPDX-License-Identifier: GPL-2.0-only
#include "model/pool/pool.h"

#include "base/arena.h"

#include <string.h>

enum { REASON_STARVATION = 6, REASON_COOPERATIVE_BLOCKING = 8 };
/* A count of what waits is shown until it is this old. */
static const nt_time fresh_ns = 3 * NT_NS_PER_S;
enum { FRESH_PERIODS = 3 };

void nt_pool_init(struct nt_pool *pool)
{
	*pool = (struct nt_pool){ 0 };
}

void nt_pool_fini(struct nt_pool *pool)
{
	nt_work_items_fini(&pool->items);
}

static const char *reason_name(uint32_t reason)
{
	static const char *const names[] = { "warmup",      "initializing", "random move", "climbing move",       "change point",
					     "stabilizing", "starvation",   "timed out",   "cooperative blocking" };
	return reason < sizeof(names) / sizeof(names[0]) ? names[reason] : "unknown reason";
}

static void keep(struct nt_pool *pool, nt_time time, const struct nt_ev_pool_adjust *adjust)
{
	struct nt_pool_adjustment *row = &pool->adjustments[++pool->adjustment_count % NT_POOL_ADJUSTMENTS];
	*row = (struct nt_pool_adjustment){ .id = pool->adjustment_count,
					    .time = time,
					    .goal_count = adjust->goal_count,
					    .was_count = pool->goal_count,
					    .work_per_s = { .v = adjust->throughput, .known = adjust->throughput >= 0 },
					    .reason = reason_name(adjust->reason) };
}

static void adjust(struct nt_pool *pool, nt_time time, const struct nt_ev_pool_adjust *adjust)
{
	bool more = pool->goal_count.known && adjust->goal_count > pool->goal_count.v;
	bool starved = adjust->reason == REASON_STARVATION, blocked = more && adjust->reason == REASON_COOPERATIVE_BLOCKING;
	if (!pool->goal_before.known)
		pool->goal_before = nt_u64_of(adjust->goal_count);
	pool->interval_starved += starved;
	pool->total_starved += starved;
	pool->interval_blocked += blocked;
	pool->total_blocked += blocked;
	keep(pool, time, adjust);
	pool->goal_count = nt_u64_of(adjust->goal_count);
	pool->reason = reason_name(adjust->reason);
}

/* Its memory is looked at more often than its counter tells, and both are of the same queue. */
static bool is_read(const struct nt_pool *pool, nt_time now)
{
	return pool->read_at && now <= pool->read_at + fresh_ns;
}

void nt_pool_apply(struct nt_pool *pool, const struct nt_event *event)
{
	if (event->kind == NT_EV_POOL_WORKERS)
		pool->worker_count = nt_u64_of(event->u.pool_workers.active_count);
	else if (event->kind == NT_EV_POOL_ADJUST)
		adjust(pool, event->time, &event->u.pool_adjust);
	else if (event->kind == NT_EV_POOL_COUNTS) {
		pool->read = event->u.pool_counts;
		pool->read_at = event->time;
		nt_pool_waiting_seen(&pool->waiting, event->time,
				     (struct nt_f64){ .v = (double)pool->read.queued_count, .known = pool->read.queued_known != 0 });
	}
}

void nt_pool_read(struct nt_pool *pool, const struct nt_ev_proc *reading)
{
	pool->procfs_count = (struct nt_u64){ .v = reading->pool_count, .known = reading->pool_known != 0 };
}

enum nt_pool_counter nt_pool_counter_of(const char *name, size_t length)
{
	static const char *const names[NT_POOL_COUNTERS] = {
		[NT_POOL_COUNTER_QUEUED] = "threadpool-queue-length",
		[NT_POOL_COUNTER_COMPLETED] = "threadpool-completed-items-count",
		[NT_POOL_COUNTER_TIMERS] = "active-timer-count",
	};
	enum nt_pool_counter which = 0;
	while (which < NT_POOL_COUNTERS && (strlen(names[which]) != length || memcmp(names[which], name, length) != 0))
		which++;
	return which;
}

void nt_pool_counted(struct nt_pool *pool, enum nt_pool_counter which, const struct nt_ev_counter *told, nt_time time)
{
	if (which == NT_POOL_COUNTER_COMPLETED && told->known & NT_COUNTER_CHANGE)
		nt_counted_grew(&pool->completed, time, told->period_ns, told->change);
	if (which == NT_POOL_COUNTER_COMPLETED || !(told->known & NT_COUNTER_VALUE) || !(told->value >= 0))
		return;
	if (which == NT_POOL_COUNTER_QUEUED && !is_read(pool, time))
		nt_pool_waiting_seen(&pool->waiting, time, nt_f64_of(told->value));
	*(which == NT_POOL_COUNTER_QUEUED ? &pool->queued : &pool->timers) =
		(struct nt_pool_told){ .value = told->value, .at = time, .period_ns = told->period_ns };
}

static struct nt_u64 rounded(double value)
{
	static const double too_many = 0x1p63; /* nonsense of a recording */
	return nt_u64_of(value < too_many ? (uint64_t)(value + 0.5) : UINT64_MAX);
}

static struct nt_u64 newest(const struct nt_pool_told *told, nt_time t1)
{
	nt_time age_ns = t1 > told->at ? t1 - told->at : 0;
	bool fresh = told->at && (age_ns <= fresh_ns || age_ns / FRESH_PERIODS <= told->period_ns);
	return fresh ? rounded(told->value) : (struct nt_u64){ 0 };
}

static void close_counters(struct nt_pool *pool, const struct nt_span *span, struct nt_pool_figures *interval,
			   struct nt_pool_figures *total)
{
	struct nt_counted *completed = &pool->completed;
	nt_counted_close(completed, span);
	pool->total_completed += rounded(completed->interval).v;
	pool->was_counting |= completed->counting;
	interval->queue_count = total->queue_count = newest(&pool->queued, span->t1);
	interval->timer_count = total->timer_count = newest(&pool->timers, span->t1);
	if (completed->counting)
		interval->completed_count = rounded(nt_counted_amount(completed));
	if (pool->was_counting)
		total->completed_count = nt_u64_of(pool->total_completed);
	nt_pool_waiting_close(&pool->waiting, span, (struct nt_f64){ .v = completed->per_s, .known = completed->counting },
			      &interval->wait_estimate_ns, &total->wait_estimate_ns);
	nt_counted_next(completed);
}

static void fill(const struct nt_pool *pool, bool known, uint64_t injected, uint64_t starved, uint64_t blocked, struct nt_pool_figures *out)
{
	out->worker_from_procfs = !(known && pool->worker_count.known);
	out->worker_count = out->worker_from_procfs ? pool->procfs_count : pool->worker_count;
	if (!known)
		return;
	out->goal_count = pool->goal_count;
	out->injected_count = nt_u64_of(injected);
	out->starved_count = nt_u64_of(starved);
	out->blocked_count = nt_u64_of(blocked);
	out->reason = pool->reason;
}

/* Its own fields are best: they say all of it, and all at the same time. */
static void fill_read(const struct nt_pool *pool, nt_time t1, struct nt_pool_figures *out)
{
	const struct nt_ev_pool_counts *read = &pool->read;
	if (!is_read(pool, t1))
		return;
	out->worker_from_procfs = false;
	out->worker_count = nt_u64_of(read->existing_count);
	out->working_count = nt_u64_of(read->working_count);
	out->goal_count = nt_u64_of(read->goal_count);
	out->min_count = nt_u64_of(read->min_count);
	out->max_count = nt_u64_of(read->max_count);
	if (read->queued_known)
		out->queue_count = nt_u64_of(read->queued_count);
}

/* The newest first. */
static void fill_adjustments(const struct nt_pool *pool, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	size_t count = pool->adjustment_count < NT_POOL_ADJUSTMENTS ? pool->adjustment_count : NT_POOL_ADJUSTMENTS;
	process->adjustments = nt_arena_alloc(snapshot->arena, count * sizeof(*process->adjustments));
	for (size_t i = 0; i < count; i++)
		process->adjustments[i] = pool->adjustments[(pool->adjustment_count - i) % NT_POOL_ADJUSTMENTS];
	process->adjustment_count = count;
}

void nt_pool_close(struct nt_pool *pool, const struct nt_span *span, bool interval_known, bool total_known, struct nt_snapshot *snapshot,
		   struct nt_process_snapshot *process)
{
	struct nt_pool_figures *interval = &process->interval.pool, *total = &process->total.pool;
	uint64_t injected = pool->goal_count.v > pool->goal_before.v ? pool->goal_count.v - pool->goal_before.v : 0;
	pool->total_injected += injected;
	fill(pool, interval_known, injected, pool->interval_starved, pool->interval_blocked, interval);
	fill(pool, total_known, pool->total_injected, pool->total_starved, pool->total_blocked, total);
	close_counters(pool, span, interval, total);
	fill_read(pool, span->t1, interval);
	fill_read(pool, span->t1, total);
	fill_adjustments(pool, snapshot, process);
	pool->goal_before = pool->goal_count;
	pool->interval_starved = pool->interval_blocked = 0;
}
