// SPDX-License-Identifier: GPL-2.0-only
/* Exceptions thrown, by the place that throws. */
#include "output/columns/cell.h"

static const struct nt_throw_site_row *of(const void *row)
{
	return row;
}

/* Those that were told with their stacks, which come only while somebody looks: a lower bound, unless that was all the time. */
static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	bool interval = context->window == NT_WINDOW_INTERVAL;
	struct nt_cell cell = nt_cell_u(interval ? of(row)->count : of(row)->count_all);
	cell.at_least = !interval;
	return cell;
}

static struct nt_cell rate_per_s(const void *row, const struct nt_column_context *context)
{
	if (context->window == NT_WINDOW_ATTACH)
		return nt_cell_unknown();
	return nt_cell_rate((double)of(row)->count, context->process->interval.exceptions.covered_ns);
}

static struct nt_cell trend(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_trend(&of(row)->trend);
}

static struct nt_cell site(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->site);
}

static struct nt_cell type(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->type);
}

static const struct nt_column columns[] = {
	{ .key = "count",
	  .title = "N",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .default_sort = true,
	  .screen = true,
	  .help = "times thrown here, of those that were told with their call stacks, which they are while somebody looks",
	  .read = count },
	{ .key = "rate_per_s",
	  .title = "/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .help = "the same per second, in the last interval; blank since attach: they were not told all the time",
	  .read = rate_per_s },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .scale = NT_SCALE_COUNT,
	  .align = NT_ALIGN_LEFT,
	  .width = NT_TREND_CELLS,
	  .drop = 1,
	  .screen = true,
	  .help = "times thrown here per second, in the last intervals",
	  .read = trend },
	{ .key = "site",
	  .title = "THROWN AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 40,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that throws",
	  .read = site },
	{ .key = "type",
	  .title = "TYPE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "type of most of them",
	  .read = type },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->site ? of(row)->site : "";
}

const struct nt_table nt_table_throw_sites = {
	.key = "throw_sites",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(throw_sites, throw_site_count),
	.row_id = row_id,
	.row_name = row_name,
};
