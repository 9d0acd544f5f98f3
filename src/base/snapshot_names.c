// SPDX-License-Identifier: GPL-2.0-only
/* Stable names of the enumerations in nettop/snapshot.h and nettop/process_row.h. */
#include "nettop/process_row.h"

#define LOOKUP(table, value) ((size_t)(value) < sizeof(table) / sizeof((table)[0]) ? (table)[value] : "?")

const char *nt_finding_kind_name(enum nt_finding_kind kind)
{
	static const char *const names[NT_FINDING_KIND_COUNT] = {
		[NT_FINDING_DEADLOCK] = "deadlock",
		[NT_FINDING_POOL_STARVATION] = "pool_starvation",
		[NT_FINDING_LOCK_CONVOY] = "lock_convoy",
		[NT_FINDING_GC_STORM] = "gc_storm",
		[NT_FINDING_JIT_STORM] = "jit_storm",
		[NT_FINDING_EXCEPTION_FLOOD] = "exception_flood",
		[NT_FINDING_ALLOC_BURST] = "alloc_burst",
		[NT_FINDING_HEAP_GROWTH] = "heap_growth",
		[NT_FINDING_SPINNING_THREAD] = "spinning_thread",
		[NT_FINDING_BLOCKED_THREAD] = "blocked_thread",
	};
	return LOOKUP(names, kind);
}

const char *nt_sample_kind_name(enum nt_sample_kind kind)
{
	static const char *const names[] = { [NT_SAMPLES_CPU] = "cpu", [NT_SAMPLES_WALL] = "wall" };
	return LOOKUP(names, kind);
}

const char *nt_role_name(enum nt_role role)
{
	static const char *const names[NT_ROLE_COUNT] = { "", "pool", "gc", "jit", "fin", "rt", "app" };
	return LOOKUP(names, role);
}

const char *nt_jit_trigger_name(enum nt_jit_trigger trigger)
{
	static const char *const names[NT_JIT_TRIGGER_COUNT] = { "foreground", "background", "r2r reject" };
	return LOOKUP(names, trigger);
}

const enum nt_source_id nt_listed_sources[NT_LISTED_SOURCES] = { NT_SOURCE_LTTNG, NT_SOURCE_EVENTPIPE, NT_SOURCE_PERF, NT_SOURCE_CODEMAP };

const char *nt_usable_name(enum nt_usable_state state)
{
	static const char *const names[] = { "", "ok", "missing", "forbidden" };
	return LOOKUP(names, state);
}
