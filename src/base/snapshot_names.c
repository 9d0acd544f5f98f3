// SPDX-License-Identifier: GPL-2.0-only
/* Stable names of the enumerations in nettop/snapshot.h and nettop/process_row.h. */
#include "nettop/process_row.h"

#define LOOKUP(table, value) ((size_t)(value) < sizeof(table) / sizeof((table)[0]) ? (table)[value] : "?")

const char *nt_finding_kind_name(enum nt_finding_kind kind)
{
	static const char *const names[NT_FINDING_KIND_COUNT] = {
		[NT_FINDING_MEMORY_LIMIT] = "memory_limit",
		[NT_FINDING_DEADLOCK] = "deadlock",
		[NT_FINDING_CPU_WAIT] = "cpu_wait",
		[NT_FINDING_POOL_STARVATION] = "pool_starvation",
		[NT_FINDING_LOCK_CONVOY] = "lock_convoy",
		[NT_FINDING_FINALIZERS] = "finalizers_held_up",
		[NT_FINDING_LOH_CHURN] = "loh_churn",
		[NT_FINDING_GC_STORM] = "gc_storm",
		[NT_FINDING_JIT_STORM] = "jit_storm",
		[NT_FINDING_EXCEPTION_FLOOD] = "exception_flood",
		[NT_FINDING_ALLOC_BURST] = "alloc_burst",
		[NT_FINDING_REQUEST_ERRORS] = "request_errors",
		[NT_FINDING_CONNECTION_POOL] = "connection_pool",
		[NT_FINDING_CONNECTIONS] = "connection_per_request",
		[NT_FINDING_SLOW_REQUESTS] = "slow_requests",
		[NT_FINDING_HEAP_GROWTH] = "heap_growth",
		[NT_FINDING_MEMORY_GROWTH] = "memory_growth",
		[NT_FINDING_THREAD_GROWTH] = "thread_growth",
		[NT_FINDING_DESCRIPTOR_GROWTH] = "descriptor_growth",
		[NT_FINDING_HANDLE_GROWTH] = "handle_growth",
		[NT_FINDING_TIMER_GROWTH] = "timer_growth",
		[NT_FINDING_SPINNING_THREAD] = "spinning_thread",
		[NT_FINDING_BLOCKED_THREAD] = "blocked_thread",
	};
	return LOOKUP(names, kind);
}

const char *nt_finding_kind_help(enum nt_finding_kind kind)
{
	static const char *const helps[NT_FINDING_KIND_COUNT] = {
		[NT_FINDING_MEMORY_LIMIT] = "A control group has 90 % of the memory that it may have, cache that can be dropped not "
					    "counted: the kernel kills one of its "
					    "processes when it wants more.",
		[NT_FINDING_DEADLOCK] =
			"Two threads or more wait for each other's locks in a circle. Waits that began before nettop came are not known.",
		[NT_FINDING_CPU_WAIT] = "For 40 % of the time in which threads of it could run there was no CPU for them, and others "
					"have a third of those that it may use, or its cgroup's quota or the hypervisor keeps a fifth "
					"from it. Who serves others beside their callers may lack less: that is load. Pauses and "
					"compilations last longer then; the "
					"findings about them count what they would have lasted otherwise.",
		[NT_FINDING_POOL_STARVATION] =
			"The thread pool lacks workers: it adds some while items wait, fewer are done or workers wait for tasks, or ten "
			"items and more wait for each worker.",
		[NT_FINDING_LOCK_CONVOY] = "Threads wait for locks for 500 ms/s, three and more of them for one lock.",
		[NT_FINDING_FINALIZERS] =
			"The thread that runs finalizers waits in one of them, or computes, for 10 s: until it goes on, what "
			"has one stays in memory.",
		[NT_FINDING_LOH_CHURN] =
			"Objects of 85 000 bytes and more are allocated and dropped: over 10 s they make one collection of gen2 a second "
			"necessary, and these free 20 MiB/s of them, or, where that is not told, 20 MiB/s are allocated in all.",
		[NT_FINDING_GC_STORM] = "All threads stand for collections for 10 % of the last 10 s, a pause took 100 ms, or a full "
					"collection that stops them comes every "
					"second and they stand for 2 % of the time. Those of gen2 in the background count, too: five a "
					"second, or one where the "
					"collector takes 15 % of the program's CPU time.",
		[NT_FINDING_JIT_STORM] =
			"In a process that is older than 30 s compiling takes 200 ms/s, or 1000 methods wait for tier-1; or, in one older "
			"than 60 s, five "
			"methods a second are made at run time, as by Expression.Compile(), and compiling takes 20 ms/s.",
		[NT_FINDING_EXCEPTION_FLOOD] = "100 exceptions a second, or 20 where that is five times what is usual.",
		[NT_FINDING_REQUEST_ERRORS] =
			"Of the requests served 5 %, and one a second, end with an error, or a status of 500 and more.",
		[NT_FINDING_CONNECTION_POOL] =
			"All connections of a pool to a database are in use, and somebody waits for one; or they are, and the p99 of the "
			"slowest route is a second and more.",
		[NT_FINDING_CONNECTIONS] =
			"HttpClient closes five connections a second and more, and as many as half of the requests that it makes: "
			"each has to be opened anew. Or over 10 s it opens five a second, and as many as 80 % of its requests.",
		[NT_FINDING_SLOW_REQUESTS] = "Requests of a route take three times as long as in the minutes before, and 250 ms longer: "
					     "the p99 that three of the last "
					     "five seconds with requests reached, ten requests at least, against three quarters of the "
					     "last ten minutes, one minute of "
					     "them at least. Or they pile up: five more are in flight than before, three times as many, "
					     "and less than half as many end; or none has ended for 10 s, and one a second did before. "
					     "Or those of the slowest route have a p99 of a second and more, and so have calls that are "
					     "made meanwhile: 0.7 to 1.5 "
					     "times as long. "
					     "It ends after ten minutes: what lasts so long is usual.",
		[NT_FINDING_ALLOC_BURST] = "1 GiB/s is allocated where that is twice what is usual, or 200 MiB/s where it is five times.",
		[NT_FINDING_HEAP_GROWTH] = "The GC heap grows: in each sixth of at least two minutes, at most ten, by 64 MiB in all, and "
					   "so that it would be twice as "
					   "large, or reach a limit, within an hour. Its least size within 20 s counts, collections of all "
					   "generations must have left "
					   "a part of the growth, and the first minute of a process does not count.",
		[NT_FINDING_MEMORY_GROWTH] = "RSS grows likewise, over at least four minutes, and neither the GC heap nor what is "
					     "allocated until the next collection "
					     "explains it: memory that is not managed.",
		[NT_FINDING_THREAD_GROWTH] = "The number of threads grows likewise, by 50, and they are no workers of the thread pool.",
		[NT_FINDING_DESCRIPTOR_GROWTH] = "The number of open descriptors grows likewise, by 200.",
		[NT_FINDING_HANDLE_GROWTH] =
			"The number of GC handles grows likewise, by 5000: GCHandle, WeakReference, objects that native code holds.",
		[NT_FINDING_TIMER_GROWTH] = "The number of active timers grows likewise, by 500.",
		[NT_FINDING_SPINNING_THREAD] =
			"A thread of a program that serves requests has used 95 % of a CPU for 10 s, 60 % of that in one method. "
			"In a program that serves none that is work, as far as can be known.",
		[NT_FINDING_BLOCKED_THREAD] = "A thread has waited for a lock, or in the kernel for a device or a file system, for 10 s.",
	};
	return LOOKUP(helps, kind);
}

