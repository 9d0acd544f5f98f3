// SPDX-License-Identifier: GPL-2.0-only
/* The subject: what threads wait for that do not run, and where. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = { { NT_EV_STACK, NT_STREAM_MAIN }, { NT_EV_WAKE, NT_STREAM_SECOND }, { NT_EV_NONE, 0 } };

static const struct nt_subject_list lists[] = {
	{ .section = "waits", .key = "sites", .table = "waits", .top = true, .top_in_summary = true },
	{ .section = "waits", .key = "reasons", .table = "wait_reasons" },
	{ .section = "waits", .key = "threads", .table = "wait_threads", .top = true, .top_in_summary = true },
	{ .section = "waits", .key = "wall", .table = "wall", .top = true, .top_in_summary = true },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	COUNTER("waits", "covered_ns", waits.covered_ns, "for how long of the span threads were looked at, or their switches told"),
	COUNTER("waits", "count", waits.count, "waits that ended, those for work left out; of polled ones a lower bound"),
	COUNTER("waits", "spent_ns", waits.spent_ns, "time waited within the span, by threads that still wait, too"),
	STATE("waits", "waiting_count", waits.waiting_count, "threads that wait now, those for work left out"),
	STATE("waits", "idle_count", waits.idle_count, "threads that wait for work now"),
	STATE("waits", "longest_ns", waits.longest_ns, "longest of the waits that still last"),
	STATE("waits", "uncounted_count", waits.uncounted_count,
	      "threads beyond 32768, whose waits are in no figure; in the summary the most at a time; 65536: so many or more"),
	STATE_TEXT("waits", "method", waits.method,
		   "how waits are known: polled (threads are looked at), exact (each switch is told, where, and who wakes), timed (each "
		   "switch "
		   "is told, and nothing but "
		   "when: their time is exact, the run queue in it, and places are by looks), or mixed (one after the other)"),
	STATE_TEXT("waits", "method_reason", waits.less_why.reason,
		   "why not each switch is told with its stack; null: it is, or it is not known"),
	STATE_TEXT("waits", "method_fix", waits.less_why.fix, "what would bring that; null: nothing is known to"),
};

const struct nt_subject nt_subject_waits = {
	.name = "waits",
	.kinds = kinds,
	.source = NT_SOURCE_RUNTIME,
	FIGURES(figures),
	.why = offsetof(struct nt_figures, waits.why),
	.whys = "waits.",
	.covered_ns = offsetof(struct nt_figures, waits.covered_ns),
	.lists = lists,
	.screen = "8 Waits",
	.screen_short = "8 Wait",
};
