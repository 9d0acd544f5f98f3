// SPDX-License-Identifier: GPL-2.0-only
/* What the requests of each route take: CPU time, and time. */
#include "nettop/request_row.h"
#include "output/columns/cell.h"

static const struct nt_request_time_row *of(const void *row)
{
	return row;
}

static struct nt_cell cpu_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_f64(of(row)->cpu_pct);
}

static struct nt_cell cpu_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->cpu_ns);
}

static struct nt_cell cpu_all_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->cpu_all_ns);
}

/* Of one, all that ended taken together; not known before one has. */
static struct nt_cell mean(const struct nt_request_time_row *row, struct nt_u64 sum)
{
	bool known = sum.known && row->count_all;
	return nt_cell_of_u64((struct nt_u64){ .known = known, .v = known ? sum.v / row->count_all : 0 });
}

static struct nt_cell cpu_each_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return mean(of(row), of(row)->cpu_all_ns);
}

static struct nt_cell time_each_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return mean(of(row), nt_u64_of(of(row)->time_all_ns));
}

/* In %; not known of nothing. */
static struct nt_cell share(struct nt_u64 part, uint64_t whole)
{
	bool known = part.known && whole;
	return nt_cell_of_f64((struct nt_f64){ .known = known, .v = known ? 100 * (double)part.v / (double)whole : 0 });
}

static struct nt_cell on_cpu_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return share(of(row)->cpu_all_ns, of(row)->time_all_ns);
}

static struct nt_cell gc_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return share(nt_u64_of(of(row)->gc_ns), of(row)->gc_of_ns);
}

static struct nt_cell awaited_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return share(nt_u64_of(of(row)->awaited_ns), of(row)->awaited_of_ns);
}

static struct nt_cell awaited(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->awaited);
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->count);
}

static struct nt_cell count_all(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->count_all);
}

static struct nt_cell time_all_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->time_all_ns);
}

static struct nt_cell method(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->method);
}

static struct nt_cell route(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->route);
}

/* clang-format off */
#define NUMBER(key_, title_, unit_, width_, help_) \
	.key = (key_), .title = (title_), .unit = (unit_), .align = NT_ALIGN_RIGHT, .width = (width_), .screen = true, .help = (help_)
#define HIDDEN(key_, title_, unit_, width_, help_) \
	.key = (key_), .title = (title_), .unit = (unit_), .align = NT_ALIGN_RIGHT, .width = (width_), .help = (help_)

static const struct nt_column columns[] = {
	{ NUMBER("cpu_pct", "CPU%", NT_UNIT_PCT, 6, "CPU time of the route's requests, on whichever threads they ran, of the CPU time of the process; by samples"), .default_sort = true, .sort_key = NT_SORT_BY_CPU, .read = cpu_pct },
	{ NUMBER("cpu_each_ns", "CPU ms", NT_UNIT_NS_AS_MS, 8, "CPU time of one request, on average since they are told"), .read = cpu_each_ns },
	{ NUMBER("time_each_ns", "ms", NT_UNIT_NS_AS_MS, 9, "for how long one took, likewise"), .sort_key = NT_SORT_BY_TIME, .read = time_each_ns },
	{ NUMBER("on_cpu_pct", "ON CPU%", NT_UNIT_PCT, 7, "of the time that requests took, the share in which they used a CPU: the rest they waited. More than 100: on several at once"), .drop = 2, .read = on_cpu_pct },
	{ NUMBER("gc_pct", "GC%", NT_UNIT_PCT, 5, "likewise, the share in which all threads stood for a collection; of requests that ended since collections are told"), .drop = 3, .read = gc_pct },
	{ NUMBER("awaited_pct", "CALLS%", NT_UNIT_PCT, 6, "likewise, the share in which requests were under way that they made themselves, with HttpClient"), .drop = 5, .read = awaited_pct },
	{ NUMBER("count_all", "COUNT", NT_UNIT_INTEGER, 8, "requests that ended since they are told"), .drop = 2, .read = count_all },
	{ HIDDEN("count", "NOW", NT_UNIT_INTEGER, 8, "of them, those that ended in the interval"), .drop = 1, .read = count },
	{ HIDDEN("cpu_ns", "CPU now", NT_UNIT_NS_AS_MS, 8, "CPU time of the route's requests in the interval: an estimate by samples"), .drop = 1, .read = cpu_ns },
	{ HIDDEN("cpu_all_ns", "CPU all", NT_UNIT_NS_AS_MS, 9, "likewise, since they are told"), .drop = 1, .read = cpu_all_ns },
	{ HIDDEN("time_all_ns", "ms all", NT_UNIT_NS_AS_MS, 9, "for how long the requests that ended since then took, all together"), .drop = 1, .read = time_all_ns },
	{ .key = "awaited", .title = "AWAITED", .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = 20, .ascending = true, .screen = true,
	  .help = "the peer of most of these", .drop = 5, .read = awaited },
	{ .key = "method", .title = "METHOD", .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = 7, .ascending = true, .screen = true,
	  .help = "HTTP method", .drop = 4, .read = method },
	{ .key = "route", .title = "ROUTE", .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = 0, .ascending = true, .screen = true,
	  .help = "the route template that the request's path fits; blank: none was known when it began: of the first request of a route, and with --no-payload", .read = route },
};
/* clang-format on */

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->route ? of(row)->route : "";
}

const struct nt_table nt_table_request_times = {
	.key = "request_times",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(request_times, request_time_count),
	.row_id = row_id,
	.row_name = row_name,
};
