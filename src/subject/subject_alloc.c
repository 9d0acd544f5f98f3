// SPDX-License-Identifier: GPL-2.0-only
/* The subject: allocations. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = { { NT_EV_ALLOC_SAMPLED, NT_STREAM_MAIN },
						{ NT_EV_ALLOC_TICK, NT_STREAM_SECOND },
						{ NT_EV_NONE, 0 } };

static const struct nt_subject_list lists[] = {
	{ .key = "allocations", .table = "allocations", .top = true },
	{ .key = "allocation_sites", .table = "allocation_sites", .top = true },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	COUNTER("gc", "alloc_bytes", gc.alloc_bytes,
		"bytes allocated: by the runtime's own counter where EventPipe brings it (of an interval the rate of its last periods, "
		"which is an estimate), else from samples with --alloc, else estimated from heap sizes"),
	COUNTER("gc", "alloc_covered_ns", gc.alloc_covered_ns, "for how long of the span alloc_bytes is told"),
	SHARE("gc", "alloc_error_pct", gc.alloc_error_pct, "expected error of alloc_bytes from samples"),
};

const struct nt_subject nt_subject_alloc = {
	.name = "allocation",
	.kinds = kinds,
	.source = NT_SOURCE_LTTNG,
	.wanted = NT_WANT_ALLOC_SAMPLES,
	.while_looked_at = true,
	.left_out = offsetof(struct nt_left_out, allocations),
	FIGURES(figures),
	.why = offsetof(struct nt_figures, gc.alloc_why),
	.whys = "gc.alloc_",
	.covered_ns = offsetof(struct nt_figures, gc.alloc_covered_ns),
	.lists = lists,
	.label = "ALLOC",
	.help = "bytes allocated per second (~: estimated from heap sizes); heap after the last collection. Source: lttng or eventpipe.",
	.headline = offsetof(struct nt_figures, gc.alloc_bytes),
	.headline_per_s = 1,
	.much = NT_MUCH_ALLOCATED_BYTES,
	.screen = "5 Alloc",
	.screen_short = "5 Alloc",
};
