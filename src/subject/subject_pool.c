// SPDX-License-Identifier: GPL-2.0-only
/* The subject: the thread pool. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = {
	{ NT_EV_POOL_WORKERS, NT_STREAM_MAIN },
	{ NT_EV_POOL_ADJUST, NT_STREAM_MAIN },
	{ NT_EV_POOL_SAMPLE, NT_STREAM_MAIN },
	{ NT_EV_POOL_STATS, NT_STREAM_MAIN },
	{ NT_EV_POOL_MINMAX, NT_STREAM_MAIN },
	{ NT_EV_POOL_COUNTS, NT_STREAM_SECOND },
	{ NT_EV_NONE, 0 },
};

static const struct nt_subject_list lists[] = {
	{ .section = "threadpool", .key = "adjustments", .table = "adjustments" },
	{ .section = "threadpool", .key = "item_waits", .table = "pool_waits" },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	COUNTER("threadpool", "covered_ns", pool.covered_ns, "for how long of the span its events are told; rates are per that time"),
	STATE("threadpool", "worker_count", pool.worker_count,
	      "worker threads: from the runtime's memory, else from the pool's events, else by thread name"),
	STATE("threadpool", "working_count", pool.working_count,
	      "worker threads that have work, whether they run or wait (runtime's memory)"),
	STATE("threadpool", "goal_count", pool.goal_count, "worker threads that the pool aims at (runtime's memory, else its events)"),
	STATE("threadpool", "min_count", pool.min_count, "worker threads that the pool makes without hesitating (runtime's memory)"),
	STATE("threadpool", "max_count", pool.max_count, "worker threads that the pool makes at most (runtime's memory)"),
	STATE("threadpool", "queue_count", pool.queue_count, "work items that wait (runtime's memory, else its counter, over EventPipe)"),
	COUNTER("threadpool", "completed_count", pool.completed_count,
		"work items done (runtime counter, over EventPipe: from its first period on)"),
	GAUGE("threadpool", "wait_estimate_ns", pool.wait_estimate_ns,
	      "about how long a work item waits for a worker: the mean of those that wait, divided by those done a second (Little's law)"),
	STATE("threadpool", "timer_count", pool.timer_count, "timers that are active (runtime counter, over EventPipe)"),
	COUNTER("threadpool", "item_covered_ns", pool.items.covered_ns,
		"for how long of the span each work item was told: while that grouping of screen 4 is open, or with --pool-items"),
	COUNTER("threadpool", "item_count", pool.items.count,
		"work items taken by a worker in that time of which it is known when they were enqueued"),
	GAUGE("threadpool", "item_wait_p50_ns", pool.items.p50_ns,
	      "half of these waited no longer for a worker than this, from enqueue to dequeue (within 1 %)"),
	GAUGE("threadpool", "item_wait_p95_ns", pool.items.p95_ns, "95 of 100, likewise"),
	GAUGE("threadpool", "item_wait_p99_ns", pool.items.p99_ns, "99 of 100, likewise"),
	MOST("threadpool", "item_wait_max_ns", pool.items.max_ns, "the longest of these waits"),
	COUNTER("threadpool", "item_unmatched_count", pool.items.unmatched_count,
		"work items that were taken, and not told when they were enqueued; or so many ago that it is forgotten"),
	STATE("threadpool", "item_open_count", pool.items.open_count,
	      "work items that were enqueued, and not told as taken: they wait, or ran on a thread that waited for them"),
	STATE_TEXT("threadpool", "item_reason", pool.items.why.reason, "why work items are not told now"),
	STATE_TEXT("threadpool", "item_fix", pool.items.why.fix, "what helps"),
	COUNTER("threadpool", "injected_count", pool.injected_count, "worker threads added by adjustment, whatever its reason"),
	COUNTER("threadpool", "starved_count", pool.starved_count, "adjustments whose reason was starvation"),
	COUNTER("threadpool", "blocked_count", pool.blocked_count, "adjustments because workers waited for tasks"),
	STATE_TEXT("threadpool", "adjust_reason", pool.reason, "reason of the last adjustment"),
};

const struct nt_subject nt_subject_pool = {
	.name = "pool",
	.kinds = kinds,
	.source = NT_SOURCE_LTTNG,
	.wanted = NT_WANT_RUNTIME_EVENTS | NT_WANT_POOL_EVENTS,
	.lttng_in_part = true,
	.left_out = offsetof(struct nt_left_out, pool),
	FIGURES(figures),
	.why = offsetof(struct nt_figures, pool.why),
	.whys = "threadpool.",
	.covered_ns = offsetof(struct nt_figures, pool.covered_ns),
	.lists = lists,
	.label = "POOL",
	.help = "work items that wait in the thread pool; its workers. Source: runtime (from .NET 10 on), lttng or eventpipe; workers also "
		"from procfs.",
	.headline = offsetof(struct nt_figures, pool.queue_count),
	.much = 10,
	.screen = "4 Threads",
	.screen_short = "4 Thr",
};
