// SPDX-License-Identifier: GPL-2.0-only
/* What the thread pool decided about its number of workers. */
#include "output/columns/cell.h"

static const struct nt_pool_adjustment *of(const void *row)
{
	return row;
}

static struct nt_cell ago_ns(const void *row, const struct nt_column_context *context)
{
	nt_time t1 = context->snapshot->t1;
	return nt_cell_u(t1 > of(row)->time ? t1 - of(row)->time : 0);
}

static struct nt_cell was_count(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->was_count);
}

static struct nt_cell goal_count(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->goal_count);
}

static struct nt_cell reason(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->reason);
}

static struct nt_cell work_per_s(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_f64(of(row)->work_per_s);
}

static const struct nt_column columns[] = {
	{ .key = "ago_ns",
	  .title = "AGO",
	  .unit = NT_UNIT_AGE,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .default_sort = true,
	  .ascending = true,
	  .screen = true,
	  .help = "time since the decision",
	  .read = ago_ns },
	{ .key = "was_count",
	  .title = "FROM",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .help = "workers that it aimed at before; blank: the first decision that was told",
	  .read = was_count },
	{ .key = "goal_count",
	  .title = "GOAL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .help = "workers that it aims at from then on",
	  .read = goal_count },
	{ .key = "work_per_s",
	  .title = "WORK/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .help = "work items done in a second, as the pool measured them",
	  .read = work_per_s },
	{ .key = "reason",
	  .title = "REASON",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the runtime's reason: starvation (nothing was done for half a second), cooperative blocking (workers wait for tasks), "
		  "hill climbing (climbing move, change point, stabilizing, random move), timed out, warmup, initializing",
	  .read = reason },
};

static bool in_interval(const void *row, const struct nt_column_context *context)
{
	return of(row)->time >= context->snapshot->t0 && of(row)->time < context->snapshot->t1;
}

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->reason;
}

const struct nt_table nt_table_adjustments = {
	.key = "adjustments",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(adjustments, adjustment_count),
	.row_in_interval = in_interval,
	.row_id = row_id,
	.row_name = row_name,
};
