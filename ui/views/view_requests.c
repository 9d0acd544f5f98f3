// SPDX-License-Identifier: GPL-2.0-only
/* Screen R: requests that the program serves, by route, method and status, and makes, by peer. */
#include "nettop/shorten.h"
#include "ui/views/view.h"

#include <string.h>

static const struct nt_request_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(of(row)->failed, false, of(row)->fresh);
}

/* After a zero: none has ended since. */
static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return !of(row)->count_all;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "route") != 0 || of(row)->route)
		return false;
	nt_shorten_tail(of(row)->way == NT_REQUEST_SERVED ? "(no route)" : "(peer not told)", room, out, size);
	return true;
}

/* What no row has: those that have not ended. */
static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	const struct nt_request_figures *figures = &context->process->interval.requests;
	char number[32];
	if (figures->in_flight_count.known)
		nt_line_add(out, "  %s%s", nt_format_whole(figures->in_flight_count.v, number, sizeof(number)),
			    wide ? " in flight" : " fly");
	if (wide && figures->connection_count.known)
		nt_line_add(out, "  %s connections", nt_format_whole(figures->connection_count.v, number, sizeof(number)));
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_why *why = &context->process->interval.requests.why;
	nt_nothing_by(why, "No request has ended since they are told.", "No requests.", out);
	if (!why->reason)
		out->more = "They are told once a second, when they have ended.";
}

static const char *const compact[] = { "rate_per_s", "p99_ns", "route", NULL };

const struct nt_view nt_view_requests = {
	.action = NT_DO_VIEW_REQUESTS,
	.subject = &nt_subject_requests,
	.table = &nt_table_requests,
	.first_x = 1,
	.least_rest = 12,
	.compact = compact,
	.has_window = true,
	.has_totals = true,
	.flags = flags,
	.hidden = hidden,
	.cell = cell,
	.scope = scope,
	.nothing = nothing,
};
