// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_lists.h"

/* ---- how it is written down ---- */

#define TYPE_OF(type_, member_)                                                                                                            \
	_Generic(((struct type_ *)NULL)->member_, uint64_t                                                                                 \
		 : NT_SPAN_U64, uint32_t                                                                                                   \
		 : NT_SPAN_U32, double                                                                                                     \
		 : NT_SPAN_REAL, bool                                                                                                      \
		 : NT_SPAN_BOOL, struct nt_u64                                                                                             \
		 : NT_SPAN_KNOWN_U64, struct nt_f64                                                                                        \
		 : NT_SPAN_KNOWN_F64)

/* clang-format off */
#define MEMBER(way_, type_, member_) { way_, TYPE_OF(type_, member_), offsetof(struct type_, member_), 1, 0 }
#define SUM(type_, member_) MEMBER(NT_SPAN_SUM, type_, member_)
#define SUMS(type_, member_, count_) { NT_SPAN_SUM, NT_SPAN_U64, offsetof(struct type_, member_), count_, 0 }
#define MEAN(type_, member_) MEMBER(NT_SPAN_MEAN, type_, member_)
#define ANY(type_, member_) MEMBER(NT_SPAN_ANY, type_, member_)
#define LEAST(type_, member_, of_) { NT_SPAN_LEAST, NT_SPAN_KNOWN_F64, offsetof(struct type_, member_), 1, offsetof(struct type_, of_) }
#define MOST(type_, member_, of_) { NT_SPAN_MOST, NT_SPAN_KNOWN_F64, offsetof(struct type_, member_), 1, offsetof(struct type_, of_) }
#define BYTES(way_, type_, member_) { way_, NT_SPAN_BYTES, offsetof(struct type_, member_), NT_SIZE_IN(type_, member_), 0 }
#define AT_END(type_, member_) BYTES(NT_SPAN_AT_END, type_, member_)
#define UNTOLD(type_, member_) BYTES(NT_SPAN_UNTOLD, type_, member_)
#define TREND(type_) BYTES(NT_SPAN_TREND, type_, trend)

#define ARRAY(rows_, count_) .rows = offsetof(struct nt_process_snapshot, rows_), .count = offsetof(struct nt_process_snapshot, count_)
#define ROWS(type_, shape_, of_) .shape = &(shape_), .id = offsetof(struct type_, id), .of = of_
#define MEMBERS(members_) .members = (members_), .member_count = sizeof(members_) / sizeof((members_)[0])
/* clang-format on */

/* ---- exceptions ---- */

static const struct nt_span_member exception_members[] = { SUM(nt_exception_row, count),           UNTOLD(nt_exception_row, fate_count),
							   UNTOLD(nt_exception_row, caught_count), TREND(nt_exception_row),
							   ANY(nt_exception_row, fresh),           ANY(nt_exception_row, marked) };

static const struct nt_span_member throw_site_members[] = { SUM(nt_throw_site_row, count), TREND(nt_throw_site_row),
							    ANY(nt_throw_site_row, fresh) };

static nt_time time_of_thrown(const void *row, const struct nt_snapshot *interval, bool last)
{
	(void)interval;
	(void)last;
	return ((const struct nt_thrown_row *)row)->time;
}

/* ---- collections ---- */

/* When it ended, as it is counted. */
static nt_time time_of_collection(const void *row, const struct nt_snapshot *interval, bool last)
{
	const struct nt_gc_row *collection = row;
	(void)interval;
	(void)last;
	return collection->finished ? collection->end : NT_TIME_UNKNOWN;
}

/* ---- compilations ---- */

static const struct nt_span_member jit_members[] = { SUM(nt_jit_row, count), SUM(nt_jit_row, time_ns), UNTOLD(nt_jit_row, max_ns),
						     ANY(nt_jit_row, fresh), ANY(nt_jit_row, marked) };

static const struct nt_span_member jit_group_members[] = { SUM(nt_jit_group_row, now.count),     SUM(nt_jit_group_row, now.time_ns),
							   SUM(nt_jit_group_row, now.il_bytes),  SUM(nt_jit_group_row, now.native_bytes),
							   SUM(nt_jit_group_row, now.cpu_count), SUM(nt_jit_group_row, now.cpu_ns),
							   ANY(nt_jit_group_row, fresh) };

