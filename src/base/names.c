// SPDX-License-Identifier: GPL-2.0-only
/* Stable names of the enumerations in nettop/event.h, nettop/wait.h and nettop/deployment.h, and of how strips (nettop/wait_row.h) are known. */
#include "nettop/deployment.h"
#include "nettop/event.h"
#include "nettop/wait_row.h"

#define LOOKUP(table, value) ((size_t)(value) < sizeof(table) / sizeof((table)[0]) && (table)[value] ? (table)[value] : "?")

const char *nt_source_name(enum nt_source_id source)
{
	static const char *const names[] = { "procfs", "perf", "lttng", "eventpipe", "map", "recording", "nettop", "alloc", "runtime" };
	return LOOKUP(names, source);
}

const char *nt_wait_kind_name(unsigned kind)
{
	static const char *const names[] = { "waits", "run",     "monitor", "lock",   "pulse", "signal",  "task",
					     "join",  "process", "sleep",   "socket", "file",  "pipe",    "poll",
					     "gc",    "native",  "fault",   "cpu",    "quota", "stopped", "idle" };
	_Static_assert(sizeof(names) / sizeof(names[0]) == NT_WAIT_COUNT, "each has its word");
	return LOOKUP(names, kind);
}

char nt_wait_kind_mark(unsigned kind)
{
	static const char marks[] = "?rMLPSTJxzsfpegnF.qt-";
	_Static_assert(sizeof(marks) - 1 == NT_WAIT_COUNT, "each has its letter");
	return kind < NT_WAIT_COUNT ? marks[kind] : marks[NT_WAIT_UNKNOWN];
}

const char *nt_wait_strip_method(const struct nt_wait_strip *strip)
{
	bool exact = false, polled = false;
	for (unsigned i = 0; i < NT_STRIP_CELLS; i++) {
		exact |= strip->cells[i] != ' ' && !(strip->polled >> i & 1);
		polled |= strip->polled >> i & 1;
	}
	return exact && polled ? "mixed" : exact ? "exact" : polled ? "polled" : NULL;
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

const char *nt_gc_generation_name(unsigned index)
{
	static const char *const names[] = { "gen0", "gen1", "gen2", "gen2 bg" };
	return index < sizeof(names) / sizeof(names[0]) ? names[index] : "?";
}

bool nt_gc_reason_is_large(uint64_t reason)
{
	enum { LOH_BUDGET = 4, LOH_SPACE = 6 };
	return reason == LOH_BUDGET || reason == LOH_SPACE;
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

const char *nt_io_call_name(enum nt_io_call call)
{
	static const char *const names[NT_IO_CALL_COUNT] = {
		[NT_IO_OPEN] = "open",       [NT_IO_READ] = "read",     [NT_IO_WRITE] = "write",
		[NT_IO_CONNECT] = "connect", [NT_IO_ACCEPT] = "accept", [NT_IO_SYNC] = "sync",
	};
	return LOOKUP(names, call);
}

const char *nt_io_kind_name(enum nt_io_kind kind)
{
	static const char *const names[NT_IO_KIND_COUNT] = { "file", "socket", "pipe", "other" };
	return LOOKUP(names, kind);
}

const char *nt_counter_kind_name(enum nt_counter_kind kind)
{
	static const char *const names[NT_COUNTER_KIND_COUNT] = { "gauge", "increment", "total", "up_down", "histogram" };
	return LOOKUP(names, kind);
}
