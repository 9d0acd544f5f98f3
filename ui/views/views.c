// SPDX-License-Identifier: GPL-2.0-only
#include "ui/views/views.h"

const struct nt_view *const nt_views[NT_VIEW_COUNT] = {
	[NT_VIEW_METHODS] = &nt_view_methods,
	[NT_VIEW_GC] = &nt_view_gc,
	[NT_VIEW_JIT] = &nt_view_jit,
	[NT_VIEW_THREADS] = &nt_view_threads,
	[NT_VIEW_ALLOCATIONS] = &nt_view_allocations,
	[NT_VIEW_EXCEPTIONS] = &nt_view_exceptions,
	[NT_VIEW_LOCKS] = &nt_view_locks,
	[NT_VIEW_WAITS] = &nt_view_waits,
	[NT_VIEW_EVENTS] = &nt_view_events,
	[NT_VIEW_SOURCES] = &nt_view_sources,
	[NT_VIEW_COUNTERS] = &nt_view_counters,
	[NT_VIEW_IO] = &nt_view_io,
	[NT_VIEW_REQUESTS] = &nt_view_requests,
	[NT_VIEW_CALLS] = &nt_view_calls,
	[NT_VIEW_PROCESSES] = &nt_view_processes,
	[NT_VIEW_WATCHED] = &nt_view_watched,
	[NT_VIEW_CODE] = &nt_view_code,
	[NT_VIEW_WAIT_WALL] = &nt_view_wait_wall,
	[NT_VIEW_WAIT_THREADS] = &nt_view_wait_threads,
	[NT_VIEW_WAIT_REASONS] = &nt_view_wait_reasons,
	[NT_VIEW_SINGLE_REQUESTS] = &nt_view_single_requests,
	[NT_VIEW_JIT_MODULES] = &nt_view_jit_modules,
	[NT_VIEW_JIT_NAMESPACES] = &nt_view_jit_namespaces,
	[NT_VIEW_JIT_TIERS] = &nt_view_jit_tiers,
	[NT_VIEW_JIT_TRIGGERS] = &nt_view_jit_triggers,
	[NT_VIEW_JIT_STARTUP] = &nt_view_jit_startup,
	[NT_VIEW_JIT_CAUSES] = &nt_view_jit_causes,
	[NT_VIEW_JIT_CALLERS] = &nt_view_jit_callers,
	[NT_VIEW_POOL_WAITS] = &nt_view_pool_waits,
	[NT_VIEW_REQUEST_TIMES] = &nt_view_request_times,
	[NT_VIEW_THROW_SITES] = &nt_view_throw_sites,
	[NT_VIEW_THROWN] = &nt_view_thrown,
	[NT_VIEW_ALLOCATION_SITES] = &nt_view_allocation_sites,
	[NT_VIEW_ALLOCATION_THREADS] = &nt_view_allocation_threads,
	[NT_VIEW_LOCK_OBJECTS] = &nt_view_lock_objects,
	[NT_VIEW_LOCK_OWNERS] = &nt_view_lock_owners,
	[NT_VIEW_DIFFERENCE] = &nt_view_difference,
	[NT_VIEW_EVENT_RATES] = &nt_view_event_rates,
};

enum { MOST = 8 };

static const size_t groupings[][MOST + 1] = {
	{ NT_VIEW_WAITS, NT_VIEW_WAIT_WALL, NT_VIEW_WAIT_THREADS, NT_VIEW_WAIT_REASONS, NT_VIEW_COUNT },
	{ NT_VIEW_JIT, NT_VIEW_JIT_MODULES, NT_VIEW_JIT_NAMESPACES, NT_VIEW_JIT_TIERS, NT_VIEW_JIT_TRIGGERS, NT_VIEW_JIT_STARTUP,
	  NT_VIEW_JIT_CAUSES, NT_VIEW_JIT_CALLERS, NT_VIEW_COUNT },
	{ NT_VIEW_THREADS, NT_VIEW_POOL_WAITS, NT_VIEW_COUNT },
	{ NT_VIEW_REQUESTS, NT_VIEW_SINGLE_REQUESTS, NT_VIEW_REQUEST_TIMES, NT_VIEW_COUNT },
	{ NT_VIEW_ALLOCATIONS, NT_VIEW_ALLOCATION_SITES, NT_VIEW_ALLOCATION_THREADS, NT_VIEW_COUNT },
	{ NT_VIEW_EXCEPTIONS, NT_VIEW_THROW_SITES, NT_VIEW_THROWN, NT_VIEW_COUNT },
	{ NT_VIEW_LOCKS, NT_VIEW_LOCK_OBJECTS, NT_VIEW_LOCK_OWNERS, NT_VIEW_COUNT },
	{ NT_VIEW_EVENTS, NT_VIEW_EVENT_RATES, NT_VIEW_COUNT },
};

const size_t *nt_views_groupings(size_t view)
{
	for (size_t i = 0; i < sizeof(groupings) / sizeof(groupings[0]); i++)
		for (size_t k = 0; groupings[i][k] < NT_VIEW_COUNT; k++)
			if (groupings[i][k] == view)
				return groupings[i];
	return NULL;
}