static const struct nt_span_member jit_caller_members[] = { SUM(nt_jit_caller_row, count), SUM(nt_jit_caller_row, time_ns),
							    UNTOLD(nt_jit_caller_row, max_ns), ANY(nt_jit_caller_row, fresh) };

/* Those that ended in it. */
static const struct nt_span_member jit_startup_members[] = { MEMBER(NT_SPAN_OF, nt_jit_startup_row, fresh) };

#define JIT_GROUPS(grouping_)                                                                                                              \
	{                                                                                                                                  \
		ARRAY(jit_groups[grouping_], jit_group_count[grouping_]), ROWS(nt_jit_group_row, nt_jit_group_row_shape, NT_SPAN_COUNTED), \
			MEMBERS(jit_group_members)                                                                                         \
	}

/* ---- requests ---- */

/* What the runtime tells as quantiles of its periods cannot be put together. */
static const struct nt_span_member request_members[] = {
	SUM(nt_request_row, count),        SUM(nt_request_row, time_ns),   UNTOLD(nt_request_row, p50_ns),
	UNTOLD(nt_request_row, p95_ns),    UNTOLD(nt_request_row, p99_ns), UNTOLD(nt_request_row, now_p99_ns),
	UNTOLD(nt_request_row, now_count), UNTOLD(nt_request_row, per_s),  TREND(nt_request_row),
	ANY(nt_request_row, fresh)
};

static const struct nt_span_member request_time_members[] = {
	SUM(nt_request_time_row, count),         SUM(nt_request_time_row, time_ns),          SUM(nt_request_time_row, cpu_ns),
	UNTOLD(nt_request_time_row, cpu_pct),    UNTOLD(nt_request_time_row, gc_ns),         UNTOLD(nt_request_time_row, gc_of_ns),
	UNTOLD(nt_request_time_row, awaited_ns), UNTOLD(nt_request_time_row, awaited_of_ns), UNTOLD(nt_request_time_row, awaited)
};

/* Those that had ended were among the slowest then; those in flight are those at the span's end. */
static nt_time time_of_request(const void *row, const struct nt_snapshot *interval, bool last)
{
	const struct nt_single_request_row *request = row;
	if (request->stage != NT_REQUEST_ENDED)
		return last ? interval->t1 - 1 : NT_TIME_UNKNOWN;
	return request->ended_ns.known && request->ended_ns.v < interval->t1 ? interval->t1 - 1 - request->ended_ns.v : NT_TIME_UNKNOWN;
}

static void set_request(void *row, const struct nt_snapshot *interval, nt_time end)
{
	struct nt_single_request_row *request = row;
	nt_time ended = interval->t1 - request->ended_ns.v;
	if (request->ended_ns.known)
		request->ended_ns.v = end > ended ? end - ended : 0;
}

/* ---- the pool ---- */

static nt_time time_of_adjustment(const void *row, const struct nt_snapshot *interval, bool last)
{
	(void)interval;
	(void)last;
	return ((const struct nt_pool_adjustment *)row)->time;
}

static const struct nt_span_member pool_wait_members[] = { SUM(nt_pool_wait_row, count) };

/* ---- locks and waits: percentiles and extremes are those since attach ---- */

static const struct nt_span_member lock_members[] = {
	SUM(nt_lock_row, count),     SUM(nt_lock_row, spent_ns),  UNTOLD(nt_lock_row, window_per_s), UNTOLD(nt_lock_row, window_spent),
	UNTOLD(nt_lock_row, p50_ns), UNTOLD(nt_lock_row, p99_ns), UNTOLD(nt_lock_row, max_ns),       AT_END(nt_lock_row, waiting_count),
	TREND(nt_lock_row),          ANY(nt_lock_row, fresh),     ANY(nt_lock_row, marked)
};

