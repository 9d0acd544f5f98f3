// SPDX-License-Identifier: GPL-2.0-only
/* Stable names of the enumerations in nettop/event.h and nettop/deployment.h. */
#include "nettop/deployment.h"
#include "nettop/event.h"

#define LOOKUP(table, value) ((size_t)(value) < sizeof(table) / sizeof((table)[0]) && (table)[value] ? (table)[value] : "?")

const char *nt_event_kind_name(enum nt_event_kind kind)
{
	static const char *const names[NT_EV_KIND_COUNT] = {
		[NT_EV_NONE] = "none",
		[NT_EV_SOURCE_STATE] = "source-state",
		[NT_EV_LOST] = "lost",
		[NT_EV_COVER] = "cover",
		[NT_EV_IDLE] = "idle",
		[NT_EV_SAMPLE] = "sample",
		[NT_EV_THREAD] = "thread",
		[NT_EV_PROC] = "proc",
		[NT_EV_THREAD_STAT] = "thread-stat",
		[NT_EV_SELF] = "self",
		[NT_EV_TARGET] = "target",
		[NT_EV_SWITCH] = "switch",
		[NT_EV_WAKE] = "wake",
		[NT_EV_MAP] = "map",
		[NT_EV_CODE] = "code",
		[NT_EV_CODE_END] = "code-end",
		[NT_EV_FILE] = "file",
		[NT_EV_NAME] = "name",
		[NT_EV_ASSEMBLY] = "assembly",
		[NT_EV_IL_MAP] = "il_map",
		[NT_EV_SOURCE_LINES] = "source-lines",
		[NT_EV_RUNDOWN] = "rundown",
		[NT_EV_COUNTER] = "counter",
		[NT_EV_WALL_SAMPLE] = "wall-sample",
		[NT_EV_GC_START] = "gc-start",
		[NT_EV_GC_END] = "gc-end",
		[NT_EV_GC_HEAP_STATS] = "gc-heap-stats",
		[NT_EV_GC_SUSPEND_BEGIN] = "gc-suspend-begin",
		[NT_EV_GC_SUSPEND_END] = "gc-suspend-end",
		[NT_EV_GC_RESTART_BEGIN] = "gc-restart-begin",
		[NT_EV_GC_RESTART_END] = "gc-restart-end",
		[NT_EV_GC_TRIGGERED] = "gc-triggered",
		[NT_EV_GC_GLOBAL_HISTORY] = "gc-global-history",
		[NT_EV_GC_HEAP_HISTORY] = "gc-heap-history",
		[NT_EV_GC_FINALIZERS_BEGIN] = "gc-finalizers-begin",
		[NT_EV_GC_FINALIZERS_END] = "gc-finalizers-end",
		[NT_EV_ALLOC_SAMPLED] = "alloc-sampled",
		[NT_EV_ALLOC_TICK] = "alloc-tick",
		[NT_EV_JIT_START] = "jit-start",
		[NT_EV_METHOD_LOAD] = "method-load",
		[NT_EV_METHOD_UNLOAD] = "method-unload",
		[NT_EV_MODULE_LOAD] = "module-load",
		[NT_EV_TIERING] = "tiering",
		[NT_EV_POOL_WORKERS] = "pool-workers",
		[NT_EV_POOL_ADJUST] = "pool-adjust",
		[NT_EV_POOL_SAMPLE] = "pool-sample",
		[NT_EV_POOL_STATS] = "pool-stats",
		[NT_EV_POOL_MINMAX] = "pool-minmax",
		[NT_EV_CONTENTION_START] = "contention-start",
		[NT_EV_CONTENTION_STOP] = "contention-stop",
		[NT_EV_EXCEPTION_THROWN] = "exception-thrown",
		[NT_EV_EXCEPTION_CATCH] = "exception-catch",
		[NT_EV_CLR_THREAD_CREATED] = "clr-thread-created",
		[NT_EV_CLR_THREAD_ENDED] = "clr-thread-ended",
		[NT_EV_CLR_UNKNOWN] = "clr-unknown",
	};
	return LOOKUP(names, kind);
}

const char *nt_source_name(enum nt_source_id source)
{
	static const char *const names[] = { "procfs", "perf", "lttng", "eventpipe", "map", "recording", "nettop", "alloc" };
	return LOOKUP(names, source);
}

const char *nt_source_state_name(enum nt_source_state state)
{
	static const char *const names[] = { "unused", "starting", "delivering", "absent", "forbidden", "stalled", "ended" };
	return LOOKUP(names, state);
}

const char *nt_code_kind_name(enum nt_code_kind kind)
{
	static const char *const names[] = { "jit", "stub", "r2r", "runtime", "native", "kernel", "unknown" };
	return LOOKUP(names, kind);
}

const char *nt_tier_name(enum nt_tier tier)
{
	static const char *const names[] = { "", "minopt", "opt", "tier0", "tier1", "osr", "instr", "inst1" };
	return LOOKUP(names, tier);
}

const char *nt_target_mode_name(enum nt_target_mode mode)
{
	static const char *const names[] = { "unknown", "none", "N", "F", "all" };
	return LOOKUP(names, mode);
}

const char *nt_deployment_name(enum nt_deployment deployment)
{
	static const char *const names[] = { "", "shared", "self", "single", "aot" };
	return LOOKUP(names, deployment);
}

const char *nt_gc_reason_name(uint64_t reason)
{
	/* Reason of GCStart and GCTriggered, in the runtime's order (gc.h, gc_reason). */
	static const char *const names[] = {
		"gen0 budget",
		"induced",
		"low memory",
		"empty",
		"LOH allocation",
		"out of SOH space",
		"out of LOH space",
		"induced, not forced",
		"stress",
		"low memory, blocking",
		"induced, compacting",
		"low memory of host",
		"provisional mode",
		"low memory of host, blocking",
		"BGC tuning SOH",
		"BGC tuning LOH",
		"BGC stepping",
		"induced, aggressive",
		"reason 18",
		"reason 19",
		"reason 20",
		"reason 21",
		"reason 22",
		"reason 23",
	};
	return reason < sizeof(names) / sizeof(names[0]) ? names[reason] : "unheard-of";
}

const char *nt_counter_kind_name(enum nt_counter_kind kind)
{
	static const char *const names[NT_COUNTER_KIND_COUNT] = { "gauge", "increment", "total", "up_down", "histogram" };
	return LOOKUP(names, kind);
}