const char *nt_confidence_name(enum nt_confidence confidence)
{
	static const char *const names[NT_CONFIDENCE_COUNT] = { "counted", "sampled", "estimated" };
	return LOOKUP(names, confidence);
}

const char *nt_purpose_name(enum nt_purpose purpose)
{
	static const char *const names[NT_PURPOSE_COUNT] = { "program", "framework", "gc",   "jit",    "runtime",
							     "kernel",  "native",    "idle", "unknown" };
	return LOOKUP(names, purpose);
}

const char *nt_sample_kind_name(enum nt_sample_kind kind)
{
	static const char *const names[] = { [NT_SAMPLES_CPU] = "cpu", [NT_SAMPLES_WALL] = "wall", [NT_SAMPLES_MOMENTS] = "moments" };
	return LOOKUP(names, kind);
}

const char *nt_request_way_name(enum nt_request_way way)
{
	static const char *const names[NT_REQUEST_WAY_COUNT] = { "served", "made", "db" };
	return LOOKUP(names, way);
}

const char *nt_request_stage_name(enum nt_request_stage stage)
{
	static const char *const names[NT_REQUEST_STAGE_COUNT] = { "in flight", "no end seen", "ended" };
	return LOOKUP(names, stage);
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

const char *nt_jit_cause_name(enum nt_jit_cause cause)
{
	static const char *const names[NT_JIT_CAUSE_COUNT] = { NULL,         "r2r off", "no r2r", "generic", "not in r2r",
							       "r2r reject", "dynamic", "instr",  "again" };
	return cause < NT_JIT_CAUSE_COUNT ? names[cause] : NULL;
}

const char *nt_jit_cause_remedy(enum nt_jit_cause cause)
{
	static const char *const names[NT_JIT_CAUSE_COUNT] = {
		[NT_JIT_CAUSE_OFF] = "ReadyToRun=1", [NT_JIT_CAUSE_NO_CODE] = "ReadyToRun", [NT_JIT_CAUSE_INSTRUMENTED] = "TieredPGO=0"
	};
	return cause < NT_JIT_CAUSE_COUNT ? names[cause] : NULL;
}

const enum nt_source_id nt_listed_sources[NT_LISTED_SOURCES] = { NT_SOURCE_LTTNG, NT_SOURCE_EVENTPIPE, NT_SOURCE_PERF, NT_SOURCE_CODEMAP };

struct nt_u64 nt_process_row_harm(const struct nt_process_row *row)
{
	enum { FAILED = 99 };
	const struct nt_process_snapshot *process = row->process;
	bool has_ended = process && process->target.ended, is_judged = process && (process->checked_count || process->finding_count);
	const struct nt_target_end *end = has_ended ? &process->target.end : NULL;
	if (end && (end->signal.known || (end->exit_code.known && end->exit_code.v)))
		return nt_u64_of(FAILED);
	if (!is_judged || has_ended)
		return (struct nt_u64){ 0 };
	return nt_u64_of(process->finding_count ? (uint64_t)(NT_FINDING_KIND_COUNT - process->findings[0].kind) : 0);
}

const char *nt_usable_name(enum nt_usable_state state)
{
	static const char *const names[] = { "", "ok", "missing", "forbidden" };
	return LOOKUP(names, state);
}

const char *nt_exception_fate_name(enum nt_exception_fate fate)
{
	static const char *const names[NT_FATE_COUNT] = {
		[NT_FATE_CAUGHT] = "caught",       [NT_FATE_RETHROWN] = "rethrown",   [NT_FATE_NO_CATCH] = "no catch",
		[NT_FATE_UNDER_WAY] = "under way", [NT_FATE_UNHANDLED] = "unhandled",
	};
	return fate < NT_FATE_COUNT ? names[fate] : NULL;
}