static const struct nt_span_member lock_group_members[] = { SUM(nt_lock_group_row, count),
							    SUM(nt_lock_group_row, spent_ns),
							    UNTOLD(nt_lock_group_row, window_per_s),
							    UNTOLD(nt_lock_group_row, window_spent),
							    UNTOLD(nt_lock_group_row, max_ns),
							    AT_END(nt_lock_group_row, waiting_count),
							    AT_END(nt_lock_group_row, owner_at),
							    AT_END(nt_lock_group_row, owner_stack),
							    TREND(nt_lock_group_row),
							    ANY(nt_lock_group_row, fresh) };

static const struct nt_span_member wait_members[] = { SUM(nt_wait_row, count),           SUM(nt_wait_row, spent_ns),
						      SUM(nt_wait_row, runq_ns),         UNTOLD(nt_wait_row, window_per_s),
						      UNTOLD(nt_wait_row, window_spent), UNTOLD(nt_wait_row, window_runq),
						      UNTOLD(nt_wait_row, p50_ns),       UNTOLD(nt_wait_row, p99_ns),
						      UNTOLD(nt_wait_row, max_ns),       AT_END(nt_wait_row, waiting_count),
						      AT_END(nt_wait_row, longest_tid),  ANY(nt_wait_row, polled),
						      ANY(nt_wait_row, timed),           ANY(nt_wait_row, fresh),
						      ANY(nt_wait_row, marked) };

static const struct nt_span_member wait_sum_members[] = {
	SUM(nt_wait_sum_row, wait.ns),        SUM(nt_wait_sum_row, runq.ns),          SUM(nt_wait_sum_row, idle.ns),
	SUM(nt_wait_sum_row, count),          MEAN(nt_wait_sum_row, cpu_pct),         UNTOLD(nt_wait_sum_row, wait.window),
	UNTOLD(nt_wait_sum_row, runq.window), UNTOLD(nt_wait_sum_row, idle.window),   UNTOLD(nt_wait_sum_row, window_per_s),
	UNTOLD(nt_wait_sum_row, p50_ns),      UNTOLD(nt_wait_sum_row, p99_ns),        UNTOLD(nt_wait_sum_row, max_ns),
	UNTOLD(nt_wait_sum_row, strip),       AT_END(nt_wait_sum_row, waiting_count), AT_END(nt_wait_sum_row, longest_tid),
	AT_END(nt_wait_sum_row, site),        ANY(nt_wait_sum_row, polled),           ANY(nt_wait_sum_row, timed),
	ANY(nt_wait_sum_row, fresh)
};

static const struct nt_span_member wall_members[] = { SUM(nt_wall_row, run.ns),         SUM(nt_wall_row, wait.ns),
						      SUM(nt_wall_row, runq.ns),        UNTOLD(nt_wall_row, run.window),
						      UNTOLD(nt_wall_row, wait.window), UNTOLD(nt_wall_row, runq.window),
						      ANY(nt_wall_row, polled),         ANY(nt_wall_row, timed) };

/* ---- allocations ---- */

#define ALLOC_SUMS(part_)                                                                                                                  \
	SUM(nt_alloc_row, figures.part_.bytes), SUM(nt_alloc_row, figures.part_.objects), SUM(nt_alloc_row, figures.part_.large_bytes),    \
		SUM(nt_alloc_row, figures.part_.pinned_bytes), SUM(nt_alloc_row, figures.part_.variance),                                  \
		SUM(nt_alloc_row, figures.part_.samples)

static const struct nt_span_member alloc_members[] = { ALLOC_SUMS(interval), UNTOLD(nt_alloc_row, figures.window), TREND(nt_alloc_row),
						       ANY(nt_alloc_row, fresh), ANY(nt_alloc_row, marked) };

/* ---- input and output ---- */

#define IO_CALLS(member_) SUM(nt_io_row, calls.member_)

