// SPDX-License-Identifier: GPL-2.0-only
/* The subject: exceptions. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = { { NT_EV_EXCEPTION_THROWN, NT_STREAM_MAIN },
						{ NT_EV_EXCEPTION_CATCH, NT_STREAM_MAIN },
						{ NT_EV_EXCEPTION_STEP, NT_STREAM_MAIN },
						{ NT_EV_NONE, 0 } };

static const struct nt_subject_list lists[] = {
	{ .section = "exceptions", .key = "types", .table = "exceptions", .top = true, .top_in_summary = true },
	{ .section = "exceptions", .key = "sites", .table = "throw_sites", .top = true, .top_in_summary = true },
	{ .section = "exceptions", .key = "last", .table = "thrown", .top = true, .top_in_summary = true },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	COUNTER("exceptions", "covered_ns", exceptions.covered_ns, "for how long of the span that is told; rates are per that time"),
	COUNTER("exceptions", "count", exceptions.count, "exceptions thrown, first chance"),
	COUNTER("exceptions", "caught_count", exceptions.caught_count, "catch blocks entered"),
	TEXT("exceptions", "top_type", exceptions.top_type, "type thrown most often"),
};

const struct nt_subject nt_subject_exceptions = {
	.name = "exceptions",
	.kinds = kinds,
	.source = NT_SOURCE_EVENTPIPE,
	.wanted = NT_WANT_EXCEPTIONS,
	.lttng_in_part = true,
	.unused = "exceptions come over EventPipe only, which is not used",
	.stacks_unasked = "call stacks of exceptions are asked for while somebody looks at them",
	FIGURES(figures),
	.why = offsetof(struct nt_figures, exceptions.why),
	.whys = "exceptions.",
	.covered_ns = offsetof(struct nt_figures, exceptions.covered_ns),
	.lists = lists,
	.label = "EXC",
	.help = "exceptions thrown per second, first chance; the type thrown most often. Source: eventpipe.",
	.headline = offsetof(struct nt_figures, exceptions.count),
	.headline_per_s = 1,
	.much = NT_MUCH_THROWN,
	.screen = "6 Exceptions",
	.screen_short = "6 Exc",
};
