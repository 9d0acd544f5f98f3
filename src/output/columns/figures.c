// SPDX-License-Identifier: GPL-2.0-only
#include "output/columns/figures.h"

#define U64(section, member, key, help)                                                                                                    \
	{                                                                                                                                  \
#section, key, NT_FIGURE_U64, offsetof(struct nt_figures, section.member), help                                            \
	}
#define F64(section, member, key, help)                                                                                                    \
	{                                                                                                                                  \
#section, key, NT_FIGURE_F64, offsetof(struct nt_figures, section.member), help                                            \
	}
#define TEXT(section, member, key, help)                                                                                                   \
	{                                                                                                                                  \
#section, key, NT_FIGURE_TEXT, offsetof(struct nt_figures, section.member), help                                           \
	}
/* Sections whose JSON name is not the struct's member. */
#define POOL(member, key, help)                                                                                                            \
	{                                                                                                                                  \
		"threadpool", key, NT_FIGURE_U64, offsetof(struct nt_figures, pool.member), help                                           \
	}

const struct nt_figure nt_figures_table[] = {
	F64(cpu, usage_pct, "usage_pct", "CPU time of the target, 100 = one CPU (procfs)"),
	F64(cpu, user_pct, "user_pct", "of that in user mode"),
	F64(cpu, kernel_pct, "kernel_pct", "of that in the kernel"),
	U64(cpu, time_ns, "time_ns", "the same as time"),
	U64(cpu, waited_ns, "waited_ns", "time in which its threads were ready to run and had no CPU, all together (procfs)"),
	U64(cpu, covered_ns, "covered_ns", "for how long of the span that is told"),
	U64(cpu, gap_time_ns, "gap_time_ns",
	    "CPU time used while nettop stood still, from the reading before to the one after: in time_ns of no interval, but of the "
	    "summary. It stands in the "
	    "interval in which that began; null: there was no such time"),
	U64(cpu, gap_ns, "gap_ns", "how far apart these readings are"),
	U64(cpu, samples, "samples", "CPU samples taken"),
	U64(cpu, samples_covered_ns, "samples_covered_ns",
	    "for how long of the span the threads were sampled: less where perf came late or was refused; where it samples by turns "
	    "(--max-target-cost) samples "
	    "are scaled up"),
	U64(cpu, lost_samples, "lost_samples", "CPU samples that the kernel could not deliver"),
	U64(cpu, hottest_tid, "hottest_tid", "thread with the most CPU time"),
	F64(cpu, hottest_pct, "hottest_pct", "its CPU time, 100 = one CPU"),
	U64(wall, samples, "samples", "samples of the runtime's own sampler in managed code (--wall)"),
	U64(wall, outside, "outside", "its samples of threads that waited or ran native code"),
	U64(threads, covered_ns, "covered_ns", "for how long of the span the threads were looked at"),
	U64(threads, count, "count", "threads of the target (procfs)"),
	U64(threads, running_count, "running_count", "threads on a CPU or ready to run"),
	U64(threads, blocked_count, "blocked_count",
	    "threads known to have waited for 10 s or longer for a lock, or in the kernel for a "
	    "device; null: none is known, and waits that began before nettop came are not"),
	U64(threads, blocked_max_ns, "blocked_max_ns", "longest of these waits"),
	U64(memory, covered_ns, "covered_ns", "for how long of the span that was looked at"),
	U64(memory, rss_bytes, "rss_bytes", "resident memory of the target (procfs)"),
	U64(gc, covered_ns, "covered_ns", "for how long of the span that is told; rates are per that time"),
	U64(gc, count[0], "gen0_count", "collections of exactly generation 0"),
	U64(gc, count[1], "gen1_count", "collections of exactly generation 1"),
	U64(gc, count[2], "gen2_count", "collections of exactly generation 2, background ones included"),
	U64(gc, background_count, "background_count", "background collections"),
	U64(gc, pause_ns, "pause_ns", "time all threads stood for collections, as GC.GetTotalPauseDuration() counts"),
	U64(gc, pause_tracing_ns, "pause_tracing_ns", "further stops of background collections that tracing causes (mode F)"),
	U64(gc, pause_max_ns, "pause_max_ns", "longest pause"),
	F64(gc, pause_pct, "pause_pct", "share of the time that was paused"),
	U64(gc, pause_p50_ns, "pause_p50_ns", "median pause"),
	U64(gc, pause_p99_ns, "pause_p99_ns", "99th percentile of the pauses"),
	U64(gc, heap_bytes, "heap_bytes", "heap after the last collection"),
	U64(gc, loh_bytes, "loh_bytes", "large object heap after the last collection"),
	F64(gc, fragmentation_pct, "fragmentation_pct", "free space within the heap after the last collection"),
	U64(gc, alloc_bytes, "alloc_bytes",
	    "bytes allocated: by the runtime's own counter where EventPipe brings it (of an interval the rate "
	    "of its last periods, which is an estimate), else from samples with --alloc, else estimated from heap sizes"),
	U64(gc, alloc_covered_ns, "alloc_covered_ns", "for how long of the span alloc_bytes is told"),
	F64(gc, alloc_error_pct, "alloc_error_pct", "expected error of alloc_bytes from samples"),
	U64(gc, suspend_other_ns, "suspend_other_ns", "stops of all threads for other reasons than a collection"),
	U64(jit, covered_ns, "covered_ns", "for how long of the span that is told; rates are per that time"),
	U64(jit, method_count, "method_count", "methods compiled"),
	U64(jit, time_ns, "time_ns", "time spent compiling, all threads"),
	U64(jit, il_bytes, "il_bytes", "IL compiled"),
	U64(jit, native_bytes, "native_bytes", "code made"),
	U64(jit, tier_count[NT_TIER_0], "tier0_count", "of these at tier-0"),
	U64(jit, tier_count[NT_TIER_1], "tier1_count", "of these at tier-1"),
	U64(jit, tier_count[NT_TIER_OSR], "osr_count", "of these by on-stack replacement"),
	U64(jit, dynamic_count, "dynamic_count", "of these made at run time, that no assembly holds"),
	U64(jit, rejected_count, "rejected_count", "of these with precompiled code that the runtime did not take"),
	U64(jit, backlog_count, "backlog_count", "methods that wait for tier-1"),
	POOL(covered_ns, "covered_ns", "for how long of the span its events are told; rates are per that time"),
	POOL(worker_count, "worker_count", "worker threads: from the pool's events, else by thread name"),
	POOL(goal_count, "goal_count", "worker threads that the pool aims at"),
	POOL(queue_count, "queue_count", "work items that wait (runtime counter, over EventPipe)"),
	POOL(completed_count, "completed_count", "work items done (runtime counter, over EventPipe: from its first period on)"),
	POOL(injected_count, "injected_count", "worker threads added by adjustment, whatever its reason"),
	POOL(starved_count, "starved_count", "adjustments whose reason was starvation"),
	POOL(blocked_count, "blocked_count", "adjustments because workers waited for tasks"),
	{ "threadpool", "adjust_reason", NT_FIGURE_TEXT, offsetof(struct nt_figures, pool.reason), "reason of the last adjustment" },
	U64(exceptions, covered_ns, "covered_ns", "for how long of the span that is told; rates are per that time"),
	U64(exceptions, count, "count", "exceptions thrown, first chance"),
	U64(exceptions, caught_count, "caught_count", "catch blocks entered"),
	TEXT(exceptions, top_type, "top_type", "type thrown most often"),
	U64(contention, covered_ns, "covered_ns", "for how long of the span that is told; rates are per that time"),
	U64(contention, count, "count", "times that a thread had to wait for a lock"),
	U64(contention, wait_ns, "wait_ns", "time waited for locks, of the waits that ended"),
	U64(contention, spent_ns, "spent_ns", "time waited for locks within the span, by threads that still wait, too"),
	U64(contention, same_lock_count, "same_lock_count", "most threads that waited for one lock at a time"),
	U64(contention, waiting_count, "waiting_count", "threads that wait now"),
	U64(contention, wait_p99_ns, "wait_p99_ns", "99th percentile of the waits"),
};
const size_t nt_figures_count = sizeof(nt_figures_table) / sizeof(nt_figures_table[0]);

#define WHY(name, member)                                                                                                                  \
	{                                                                                                                                  \
		name, offsetof(struct nt_figures, member)                                                                                  \
	}
const struct nt_figure_why nt_figure_whys[] = {
	WHY("cpu", cpu.why),
	WHY("threads", threads.why),
	WHY("gc", gc.why),
	WHY("jit", jit.why),
	WHY("threadpool", pool.why),
	WHY("exceptions", exceptions.why),
	WHY("contention", contention.why),
};
const size_t nt_figure_why_count = sizeof(nt_figure_whys) / sizeof(nt_figure_whys[0]);