static const struct nt_span_member io_members[] = { SUM(nt_io_row, opened_count),
						    SUMS(nt_io_row, calls.count, NT_IO_CALL_COUNT),
						    IO_CALLS(read_bytes),
						    IO_CALLS(written_bytes),
						    IO_CALLS(error_count),
						    IO_CALLS(again_count),
						    IO_CALLS(ns),
						    UNTOLD(nt_io_row, p50_ns),
						    UNTOLD(nt_io_row, p99_ns),
						    AT_END(nt_io_row, open_count),
						    AT_END(nt_io_row, blocked_count),
						    AT_END(nt_io_row, blocked_tid),
						    AT_END(nt_io_row, blocked_ns),
						    ANY(nt_io_row, fresh) };

/* ---- threads ---- */

/* Those that do the same are each for itself: who does is another in each interval. */
static const struct nt_span_member thread_members[] = { MEAN(nt_thread_row, cpu_pct),
							MEAN(nt_thread_row, user_pct),
							MEAN(nt_thread_row, kernel_pct),
							SUM(nt_thread_row, samples),
							UNTOLD(nt_thread_row, window_samples),
							UNTOLD(nt_thread_row, hot),
							UNTOLD(nt_thread_row, hot_count),
							UNTOLD(nt_thread_row, allocated_per_s),
							UNTOLD(nt_thread_row, alike),
							UNTOLD(nt_thread_row, folded),
							AT_END(nt_thread_row, state),
							AT_END(nt_thread_row, state_ns),
							AT_END(nt_thread_row, busy_ns),
							AT_END(nt_thread_row, idle_ns),
							AT_END(nt_thread_row, lock_ns),
							AT_END(nt_thread_row, lock_owner_tid),
							AT_END(nt_thread_row, deadlocked),
							AT_END(nt_thread_row, waits),
							AT_END(nt_thread_row, looked_at),
							AT_END(nt_thread_row, parked),
							TREND(nt_thread_row),
							ANY(nt_thread_row, fresh),
							ANY(nt_thread_row, marked) };

/* ---- counters ---- */

/* The rates are of periods of the program's own, which need not end with the span. */
static const struct nt_span_member counter_members[] = { SUM(nt_counter_row, change),
							 LEAST(nt_counter_row, least, value),
							 MOST(nt_counter_row, greatest, value),
							 LEAST(nt_counter_row, least_per_s, rate_per_s),
							 MOST(nt_counter_row, greatest_per_s, rate_per_s),
							 MEAN(nt_counter_row, rate_per_s),
							 UNTOLD(nt_counter_row, p50),
							 UNTOLD(nt_counter_row, p95),
							 UNTOLD(nt_counter_row, p99),
							 UNTOLD(nt_counter_row, told),
							 UNTOLD(nt_counter_row, told_count),
							 TREND(nt_counter_row),
							 ANY(nt_counter_row, fresh) };

/* ---- events ---- */

static nt_time time_of_told(const void *row, const struct nt_snapshot *interval, bool last)
{
	(void)interval;
	(void)last;
	return ((const struct nt_told_row *)row)->time;
}

static const struct nt_span_member told_kind_members[] = { SUM(nt_told_kind_row, count), SUM(nt_told_kind_row, bytes),
							   MEAN(nt_told_kind_row, per_s), TREND(nt_told_kind_row),
							   ANY(nt_told_kind_row, fresh) };

/* ---- all ---- */

