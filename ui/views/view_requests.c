// SPDX-License-Identifier: GPL-2.0-only
/* Screen R: requests that the program serves, by route, method and status, and makes, by peer; above them what single ones come to. */
#include "ui/views/view_requests.h"

#include "nettop/shorten.h"
#include "nettop/source.h"

#include <string.h>

enum { NUMBER = 32, LABEL = 7 };

static const struct nt_request_row *of(const void *row)
{
	return row;
}

bool nt_view_has_no_requests(const struct nt_snapshot *snapshot)
{
	return snapshot && snapshot->process_count && !snapshot->processes[0].wants_requests;
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
	static const char *const unknown[NT_REQUEST_WAY_COUNT] = { "(no route)", "(peer not told)", "(database not told)" };
	nt_shorten_tail(unknown[of(row)->way], room, out, size);
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
	if (figures->pool_used_count.known && figures->pool_max_count.known) {
		char most[32];
		nt_line_add(out, wide ? "  pool %s of %s used" : "  pool %s/%s",
			    nt_format_whole(figures->pool_used_count.v, number, sizeof(number)),
			    nt_format_whole(figures->pool_max_count.v, most, sizeof(most)));
		if (figures->pool_waiting_count.known && figures->pool_waiting_count.v)
			nt_line_add(out, ", %s wait", nt_format_whole(figures->pool_waiting_count.v, number, sizeof(number)));
	}
}

/* 3 begun in the last 12s are in flight, the oldest for 3.2s: GET /slow/3000 */
static void singles_text(const struct nt_process_snapshot *process, struct nt_line *line)
{
	const struct nt_request_figures *figures = &process->interval.requests;
	char count[NUMBER], since[NUMBER], oldest[NUMBER];
	nt_line_add(line, "%s begun in the last %s in flight", nt_format_whole(figures->single_in_flight_count.v, count, sizeof(count)),
		    nt_format_duration(figures->single_since_ns.v, since, sizeof(since)));
	if (!figures->single_oldest_ns.known || !process->single_request_count)
		return;
	const struct nt_single_request_row *first = &process->single_requests[0];
	nt_line_add(line, ", the oldest for %s: ", nt_format_duration(figures->single_oldest_ns.v, oldest, sizeof(oldest)));
	nt_line_add_safe(line, first->method);
	nt_line_add(line, "%s", first->method && first->path ? " " : "");
	nt_line_add_safe(line, first->path);
}

/* Single ones: what is in flight of those that are known, or why none is. */
void nt_view_requests_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	const struct nt_request_figures *figures = &context->process->interval.requests;
	bool told = figures->single_in_flight_count.known && figures->single_since_ns.known;
	struct nt_line line = { 0 };
	char cut[NT_LINE_BYTES];
	(void)row;
	if (told)
		singles_text(context->process, &line);
	else
		nt_line_add_safe(&line, figures->single_why.reason);
	int room = grid->width - LABEL - 1;
	nt_grid_put(grid, 1, y, LABEL, NT_STYLE_DIM, "EACH");
	if (line.used && room > 0)
		nt_grid_put(grid, LABEL, y, room, told ? NT_STYLE_PLAIN : NT_STYLE_DIM, nt_shorten_tail(line.text, room, cut, sizeof(cut)));
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
	.demand = NT_WANT_SINGLE_REQUESTS,
	.announcement = NT_VIEW_REQUESTS_ASKED,
	.farewell = NT_VIEW_REQUESTS_LEFT,
	.needs_nothing = nt_view_has_no_requests,
	.flags = flags,
	.hidden = hidden,
	.cell = cell,
	.panel_lines = NT_VIEW_REQUESTS_PANEL,
	.panel = nt_view_requests_panel,
	.scope = scope,
	.nothing = nothing,
};
