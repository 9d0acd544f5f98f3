// SPDX-License-Identifier: GPL-2.0-only
#include "model/findings/quantities.h"

#define COUNTED(name_, unit_)                                                                                                              \
	{                                                                                                                                  \
		.name = (name_), .unit = (unit_), .confidence = NT_CONFIDENCE_COUNTED                                                      \
	}
#define SAMPLED(name_, unit_)                                                                                                              \
	{                                                                                                                                  \
		.name = (name_), .unit = (unit_), .confidence = NT_CONFIDENCE_SAMPLED                                                      \
	}
#define ESTIMATED(name_, unit_)                                                                                                            \
	{                                                                                                                                  \
		.name = (name_), .unit = (unit_), .confidence = NT_CONFIDENCE_ESTIMATED                                                    \
	}

/* clang-format off */
static const struct nt_quantity_kind quantities[] = {
	[NT_QUANTITY_NONE]                = COUNTED("", ""),
	[NT_QUANTITY_DEADLOCKED]          = COUNTED("deadlocked_threads", "count"),
	[NT_QUANTITY_CPU_WAIT]            = COUNTED("cpu_wait_pct", "pct"),
	[NT_QUANTITY_CPU_WAITED]          = COUNTED("cpu_waited_ms_per_s", "ms_per_s"),
	[NT_QUANTITY_CPU_NOT_HAD]         = COUNTED("cpu_not_had_pct", "pct"),
	[NT_QUANTITY_CPU_LIMITED]         = COUNTED("cpu_limited", "count"),
	[NT_QUANTITY_STARVED]             = COUNTED("pool_starved_adjustments", "count"),
	[NT_QUANTITY_CLIMBED]             = COUNTED("pool_workers_added", "count"),
	[NT_QUANTITY_SHORT]               = COUNTED("pool_short", "count"),
	[NT_QUANTITY_UNEXPLAINED]         = SAMPLED("pool_unexplained", "count"),
	[NT_QUANTITY_QUEUED]              = COUNTED("pool_queued_per_worker", "per_worker"),
	[NT_QUANTITY_STALLED]             = COUNTED("pool_stalled", "count"),
	[NT_QUANTITY_WAITED]              = COUNTED("lock_waited_ms_per_s", "ms_per_s"),
	[NT_QUANTITY_SAME_LOCK]           = COUNTED("same_lock_threads", "count"),
	[NT_QUANTITY_PAUSED]              = COUNTED("paused_pct", "pct"),
	[NT_QUANTITY_FULL_GCS]            = COUNTED("full_collections_per_s", "per_s"),
	[NT_QUANTITY_GEN2_GCS]            = COUNTED("gen2_collections_per_s", "per_s"),
	[NT_QUANTITY_LOH_GCS]             = COUNTED("loh_collections_per_s", "per_s"),
	[NT_QUANTITY_LOH_FREED]           = COUNTED("loh_freed_bytes_per_s", "bytes_per_s"),
	[NT_QUANTITY_GC_CPU]              = SAMPLED("gc_cpu_pct", "pct"),
	[NT_QUANTITY_LONG_PAUSE]          = COUNTED("longest_pause_ns", "ns"),
	[NT_QUANTITY_JITTED]              = COUNTED("compiled_ms_per_s", "ms_per_s"),
	[NT_QUANTITY_PAUSED_RUNNING]      = ESTIMATED("paused_with_a_cpu_pct", "pct"),
	[NT_QUANTITY_LONG_PAUSE_RUNNING]  = ESTIMATED("longest_pause_with_a_cpu_ns", "ns"),
	[NT_QUANTITY_JITTED_RUNNING]      = ESTIMATED("compiled_with_a_cpu_ms_per_s", "ms_per_s"),
	[NT_QUANTITY_UPTIME]              = COUNTED("uptime_ns", "ns"),
	[NT_QUANTITY_DYNAMIC]             = COUNTED("dynamic_methods_per_s", "per_s"),
	[NT_QUANTITY_FINALIZING]          = SAMPLED("finalizing_ns", "ns"),
	[NT_QUANTITY_BACKLOG]             = COUNTED("tier1_backlog", "count"),
	[NT_QUANTITY_THROWN]              = COUNTED("thrown_per_s", "per_s"),
	[NT_QUANTITY_THROWN_TIMES]        = COUNTED("thrown_times_usual", "times"),
	[NT_QUANTITY_ALLOCATED]           = COUNTED("allocated_bytes_per_s", "bytes_per_s"),
	[NT_QUANTITY_ALLOCATED_TIMES]     = COUNTED("allocated_times_usual", "times"),
	[NT_QUANTITY_HEAP_GREW]           = ESTIMATED("heap_grew_bytes", "bytes"),
	[NT_QUANTITY_HEAP_IN_AN_HOUR]     = ESTIMATED("heap_way_in_an_hour", "times"),
	[NT_QUANTITY_MEMORY_GREW]         = ESTIMATED("memory_grew_bytes", "bytes"),
	[NT_QUANTITY_MEMORY_IN_AN_HOUR]   = ESTIMATED("memory_way_in_an_hour", "times"),
	[NT_QUANTITY_THREADS_GREW]        = ESTIMATED("threads_grew", "count"),
	[NT_QUANTITY_THREADS_IN_AN_HOUR]  = ESTIMATED("threads_way_in_an_hour", "times"),
	[NT_QUANTITY_DESCRIPTORS_GREW]    = ESTIMATED("descriptors_grew", "count"),
	[NT_QUANTITY_DESCRIPTORS_IN_AN_HOUR] = ESTIMATED("descriptors_way_in_an_hour", "times"),
	[NT_QUANTITY_HANDLES_GREW]        = ESTIMATED("handles_grew", "count"),
	[NT_QUANTITY_HANDLES_IN_AN_HOUR]  = ESTIMATED("handles_way_in_an_hour", "times"),
	[NT_QUANTITY_TIMERS_GREW]         = ESTIMATED("timers_grew", "count"),
	[NT_QUANTITY_TIMERS_IN_AN_HOUR]   = ESTIMATED("timers_way_in_an_hour", "times"),
	[NT_QUANTITY_SERVES]              = COUNTED("serves_requests", "count"),
	[NT_QUANTITY_FAILED]              = COUNTED("failed_per_s", "per_s"),
	[NT_QUANTITY_FAILED_PCT]          = COUNTED("failed_pct", "pct"),
	[NT_QUANTITY_CLOSED]              = COUNTED("connections_closed_per_s", "per_s"),
	[NT_QUANTITY_CLOSED_PCT]          = COUNTED("connections_closed_pct", "pct"),
	[NT_QUANTITY_OPENED]              = COUNTED("connections_opened_per_s", "per_s"),
	[NT_QUANTITY_OPENED_PCT]          = COUNTED("connections_opened_pct", "pct"),
	[NT_QUANTITY_SLOWER]              = ESTIMATED("p99_longer_ns", "ns"),
	[NT_QUANTITY_SLOWER_TIMES]        = ESTIMATED("p99_times_usual", "times"),
	[NT_QUANTITY_SLOW_CALL]           = ESTIMATED("call_p99_ns", "ns"),
	[NT_QUANTITY_DATABASE_POOL]       = COUNTED("database_pool_pct", "pct"),
	[NT_QUANTITY_DATABASE_WAITING]    = COUNTED("database_pool_waiting", "count"),
	[NT_QUANTITY_SERVED_P99]          = COUNTED("served_p99_ns", "ns"),
	[NT_QUANTITY_PILED]               = COUNTED("in_flight_more", "count"),
	[NT_QUANTITY_PILED_TIMES]         = COUNTED("in_flight_times_usual", "times"),
	[NT_QUANTITY_FEWER_TIMES]         = COUNTED("ended_times_fewer", "times"),
	[NT_QUANTITY_STUCK]               = COUNTED("none_ended_for_ns", "ns"),
	[NT_QUANTITY_MEMORY]              = COUNTED("memory_limit_pct", "pct"),
	[NT_QUANTITY_SAMPLED]             = COUNTED("samples", "count"),
	[NT_QUANTITY_BUSY_PCT]            = COUNTED("thread_cpu_pct", "pct"),
	[NT_QUANTITY_BUSY]                = COUNTED("thread_busy_ns", "ns"),
	[NT_QUANTITY_METHOD_PCT]          = SAMPLED("thread_method_pct", "pct"),
	[NT_QUANTITY_BLOCKED]             = COUNTED("thread_blocked_ns", "ns"),
};
/* clang-format on */
_Static_assert(sizeof(quantities) / sizeof(quantities[0]) == NT_QUANTITY_COUNT, "each quantity has a name");

const struct nt_quantity_kind *nt_quantity_kind(enum nt_quantity quantity)
{
	return &quantities[quantity];
}
