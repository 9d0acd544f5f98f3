// SPDX-License-Identifier: GPL-2.0-only
/* The subject: waits for locks. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = { { NT_EV_CONTENTION_START, NT_STREAM_MAIN },
						{ NT_EV_CONTENTION_STOP, NT_STREAM_MAIN },
						{ NT_EV_LOCK_CREATED, NT_STREAM_MAIN },
						{ NT_EV_NONE, 0 } };

static const struct nt_subject_list lists[] = {
	{ .section = "contention", .key = "sites", .table = "locks", .top = true, .top_in_summary = true },
	{ .section = "contention", .key = "locks", .table = "lock_objects", .top = true, .top_in_summary = true },
	{ .section = "contention", .key = "owners", .table = "lock_owners", .top = true, .top_in_summary = true },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	COUNTER("contention", "covered_ns", locks.covered_ns, "for how long of the span that is told; rates are per that time"),
	COUNTER("contention", "count", locks.count, "times that a thread had to wait for a lock"),
	COUNTER("contention", "wait_ns", locks.wait_ns, "time waited for locks, of the waits that ended"),
	COUNTER("contention", "spent_ns", locks.spent_ns, "time waited for locks within the span, by threads that still wait, too"),
	MOST("contention", "same_lock_count", locks.same_lock_count, "most threads that waited for one lock at a time"),
	STATE("contention", "waiting_count", locks.waiting_count, "threads that wait now"),
	GAUGE("contention", "wait_p99_ns", locks.wait_p99_ns, "99th percentile of the waits"),
};

const struct nt_subject nt_subject_locks = {
	.name = "locks",
	.kinds = kinds,
	.opens = NT_EV_CONTENTION_START,
	.closes = NT_EV_CONTENTION_STOP,
	.source = NT_SOURCE_LTTNG,
	.wanted = NT_WANT_RUNTIME_EVENTS | NT_WANT_LOCK_EVENTS,
	.stacks_unasked = "call stacks of waits are asked for while somebody looks at them",
	.left_out = offsetof(struct nt_left_out, locks),
	FIGURES(figures),
	.why = offsetof(struct nt_figures, locks.why),
	.whys = "contention.",
	.covered_ns = offsetof(struct nt_figures, locks.covered_ns),
	.lists = lists,
	.label = "LOCK",
	.help = "time waited for locks per second; waits; threads that wait now. Source: lttng or eventpipe.",
	.headline = offsetof(struct nt_figures, locks.spent_ns),
	.headline_per_s = NT_NS_PER_MS,
	.much = NT_MUCH_WAITED_FOR_LOCK_MS,
	.screen = "7 Locks",
	.screen_short = "7 Lock",
};
