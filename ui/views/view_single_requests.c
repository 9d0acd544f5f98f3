// SPDX-License-Identifier: GPL-2.0-only
/* Screen R, each request (key v): those in flight, oldest first, and the slowest of the last minutes. */
#include "ui/views/view_requests.h"

#include "nettop/source.h"

#include <inttypes.h>

enum { SERVER_ERRORS = 500 };

static const struct nt_single_request_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	bool failed = of(row)->status.known && of(row)->status.v >= SERVER_ERRORS;
	return nt_row_flags(failed || of(row)->stage == NT_REQUEST_NO_END, false, false);
}

static void add_beyond(struct nt_line *out, uint64_t count, const char *what)
{
	if (count)
		nt_line_add(out, "%s%" PRIu64 " %s", out->used ? ", " : "", count, what);
}

static void beyond(const struct nt_process_snapshot *process, struct nt_line *out)
{
	const struct nt_request_figures *figures = &process->interval.requests, *total = &process->total.requests;
	uint64_t shown = 0;
	for (size_t i = 0; i < process->single_request_count; i++)
		shown += process->single_requests[i].stage != NT_REQUEST_ENDED;
	if (figures->single_in_flight_count.known && figures->single_in_flight_count.v > shown)
		add_beyond(out, figures->single_in_flight_count.v - shown, "more in flight");
	add_beyond(out, figures->single_doubtful_count.v, "may have ended");
	add_beyond(out, total->single_unseen_count.v, "without an end");
	add_beyond(out, total->single_unkept_count.v, "not kept");
}

/* Who is served by what began before, and in no row, has one of them. */
static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	const struct nt_u64 count = context->process->interval.requests.connection_count;
	if (count.known)
		nt_line_add(out, "  %" PRIu64 "%s", count.v, wide ? " connections open" : " conn");
}

static const struct nt_why *lacks(const struct nt_column_context *context)
{
	return &context->process->interval.requests.single_why;
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_why *why = lacks(context);
	nt_nothing_by(why, "No request has begun since each is told.", "No single requests.", out);
	if (!why->reason)
		out->more = "Those that began before are not told.";
}

static const char *const compact[] = { "time_ns", "status", "path", NULL };

const struct nt_view nt_view_single_requests = {
	.action = NT_DO_VIEW_REQUESTS,
	.subject = &nt_subject_requests,
	.table = &nt_table_single_requests,
	.first_x = 1,
	.least_rest = 20,
	.compact = compact,
	.demand = NT_WANT_SINGLE_REQUESTS,
	.farewell = NT_VIEW_REQUESTS_LEFT,
	.needs_nothing = nt_view_has_no_requests,
	.flags = flags,
	.panel_lines = NT_VIEW_REQUESTS_PANEL,
	.panel = nt_view_requests_panel,
	.beyond = beyond,
	.scope = scope,
	.lacks = lacks,
	.nothing = nothing,
};
