// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_lists.h"

#include "base/alloc.h"

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

/* ---- what is compared ---- */

#define NUMBER(type_, member_)                                                                                                             \
	{                                                                                                                                  \
		TYPE_OF(type_, member_), offsetof(struct type_, member_)                                                                   \
	}

static double seconds(struct nt_u64 covered_ns)
{
	return covered_ns.known ? (double)covered_ns.v / (double)NT_NS_PER_S : 0;
}

static char *name_or(const char *name, const char *otherwise)
{
	return nt_strdup(name ? name : otherwise);
}

const struct nt_span_compared nt_span_methods_compared = {
	.figures = { { .kind = NT_DIFFER_CPU, .sampled = true }, { .kind = NT_DIFFER_CPU_CALLS, .sampled = true, .unless_first = true } },
	.figure_count = 2,
};

/* ---- exceptions ---- */

static const struct nt_span_member exception_members[] = { SUM(nt_exception_row, count),           UNTOLD(nt_exception_row, fate_count),
							   UNTOLD(nt_exception_row, caught_count), TREND(nt_exception_row),
							   ANY(nt_exception_row, fresh),           ANY(nt_exception_row, marked) };

static const struct nt_span_member throw_site_members[] = { SUM(nt_throw_site_row, count), TREND(nt_throw_site_row),
							    ANY(nt_throw_site_row, fresh) };

static double exceptions_told(const struct nt_process_snapshot *process)
{
	return seconds(process->interval.exceptions.covered_ns);
}

static char *exception_name(const void *row)
{
	return name_or(((const struct nt_exception_row *)row)->type, "(type not known)");
}

static const struct nt_span_compared exceptions_compared = {
	.figures = { { .kind = NT_DIFFER_THROWN } },
	.figure_count = 1,
	.amounts = { NUMBER(nt_exception_row, count) },
	.counts = { NUMBER(nt_exception_row, count) },
	.told_s = exceptions_told,
	.name = exception_name,
};

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

static double collections_told(const struct nt_process_snapshot *process)
{
	return seconds(process->interval.gc.covered_ns);
}

/* An interval has those of before, too. One whose pause is not told says nothing of how long they are. */
static bool ended_in(const void *row, const struct nt_snapshot *interval)
{
	nt_time end = time_of_collection(row, interval, false);
	return end != NT_TIME_UNKNOWN && end >= interval->t0 && end < interval->t1 && ((const struct nt_gc_row *)row)->pause_ns.known;
}

static char *collection_name(const void *row)
{
	int generation = nt_gc_row_generation(row);
	return nt_strdup(generation < 0 ? "(generation not known)" : nt_gc_generation_name((unsigned)generation));
}

static const struct nt_span_compared collections_compared = {
	.figures = { { .kind = NT_DIFFER_PAUSE, .by_next = true }, { .kind = NT_DIFFER_COLLECTIONS } },
	.figure_count = 2,
	.amounts = { NUMBER(nt_gc_row, pause_ns), NUMBER(nt_gc_row, finished) },
	.counts = { NUMBER(nt_gc_row, finished), NUMBER(nt_gc_row, finished) },
	.told_s = collections_told,
	.is_counted = ended_in,
	.name = collection_name,
};

/* ---- compilations ---- */

static const struct nt_span_member jit_members[] = { SUM(nt_jit_row, count), SUM(nt_jit_row, time_ns), UNTOLD(nt_jit_row, max_ns),
						     ANY(nt_jit_row, fresh), ANY(nt_jit_row, marked) };

static const struct nt_span_member jit_group_members[] = { SUM(nt_jit_group_row, now.count),     SUM(nt_jit_group_row, now.time_ns),
							   SUM(nt_jit_group_row, now.il_bytes),  SUM(nt_jit_group_row, now.native_bytes),
							   SUM(nt_jit_group_row, now.cpu_count), SUM(nt_jit_group_row, now.cpu_ns),
							   ANY(nt_jit_group_row, fresh) };

