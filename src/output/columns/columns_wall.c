// SPDX-License-Identifier: GPL-2.0-only
/* Where all threads' time went: running and waiting, by the method of the program. */
#include "output/columns/wait_cells.h"

static const struct nt_wall_row *of(const void *row)
{
	return row;
}

static struct nt_wait_time all_of(const void *row)
{
	const struct nt_wall_row *r = of(row);
	return (struct nt_wait_time){ .ns = r->run.ns + r->wait.ns + r->runq.ns,
				      .all_ns = r->run.all_ns + r->wait.all_ns + r->runq.all_ns,
				      .window = r->run.window + r->wait.window + r->runq.window };
}

static struct nt_cell wall_s_per_s(const void *row, const struct nt_column_context *context)
{
	struct nt_wait_time all = all_of(row);
	return nt_wait_cell_rate(&all, (double)NT_NS_PER_S, context);
}

static struct nt_cell run_s_per_s(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_rate(&of(row)->run, (double)NT_NS_PER_S, context);
}

static struct nt_cell wait_s_per_s(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_rate(&of(row)->wait, (double)NT_NS_PER_S, context);
}

static struct nt_cell runq_ms_per_s(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_runq_ms_per_s(&of(row)->runq, of(row)->polled || of(row)->timed, context);
}

static struct nt_cell wall_ns(const void *row, const struct nt_column_context *context)
{
	struct nt_wait_time all = all_of(row);
	return nt_wait_cell_sum(&all, context);
}

static struct nt_cell run_ns(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_sum(&of(row)->run, context);
}

static struct nt_cell wait_ns(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_sum(&of(row)->wait, context);
}

static struct nt_cell runq_ns(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_runq_ns(&of(row)->runq, of(row)->polled || of(row)->timed, context);
}

static struct nt_cell waits_for(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_wait_cell_for(of(row)->kind);
}

static struct nt_cell module(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->module);
}

static struct nt_cell site(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->site);
}

static const struct nt_column columns[] = {
	{ .key = "wall_s_per_s",
	  .title = "WALL s/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "seconds of threads that ran or waited here, per second",
	  .read = wall_s_per_s },
	{ .key = "run_s_per_s",
	  .title = "RUN s/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .screen = true,
	  .sort_key = NT_SORT_BY_CPU,
	  .help = "those in which they ran, by samples of CPU time",
	  .read = run_s_per_s },
	{ .key = "wait_s_per_s",
	  .title = "WAIT s/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .screen = true,
	  .help = "those in which they waited",
	  .read = wait_s_per_s },
	{ .key = "runq_ms_per_s",
	  .title = "RUNQ ms/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .drop = 1,
	  .screen = true,
	  .help = "ms per second in which they could have run and had no CPU; blank: polled, or timed",
	  .read = runq_ms_per_s },
	{ .key = "wall_ns",
	  .title = "WALL ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "ms in which threads ran or waited here",
	  .read = wall_ns },
	{ .key = "run_ns",
	  .title = "RUN ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "ms in which they ran, by samples of CPU time",
	  .read = run_ns },
	{ .key = "wait_ns",
	  .title = "WAITED ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .help = "ms in which they waited",
	  .read = wait_ns },
	{ .key = "runq_ns",
	  .title = "RUNQ ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "ms in which they could have run and had no CPU; blank: polled, or timed",
	  .read = runq_ns },
	{ .key = "for",
	  .title = "FOR",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 8,
	  .ascending = true,
	  .screen = true,
	  .help = "what most of the waiting was for: monitor lock pulse signal task join process sleep socket file pipe poll gc native "
		  "fault cpu quota stopped; idle: for work; waits: not known; blank: nobody waited",
	  .read = waits_for },
	{ .key = "module",
	  .title = "MODULE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 22,
	  .ascending = true,
	  .screen = true,
	  .narrow = 12,
	  .drop = 2,
	  .help = "assembly or library",
	  .read = module },
	{ .key = "site",
	  .title = "METHOD",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's own method that ran or waited, in it or in what it called; where there is none the function that ran; "
		  "blank: not known",
	  .read = site },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->site ? of(row)->site : "";
}

static bool row_idle(const void *row)
{
	return of(row)->idle;
}

const struct nt_table nt_table_wall = {
	.key = "wall",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(wall, wall_count),
	.row_id = row_id,
	.row_name = row_name,
	.row_idle = row_idle,
};
