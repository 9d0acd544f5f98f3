// SPDX-License-Identifier: GPL-2.0-only
/* Screen R, what requests take (key v): for each route CPU time, on whichever threads, beside the time from beginning to end. */
#include "ui/views/view_requests.h"

#include "nettop/shorten.h"
#include "nettop/source.h"

#include <string.h>

static const struct nt_request_time_row *of(const void *row)
{
	return row;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "route") != 0 || of(row)->route)
		return false;
	nt_shorten_tail(of(row)->method ? "(route not known)" : "(other routes)", room, out, size);
	return true;
}

/* What no row has: CPU time that was for no request. */
static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	const struct nt_request_figures *figures = &context->process->interval.requests;
	if (!figures->times_cpu_ns.known || !figures->times_other_cpu_ns.known)
		return;
	uint64_t all = figures->times_cpu_ns.v + figures->times_other_cpu_ns.v;
	if (all)
		nt_line_add(out, wide ? "  %.0f%% of its CPU time for no request" : "  %.0f%% for none",
			    100 * (double)figures->times_other_cpu_ns.v / (double)all);
}

static const struct nt_why *lacks(const struct nt_column_context *context)
{
	return &context->process->interval.requests.times_why;
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_why *why = lacks(context);
	nt_nothing_by(why, "No request has begun since it is told which ones CPU time is for.", "No requests.", out);
	if (!why->reason)
		out->more = "CPU time is of samples, and comes half a second later.";
}

static const char *const compact[] = { "cpu_pct", "time_each_ns", "route", NULL };

const struct nt_view nt_view_request_times = {
	.action = NT_DO_VIEW_REQUESTS,
	.subject = &nt_subject_requests,
	.table = &nt_table_request_times,
	.first_x = 1,
	.least_rest = 12,
	.compact = compact,
	.demand = NT_WANT_EACH_REQUEST,
	.announcement = NT_VIEW_REQUEST_TIMES_ASKED,
	.farewell = NT_VIEW_REQUESTS_LEFT,
	.needs_nothing = nt_view_has_no_requests,
	.cell = cell,
	.panel_lines = NT_VIEW_REQUESTS_PANEL,
	.panel = nt_view_requests_panel,
	.scope = scope,
	.lacks = lacks,
	.nothing = nothing,
};