static double compilations_told(const struct nt_process_snapshot *process)
{
	return seconds(process->interval.jit.covered_ns);
}

static char *jit_group_name(const void *row)
{
	return name_or(((const struct nt_jit_group_row *)row)->name, "(module not known)");
}

static const struct nt_span_compared jit_modules_compared = {
	.figures = { { .kind = NT_DIFFER_COMPILED } },
	.figure_count = 1,
	.amounts = { NUMBER(nt_jit_group_row, now.count) },
	.counts = { NUMBER(nt_jit_group_row, now.count) },
	.told_s = compilations_told,
	.name = jit_group_name,
};

static const struct nt_span_member jit_caller_members[] = { SUM(nt_jit_caller_row, count), SUM(nt_jit_caller_row, time_ns),
							    UNTOLD(nt_jit_caller_row, max_ns), ANY(nt_jit_caller_row, fresh) };

/* Those that ended in it. */
static const struct nt_span_member jit_startup_members[] = { MEMBER(NT_SPAN_OF, nt_jit_startup_row, fresh) };

#define JIT_GROUPS(grouping_, compared_)                                                                                                   \
	{                                                                                                                                  \
		ARRAY(jit_groups[grouping_], jit_group_count[grouping_]), ROWS(nt_jit_group_row, nt_jit_group_row_shape, NT_SPAN_COUNTED), \
			MEMBERS(jit_group_members), .compared = compared_                                                                  \
	}

/* ---- requests ---- */

/* What the runtime tells as quantiles of its periods cannot be put together. */
static const struct nt_span_member request_members[] = {
	SUM(nt_request_row, count),        SUM(nt_request_row, time_ns),   UNTOLD(nt_request_row, p50_ns),
	UNTOLD(nt_request_row, p95_ns),    UNTOLD(nt_request_row, p99_ns), UNTOLD(nt_request_row, now_p99_ns),
	UNTOLD(nt_request_row, now_count), UNTOLD(nt_request_row, per_s),  TREND(nt_request_row),
	ANY(nt_request_row, fresh)
};

static double requests_told(const struct nt_process_snapshot *process)
{
	return seconds(process->interval.requests.covered_ns);
}

/* As it is shown, and how it ended: errors are rows of their own. */
static char *request_name(const void *row)
{
	static const char *const ways[NT_REQUEST_WAY_COUNT] = { "", "made: ", "database: " };
	const struct nt_request_row *request = row;
	const char *method = request->method ? request->method : "", *route = request->route ? request->route : "(no route)";
	const char *status = request->status ? request->status : "", *error = request->error ? request->error : "";
	return nt_format("%s%s%s%s%s%s%s%s", ways[request->way], method, *method ? " " : "", route, *status ? " " : "", status,
			 *error ? " " : "", error);
}

