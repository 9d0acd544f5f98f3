// SPDX-License-Identifier: GPL-2.0-only
/* Single requests: those in flight, and the slowest of the last minutes. */
#include "nettop/request_row.h"
#include "output/columns/cell.h"

static const struct nt_single_request_row *of(const void *row)
{
	return row;
}

static struct nt_cell time_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->time_ns);
}

static struct nt_cell ended_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->ended_ns);
}

static struct nt_cell stage(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_request_stage_name(of(row)->stage));
}

static struct nt_cell status(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->status);
}

static struct nt_cell method(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->method);
}

static struct nt_cell awaited_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->awaited_ns);
}

static struct nt_cell awaited_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	bool known = of(row)->awaited_ns.known && of(row)->time_ns;
	double pct = known ? 100 * (double)of(row)->awaited_ns.v / (double)of(row)->time_ns : 0;
	return nt_cell_of_f64((struct nt_f64){ .known = known, .v = pct < 100 ? pct : 100 });
}

static struct nt_cell awaits(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->awaits);
}

static struct nt_cell trace(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->trace);
}

static struct nt_cell span(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->span);
}

static struct nt_cell path(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->path);
}

static struct nt_cell route(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->route);
}

/* clang-format off */
#define NUMBER(key_, title_, unit_, width_, help_) \
	.key = (key_), .title = (title_), .unit = (unit_), .align = NT_ALIGN_RIGHT, .width = (width_), .screen = true, .help = (help_)
#define NAME(key_, title_, width_, help_) \
	.key = (key_), .title = (title_), .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = (width_), .ascending = true, .screen = true, .help = (help_)

static const struct nt_column columns[] = {
	{ NUMBER("time_ns", "ms", NT_UNIT_NS_AS_MS, 9, "for how long the request has been under way, or how long it took"), .sort_key = NT_SORT_BY_TIME, .read = time_ns },
	{ NAME("stage", "STAGE", 11, "in flight; no end seen: events were lost since it began, so it may have ended; ended: one of the 32 slowest of the last 5 minutes"), .read = stage },
	{ NUMBER("ended_ago_ns", "AGO", NT_UNIT_AGE, 6, "so long ago it ended; blank: it has not"), .drop = 3, .read = ended_ns },
	{ NUMBER("status", "STATUS", NT_UNIT_INTEGER, 6, "status of the response; blank: there is none yet"), .read = status },
	{ NUMBER("awaited_pct", "CALLS%", NT_UNIT_PCT, 6, "the share of its time in which requests were under way that it made itself, with HttpClient; blank: that is not known"), .drop = 2, .read = awaited_pct },
	{ .key = "awaited_ns", .title = "CALLS ms", .unit = NT_UNIT_NS_AS_MS, .align = NT_ALIGN_RIGHT, .width = 9, .drop = 1, .help = "for how long they were", .read = awaited_ns },
	{ NAME("awaits", "AWAITS", 20, "the peer of the one of these that has been under way for longest; when the request has ended, of the one that took longest; blank: there is none"), .drop = 5, .read = awaits },
	{ NAME("method", "METHOD", 7, "HTTP method; blank: its beginning was not told"), .drop = 4, .read = method },
	{ NAME("trace_id", "TRACE", 32, "id of its trace, by which logs and other services find it"), .drop = 1, .read = trace },
	{ .key = "span_id", .title = "SPAN", .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = 16, .drop = 2, .ascending = true,
	  .help = "id of the request in its trace", .read = span },
	{ .key = "route", .title = "ROUTE", .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = 24, .drop = 1, .ascending = true,
	  .help = "the route template that its path fits, of those whose requests have ended; blank: none does, or more than one", .read = route },
	{ NAME("path", "PATH", 0, "its path without the query, at most 256 bytes; blank: --no-payload, or its beginning was not told"), .read = path },
};
/* clang-format on */

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->path ? of(row)->path : "";
}

const struct nt_table nt_table_single_requests = {
	.key = "single_requests",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(single_requests, single_request_count),
	.row_id = row_id,
	.row_name = row_name,
};
