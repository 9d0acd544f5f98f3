// SPDX-License-Identifier: GPL-2.0-only
/* Requests served and made, by route or peer, method and status. */
#include "nettop/request_row.h"
#include "output/columns/cell.h"

static const struct nt_request_row *of(const void *row)
{
	return row;
}

static bool is_since_attach(const struct nt_column_context *context)
{
	return context->window == NT_WINDOW_ATTACH;
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	const struct nt_figures *figures = nt_cell_figures(context);
	return nt_cell_counted(is_since_attach(context) ? of(row)->count_all : of(row)->count, figures->requests.covered_ns,
			       figures->lived_ns);
}

static struct nt_cell rate_per_s(const void *row, const struct nt_column_context *context)
{
	if (!is_since_attach(context) && of(row)->per_s.known)
		return nt_cell_f(of(row)->per_s.v);
	return nt_cell_rate((double)(is_since_attach(context) ? of(row)->count_all : of(row)->count),
			    nt_cell_figures(context)->requests.covered_ns);
}

static struct nt_cell mean_ns(const void *row, const struct nt_column_context *context)
{
	bool all = is_since_attach(context);
	uint64_t number = all ? of(row)->count_all : of(row)->count;
	uint64_t time_ns = all ? of(row)->time_all_ns : of(row)->time_ns;
	return number ? nt_cell_u(time_ns / number) : nt_cell_unknown();
}

static struct nt_cell p50_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->p50_ns);
}

static struct nt_cell p95_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->p95_ns);
}

static struct nt_cell p99_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->p99_ns);
}

static struct nt_cell trend(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_trend(&of(row)->trend);
}

static struct nt_cell way(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_request_way_name(of(row)->way));
}

static struct nt_cell method(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->method);
}

static struct nt_cell status(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->status);
}

static struct nt_cell route(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->route);
}

static struct nt_cell error(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->error);
}

/* clang-format off */
#define NUMBER(key_, title_, unit_, width_, help_) \
	.key = (key_), .title = (title_), .unit = (unit_), .align = NT_ALIGN_RIGHT, .width = (width_), .screen = true, .help = (help_)
#define NAME(key_, title_, width_, help_) \
	.key = (key_), .title = (title_), .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = (width_), .ascending = true, .screen = true, .help = (help_)

static const struct nt_column columns[] = {
	{ NUMBER("count", "N", NT_UNIT_COUNT, 6, "requests that ended"), .default_sort = true, .read = count },
	{ NUMBER("rate_per_s", "/s", NT_UNIT_PER_S, 5, "requests that ended per second"), .read = rate_per_s },
	{ NUMBER("mean_ns", "MEAN ms", NT_UNIT_NS_AS_MS, 7, "mean duration; that is told of all requests"), .drop = 2, .read = mean_ns },
	{ NUMBER("p50_ns", "p50 ms", NT_UNIT_NS_AS_MS, 7, "median of the durations in the last second in which requests ended; those of several rows cannot be added"), .read = p50_ns },
	{ NUMBER("p95_ns", "p95 ms", NT_UNIT_NS_AS_MS, 7, "95th percentile, likewise"), .drop = 2, .read = p95_ns },
	{ NUMBER("p99_ns", "p99 ms", NT_UNIT_NS_AS_MS, 7, "99th percentile, likewise"), .read = p99_ns },
	{ .key = "trend", .title = "TREND", .unit = NT_UNIT_TREND, .scale = NT_SCALE_COUNT, .align = NT_ALIGN_LEFT, .width = NT_TREND_CELLS, .drop = 1, .screen = true,
	  .help = "requests that ended per second, in the last intervals", .read = trend },
	{ NAME("way", "WAY", 6, "served: by this program; made: by it, with HttpClient; db: operations of a database, as Npgsql tells them"), .read = way },
	{ NAME("method", "METHOD", 7, "HTTP method; _OTHER is what the runtime calls a strange one; of a database the operation, if it is told"), .read = method },
	{ NAME("status", "STATUS", 6, "status of the response; blank: there was none"), .read = status },
	{ NAME("route", "ROUTE OR PEER", 40, "route template of a request served, blank where none matched; of one made whom it went to; the database"), .read = route },
	{ NAME("error", "ERROR", 0, "type of the error; blank: none"), .drop = 1, .read = error },
};
/* clang-format on */

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->route ? of(row)->route : "(no route)";
}

const struct nt_table nt_table_requests = {
	.key = "requests",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(requests, request_count),
	.row_id = row_id,
	.row_name = row_name,
};