static const struct nt_span_compared requests_compared = {
	.figures = { { .kind = NT_DIFFER_REQUEST_TIME, .by_next = true }, { .kind = NT_DIFFER_REQUESTS } },
	.figure_count = 2,
	.amounts = { NUMBER(nt_request_row, time_ns), NUMBER(nt_request_row, count) },
	.counts = { NUMBER(nt_request_row, count), NUMBER(nt_request_row, count) },
	.told_s = requests_told,
	.name = request_name,
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

static double locks_told(const struct nt_process_snapshot *process)
{
	return seconds(process->interval.locks.covered_ns);
}

static char *lock_name(const void *row)
{
	return name_or(((const struct nt_lock_row *)row)->site, "(method not known)");
}

static const struct nt_span_compared locks_compared = {
	.figures = { { .kind = NT_DIFFER_LOCK_TIME } },
	.figure_count = 1,
	.amounts = { NUMBER(nt_lock_row, spent_ns) },
	.counts = { NUMBER(nt_lock_row, count) },
	.told_s = locks_told,
	.name = lock_name,
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

static double waits_told(const struct nt_process_snapshot *process)
{
	return seconds(process->interval.waits.covered_ns);
}

static bool is_no_idling(const void *row, const struct nt_snapshot *interval)
{
	(void)interval;
	return !((const struct nt_wait_row *)row)->idle;
}

static char *wait_name(const void *row)
{
	const struct nt_wait_row *wait = row;
	const char *site = wait->site ? wait->site : "(method not known)", *means = wait->means ? wait->means : "";
	return nt_format("%s%s%s", site, *means ? " in " : "", means);
}

static const struct nt_span_compared waits_compared = {
	.figures = { { .kind = NT_DIFFER_WAIT_TIME } },
	.figure_count = 1,
	.amounts = { NUMBER(nt_wait_row, spent_ns) },
	.counts = { NUMBER(nt_wait_row, count) },
	.told_s = waits_told,
	.is_counted = is_no_idling,
	.name = wait_name,
};

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

static double allocations_told(const struct nt_process_snapshot *process)
{
	return process->alloc_sampling.interval_s;
}

static char *type_name(const void *row)
{
	return name_or(((const struct nt_alloc_row *)row)->type, "(type not known)");
}

static const struct nt_span_compared types_compared = {
	.figures = { { .kind = NT_DIFFER_BYTES, .sampled = true }, { .kind = NT_DIFFER_OBJECTS, .sampled = true, .unless_first = true } },
	.figure_count = 2,
	.amounts = { NUMBER(nt_alloc_row, figures.interval.bytes), NUMBER(nt_alloc_row, figures.interval.objects) },
	.counts = { NUMBER(nt_alloc_row, figures.interval.samples), NUMBER(nt_alloc_row, figures.interval.samples) },
	.told_s = allocations_told,
	.name = type_name,
};

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
	{ ARRAY(exceptions, exception_count), ROWS(nt_exception_row, nt_exception_row_shape, NT_SPAN_COUNTED), MEMBERS(exception_members),
	  .compared = &exceptions_compared },
	{ ARRAY(throw_sites, throw_site_count), ROWS(nt_throw_site_row, nt_throw_site_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(throw_site_members) },
	{ ARRAY(thrown, thrown_count), ROWS(nt_thrown_row, nt_thrown_row_shape, NT_SPAN_EVENTS), .time = time_of_thrown },
	{ ARRAY(collections, collection_count), ROWS(nt_gc_row, nt_gc_row_shape, NT_SPAN_EVENTS), .by_pointer = true,
	  .compared = &collections_compared, .time = time_of_collection },
	{ ARRAY(jit_methods, jit_method_count), ROWS(nt_jit_row, nt_jit_row_shape, NT_SPAN_COUNTED), MEMBERS(jit_members) },
	JIT_GROUPS(NT_JIT_BY_MODULE, &jit_modules_compared),
	JIT_GROUPS(NT_JIT_BY_NAMESPACE, NULL),
	JIT_GROUPS(NT_JIT_BY_TIER, NULL),
	JIT_GROUPS(NT_JIT_BY_TRIGGER, NULL),
	{ ARRAY(jit_callers, jit_caller_count), ROWS(nt_jit_caller_row, nt_jit_caller_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(jit_caller_members) },
	{ ARRAY(jit_startup.items, jit_startup.count), ROWS(nt_jit_startup_row, nt_jit_startup_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(jit_startup_members) },
	{ ARRAY(requests, request_count), ROWS(nt_request_row, nt_request_row_shape, NT_SPAN_COUNTED), MEMBERS(request_members),
	  .compared = &requests_compared },
	{ ARRAY(request_times, request_time_count), ROWS(nt_request_time_row, nt_request_time_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(request_time_members) },
	{ ARRAY(single_requests, single_request_count), ROWS(nt_single_request_row, nt_single_request_row_shape, NT_SPAN_EVENTS),
	  .time = time_of_request, .set = set_request },
	{ ARRAY(adjustments, adjustment_count), ROWS(nt_pool_adjustment, nt_pool_adjustment_shape, NT_SPAN_EVENTS),
	  .time = time_of_adjustment },
	{ ARRAY(pool_waits, pool_wait_count), ROWS(nt_pool_wait_row, nt_pool_wait_row_shape, NT_SPAN_STANDING),
	  MEMBERS(pool_wait_members) },
	{ ARRAY(locks, lock_count), ROWS(nt_lock_row, nt_lock_row_shape, NT_SPAN_COUNTED), MEMBERS(lock_members),
	  .compared = &locks_compared },
	{ ARRAY(lock_objects, lock_object_count), ROWS(nt_lock_group_row, nt_lock_group_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(lock_group_members) },
	{ ARRAY(lock_owners, lock_owner_count), ROWS(nt_lock_group_row, nt_lock_group_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(lock_group_members) },
	{ ARRAY(waits, wait_count), ROWS(nt_wait_row, nt_wait_row_shape, NT_SPAN_COUNTED), MEMBERS(wait_members),
	  .compared = &waits_compared },
	{ ARRAY(wait_reasons, wait_reason_count), ROWS(nt_wait_sum_row, nt_wait_sum_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(wait_sum_members) },
	{ ARRAY(wait_threads, wait_thread_count), ROWS(nt_wait_sum_row, nt_wait_sum_row_shape, NT_SPAN_COUNTED),
	  MEMBERS(wait_sum_members) },
	{ ARRAY(wall, wall_count), ROWS(nt_wall_row, nt_wall_row_shape, NT_SPAN_COUNTED), MEMBERS(wall_members) },
	{ ARRAY(allocations, allocation_count), ROWS(nt_alloc_row, nt_alloc_row_shape, NT_SPAN_COUNTED), MEMBERS(alloc_members),
	  .compared = &types_compared },
	{ ARRAY(allocation_sites, allocation_site_count), ROWS(nt_alloc_row, nt_alloc_row_shape, NT_SPAN_COUNTED), MEMBERS(alloc_members) },
	{ ARRAY(io, io_count), ROWS(nt_io_row, nt_io_row_shape, NT_SPAN_STANDING), MEMBERS(io_members) },
	{ ARRAY(threads, thread_count), ROWS(nt_thread_row, nt_thread_row_shape, NT_SPAN_STANDING), MEMBERS(thread_members) },
	{ ARRAY(counters, counter_count), ROWS(nt_counter_row, nt_counter_row_shape, NT_SPAN_STANDING), MEMBERS(counter_members) },
	{ ARRAY(told.rows, told.row_count), ROWS(nt_told_row, nt_told_row_shape, NT_SPAN_EVENTS), .by_pointer = true, .time = time_of_told,
	  .oldest_first = true },
	{ ARRAY(told.stacks, told.stack_count), ROWS(nt_told_stack, nt_told_stack_shape, NT_SPAN_EVENTS), .oldest_first = true },
	{ ARRAY(told.kinds, told.kind_count), ROWS(nt_told_kind_row, nt_told_kind_row_shape, NT_SPAN_COUNTED), MEMBERS(told_kind_members) },
};

const unsigned char *nt_span_list_row(const struct nt_span_list *list, const struct nt_process_snapshot *process, size_t index)
{
	const unsigned char *array;
	memcpy(&array, (const char *)process + list->rows, sizeof(array));
	if (!list->by_pointer)
		return array + index * list->shape->size;
	const unsigned char *row;
	memcpy(&row, array + index * sizeof(row), sizeof(row));
	return row;
}

size_t nt_span_list_count(const struct nt_span_list *list, const struct nt_process_snapshot *process)
{
	size_t count;
	memcpy(&count, (const char *)process + list->count, sizeof(count));
	return count;
}
