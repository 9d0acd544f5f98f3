// SPDX-License-Identifier: GPL-2.0-only
/* Work items of the thread pool by how long they waited for a worker. */
#include "output/columns/cell.h"

static const struct nt_pool_wait_row *of(const void *row)
{
	return row;
}

static bool interval_only(const struct nt_column_context *context)
{
	return context->window == NT_WINDOW_INTERVAL;
}

/* A lower bound where they were told for a part of the time: they are told while somebody asks for it. */
static struct nt_cell counted(uint64_t items, const struct nt_figures *figures)
{
	return nt_cell_counted(items, figures->pool.items.covered_ns, figures->lived_ns);
}

static uint64_t count_of(const struct nt_pool_wait_row *row, const struct nt_column_context *context)
{
	return interval_only(context) ? row->count : row->count_all;
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	return counted(count_of(row, context), interval_only(context) ? &context->process->interval : &context->process->total);
}

static struct nt_cell now_count(const void *row, const struct nt_column_context *context)
{
	return counted(of(row)->count, &context->process->interval);
}

/* Of all that were told since attach, or of the interval: after a zero, of what came since. */
static struct nt_cell share_pct(const void *row, const struct nt_column_context *context)
{
	const struct nt_process_snapshot *process = context->process;
	uint64_t whole = 0;
	for (size_t i = 0; i < process->pool_wait_count; i++)
		whole += count_of(&process->pool_waits[i], context);
	return whole ? nt_cell_f(100.0 * (double)count_of(row, context) / (double)whole) : nt_cell_unknown();
}

NT_CELL_OF_ROW(over_ns, nt_cell_u(of(row)->over_ns))

static const struct nt_column columns[] = {
	{ .key = "count",
	  .title = "N",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .help = "work items that a worker took (EventPipe, while somebody looks)",
	  .read = count },
	{ .key = "share_pct",
	  .title = "%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .help = "of all of which it is known how long they waited; blank when there are none",
	  .read = share_pct },
	{ .key = "now_count",
	  .title = "NOW",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .help = "of these, in the last interval",
	  .read = now_count },
	{ .key = "over_ns",
	  .title = "WAITED MORE THAN us",
	  .unit = NT_UNIT_NS_AS_US,
	  .align = NT_ALIGN_LEFT,
	  .default_sort = true,
	  .screen = true,
	  .help = "they waited longer than this, and not longer than the row with the next longer wait says",
	  .read = over_ns },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	(void)row;
	return "";
}

const struct nt_table nt_table_pool_waits = {
	.key = "pool_waits",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(pool_waits, pool_wait_count),
	.row_id = row_id,
	.row_name = row_name,
};
