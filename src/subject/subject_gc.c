// SPDX-License-Identifier: GPL-2.0-only
/* The subject: garbage collections. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = {
	{ NT_EV_GC_START, NT_STREAM_MAIN },
	{ NT_EV_GC_END, NT_STREAM_MAIN },
	{ NT_EV_GC_HEAP_STATS, NT_STREAM_MAIN },
	{ NT_EV_GC_SUSPEND_BEGIN, NT_STREAM_MAIN },
	{ NT_EV_GC_SUSPEND_END, NT_STREAM_MAIN },
	{ NT_EV_GC_RESTART_BEGIN, NT_STREAM_MAIN },
	{ NT_EV_GC_RESTART_END, NT_STREAM_MAIN },
	{ NT_EV_GC_TRIGGERED, NT_STREAM_MAIN },
	{ NT_EV_GC_GLOBAL_HISTORY, NT_STREAM_MAIN },
	{ NT_EV_GC_HEAP_HISTORY, NT_STREAM_MAIN },
	{ NT_EV_GC_FINALIZERS_BEGIN, NT_STREAM_MAIN },
	{ NT_EV_GC_FINALIZERS_END, NT_STREAM_MAIN },
	{ NT_EV_GC_MARK, NT_STREAM_MAIN },
	{ NT_EV_NONE, 0 },
};

static const struct nt_subject_list lists[] = {
	{ .section = "gc", .key = "collections", .table = "gc" },
	{ .section = "gc", .key = "generations", .table = "generations" },
	{ .section = "gc", .key = "heaps", .table = "gc_heaps" },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	COUNTER("gc", "covered_ns", gc.covered_ns, "for how long of the span that is told; rates are per that time"),
	COUNTER("gc", "gen0_count", gc.count[0], "collections of exactly generation 0"),
	COUNTER("gc", "gen1_count", gc.count[1], "collections of exactly generation 1"),
	COUNTER("gc", "gen2_count", gc.count[2], "collections of exactly generation 2, background ones included"),
	COUNTER("gc", "background_count", gc.background_count, "background collections"),
	COUNTER("gc", "pause_ns", gc.pause_ns, "time all threads stood for collections, as GC.GetTotalPauseDuration() counts"),
	COUNTER("gc", "pause_tracing_ns", gc.pause_tracing_ns, "further stops of background collections that tracing causes (mode F)"),
	MOST("gc", "pause_max_ns", gc.pause_max_ns, "longest pause"),
	SHARE("gc", "pause_pct", gc.pause_pct, "share of the time that was paused"),
	GAUGE("gc", "pause_p50_ns", gc.pause_p50_ns, "median pause"),
	GAUGE("gc", "pause_p99_ns", gc.pause_p99_ns, "99th percentile of the pauses"),
	STATE("gc", "heap_bytes", gc.heap_bytes, "heap after the last collection"),
	STATE("gc", "loh_bytes", gc.loh_bytes, "large object heap after the last collection"),
	COUNTER("gc", "loh_count", gc.loh_count,
		"collections of generation 2 that large objects made necessary: their budget, or no room for one"),
	COUNTER("gc", "loh_freed_bytes", gc.loh_freed_bytes,
		"large objects that collections of generation 2 found dead, as their histories say: null while nobody asks for these"),
	STATE("gc", "handle_count", gc.handle_count,
	      "GC handles after the last collection: GCHandle, WeakReference, and those of the runtime"),
	STATE("gc", "committed_bytes", gc.committed_bytes,
	      "memory that the GC had of the system at the last collection, its own tables included (the runtime's counter); not all of it "
	      "need be resident"),
	STATE_SHARE("gc", "fragmentation_pct", gc.fragmentation_pct, "free space within the heap after the last collection"),
	COUNTER("gc", "marked_stacks_bytes", gc.marked_bytes[NT_GC_ROOT_STACKS],
		"what collections found to be alive from the threads' stacks; this and the next of those that told it: over EventPipe they "
		"do while screen 2 or 5 is "
		"open, in batch and JSON always; null: none told it"),
	COUNTER("gc", "marked_handles_bytes", gc.marked_bytes[NT_GC_ROOT_HANDLES],
		"from handles: those of statics, GCHandle, dependent ones"),
	COUNTER("gc", "marked_finalizers_bytes", gc.marked_bytes[NT_GC_ROOT_FINALIZERS], "because it waits for its finalizer"),
	COUNTER("gc", "marked_older_bytes", gc.marked_bytes[NT_GC_ROOT_OLDER], "from generations that were not collected"),
	COUNTER("gc", "marked_other_bytes", gc.marked_bytes[NT_GC_ROOT_OTHER],
		"in other ways (mark stack overflow, by another heap's thread)"),
	COUNTER("gc", "suspend_other_ns", gc.suspend_other_ns, "stops of all threads for other reasons than a collection"),
};

const struct nt_subject nt_subject_gc = {
	.name = "GC",
	.kinds = kinds,
	.opens = NT_EV_GC_SUSPEND_BEGIN,
	.closes = NT_EV_GC_RESTART_BEGIN,
	.source = NT_SOURCE_LTTNG,
	.wanted = NT_WANT_RUNTIME_EVENTS | NT_WANT_GC_EVENTS,
	FIGURES(figures),
	.why = offsetof(struct nt_figures, gc.why),
	.whys = "gc.",
	.covered_ns = offsetof(struct nt_figures, gc.covered_ns),
	.lists = lists,
	.label = "GC",
	.help = "share of the time that all threads stood still for collections; the longest pause. Source: lttng or eventpipe.",
	.headline = offsetof(struct nt_figures, gc.pause_pct),
	.headline_is_f64 = true,
	.much = NT_MUCH_PAUSED_PCT,
	.screen = "2 GC",
	.screen_short = "2 GC",
};