const struct nt_span_list nt_span_lists[NT_SPAN_LISTS] = {
	{ ARRAY(exceptions, exception_count), ROWS(nt_exception_row, nt_exception_row_shape, NT_SPAN_COUNTED), MEMBERS(exception_members) },
	{ ARRAY(throw_sites, throw_site_count), ROWS(nt_throw_site_row, nt_throw_site_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(throw_site_members) },
	{ ARRAY(thrown, thrown_count), ROWS(nt_thrown_row, nt_thrown_row_shape, NT_SPAN_EVENTS), .time = time_of_thrown },
	{ ARRAY(collections, collection_count), ROWS(nt_gc_row, nt_gc_row_shape, NT_SPAN_EVENTS), .by_pointer = true,
	  .time = time_of_collection },
	{ ARRAY(jit_methods, jit_method_count), ROWS(nt_jit_row, nt_jit_row_shape, NT_SPAN_COUNTED), MEMBERS(jit_members) },
	JIT_GROUPS(NT_JIT_BY_MODULE),
	JIT_GROUPS(NT_JIT_BY_NAMESPACE),
	JIT_GROUPS(NT_JIT_BY_TIER),
	JIT_GROUPS(NT_JIT_BY_TRIGGER),
	{ ARRAY(jit_callers, jit_caller_count), ROWS(nt_jit_caller_row, nt_jit_caller_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(jit_caller_members) },
	{ ARRAY(jit_startup.items, jit_startup.count), ROWS(nt_jit_startup_row, nt_jit_startup_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(jit_startup_members) },
	{ ARRAY(requests, request_count), ROWS(nt_request_row, nt_request_row_shape, NT_SPAN_COUNTED), MEMBERS(request_members) },
	{ ARRAY(request_times, request_time_count), ROWS(nt_request_time_row, nt_request_time_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(request_time_members) },
	{ ARRAY(single_requests, single_request_count), ROWS(nt_single_request_row, nt_single_request_row_shape, NT_SPAN_EVENTS),
	  .time = time_of_request, .set = set_request },
	{ ARRAY(adjustments, adjustment_count), ROWS(nt_pool_adjustment, nt_pool_adjustment_shape, NT_SPAN_EVENTS),
	  .time = time_of_adjustment },
	{ ARRAY(pool_waits, pool_wait_count), ROWS(nt_pool_wait_row, nt_pool_wait_row_shape, NT_SPAN_STANDING),
	  MEMBERS(pool_wait_members) },
	{ ARRAY(locks, lock_count), ROWS(nt_lock_row, nt_lock_row_shape, NT_SPAN_COUNTED), MEMBERS(lock_members) },
	{ ARRAY(lock_objects, lock_object_count), ROWS(nt_lock_group_row, nt_lock_group_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(lock_group_members) },
	{ ARRAY(lock_owners, lock_owner_count), ROWS(nt_lock_group_row, nt_lock_group_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(lock_group_members) },
	{ ARRAY(waits, wait_count), ROWS(nt_wait_row, nt_wait_row_shape, NT_SPAN_COUNTED), MEMBERS(wait_members) },
	{ ARRAY(wait_reasons, wait_reason_count), ROWS(nt_wait_sum_row, nt_wait_sum_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(wait_sum_members) },
	{ ARRAY(wait_threads, wait_thread_count), ROWS(nt_wait_sum_row, nt_wait_sum_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(wait_sum_members) },
	{ ARRAY(wall, wall_count), ROWS(nt_wall_row, nt_wall_row_shape, NT_SPAN_COUNTED), MEMBERS(wall_members) },
	{ ARRAY(allocations, allocation_count), ROWS(nt_alloc_row, nt_alloc_row_shape, NT_SPAN_COUNTED), MEMBERS(alloc_members) },
	{ ARRAY(allocation_sites, allocation_site_count), ROWS(nt_alloc_row, nt_alloc_row_shape, NT_SPAN_COUNTED), MEMBERS(alloc_members) },
	{ ARRAY(io, io_count), ROWS(nt_io_row, nt_io_row_shape, NT_SPAN_STANDING), MEMBERS(io_members) },
	{ ARRAY(threads, thread_count), ROWS(nt_thread_row, nt_thread_row_shape, NT_SPAN_STANDING), MEMBERS(thread_members) },
	{ ARRAY(counters, counter_count), ROWS(nt_counter_row, nt_counter_row_shape, NT_SPAN_STANDING), MEMBERS(counter_members) },
	{ ARRAY(told.rows, told.row_count), ROWS(nt_told_row, nt_told_row_shape, NT_SPAN_EVENTS), .by_pointer = true, .time = time_of_told,
	  .oldest_first = true },
	{ ARRAY(told.stacks, told.stack_count), ROWS(nt_told_stack, nt_told_stack_shape, NT_SPAN_EVENTS), .oldest_first = true },
	{ ARRAY(told.kinds, told.kind_count), ROWS(nt_told_kind_row, nt_told_kind_row_shape, NT_SPAN_COUNTED), MEMBERS(told_kind_members) },
};
