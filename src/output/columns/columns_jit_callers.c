// SPDX-License-Identifier: GPL-2.0-only
/* Compilations by who causes them. */
#include "output/columns/cell.h"

static const struct nt_jit_caller_row *of(const void *row)
{
	return row;
}

static bool interval_only(const struct nt_column_context *context)
{
	return context->window == NT_WINDOW_INTERVAL;
}

/* A lower bound where it was told for a part of the time: it is told while somebody asks for it. */
static struct nt_cell counted(uint64_t value, const struct nt_figures *figures)
{
	return nt_cell_counted(value, figures->jit.callers_covered_ns, figures->lived_ns);
}

static struct nt_cell time_ns(const void *row, const struct nt_column_context *context)
{
	const struct nt_process_snapshot *process = context->process;
	return interval_only(context) ? counted(of(row)->time_ns, &process->interval) : counted(of(row)->time_all_ns, &process->total);
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	const struct nt_process_snapshot *process = context->process;
	return interval_only(context) ? counted(of(row)->count, &process->interval) : counted(of(row)->count_all, &process->total);
}

static struct nt_cell max_ns(const void *row, const struct nt_column_context *context)
{
	return of(row)->max_ns ? counted(of(row)->max_ns, &context->process->total) : nt_cell_unknown();
}

static struct nt_cell compiled(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->compiled);
}

static struct nt_cell via(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->via);
}

static struct nt_cell site(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->site);
}

static const struct nt_column columns[] = {
	{ .key = "time_ns",
	  .title = "MS",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "time spent compiling what it caused, by the clock (lttng or eventpipe, while it is asked who causes it)",
	  .read = time_ns },
	{ .key = "count",
	  .title = "N",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .help = "compilations that it caused (likewise)",
	  .read = count },
	{ .key = "max_ns",
	  .title = "MAX ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 2,
	  .screen = true,
	  .help = "the longest of them since attach",
	  .read = max_ns },
	{ .key = "compiled",
	  .title = "COMPILED",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 22,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "the last method that it caused to be compiled",
	  .read = compiled },
	{ .key = "via",
	  .title = "BY CALLING",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 27,
	  .drop = 3,
	  .ascending = true,
	  .screen = true,
	  .help = "what of the framework it called: Expression.Compile, a Regex, CreateDelegate; null: nothing, it ran for the first time "
		  "what was "
		  "compiled; (on-stack replacement): a loop of its own ran for long",
	  .read = via },
	{ .key = "site",
	  .title = "CAUSED BY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that is nearest in the stack of the compiling thread, else the framework's; (tiered compilation): "
		  "what runs "
		  "often, in the background; null: not told",
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

static bool in_interval(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->count > 0;
}

const struct nt_table nt_table_jit_callers = {
	.key = "jit_callers",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(jit_callers, jit_caller_count),
	.row_in_interval = in_interval,
	.row_id = row_id,
	.row_name = row_name,
};
