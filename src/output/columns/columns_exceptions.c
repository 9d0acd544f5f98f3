// SPDX-License-Identifier: GPL-2.0-only
/* Exceptions thrown, by type. */
#include "output/columns/cell.h"

static const struct nt_exception_row *of(const void *row)
{
	return row;
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	const struct nt_process_snapshot *process = context->process;
	if (context->window == NT_WINDOW_INTERVAL)
		return nt_cell_counted(of(row)->count, process->interval.exceptions.covered_ns, process->interval.lived_ns);
	return nt_cell_counted(of(row)->count_all, process->total.exceptions.covered_ns, process->total.lived_ns);
}

static struct nt_cell rate_per_s(const void *row, const struct nt_column_context *context)
{
	uint64_t thrown = context->window == NT_WINDOW_ATTACH ? of(row)->count_all : of(row)->count;
	return nt_cell_rate((double)thrown, nt_cell_figures(context)->exceptions.covered_ns);
}

static struct nt_cell caught_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	double fates = (double)of(row)->fate_count;
	return (struct nt_cell){ .known = fates > 0, .f = fates > 0 ? (double)of(row)->caught_count * 100 / fates : 0 };
}

static struct nt_cell type(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->type);
}

static struct nt_cell trend(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_trend(&of(row)->trend);
}

static struct nt_cell thrown_at(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->thrown_at);
}

static struct nt_cell message(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->message);
}

static const struct nt_column columns[] = {
	{ .key = "count",
	  .title = "N",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .default_sort = true,
	  .screen = true,
	  .help = "times thrown, first chance",
	  .read = count },
	{ .key = "rate_per_s",
	  .title = "/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .help = "times thrown per second",
	  .read = rate_per_s },
	{ .key = "caught_pct",
	  .title = "CAUGHT%",
	  .unit = NT_UNIT_PCT_WHOLE,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 2,
	  .screen = true,
	  .help = "share that was caught, since attach, of those of which it is known what became of them; blank: of none, nobody has "
		  "looked at the list of the last ones",
	  .read = caught_pct },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .scale = NT_SCALE_COUNT,
	  .align = NT_ALIGN_LEFT,
	  .width = NT_TREND_CELLS,
	  .drop = 1,
	  .screen = true,
	  .help = "times thrown per second, in the last intervals",
	  .read = trend },
	{ .key = "type",
	  .title = "TYPE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 23,
	  .ascending = true,
	  .screen = true,
	  .help = "type of the exception",
	  .read = type },
	{ .key = "thrown_at",
	  .title = "THROWN AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 31,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that throws most of them; blank: not said, which LTTng never does",
	  .read = thrown_at },
	{ .key = "message",
	  .title = "LAST MESSAGE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "message of the last one; blank: it had none, or the word NULL, which EventPipe writes for none",
	  .read = message },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->type;
}

const struct nt_table nt_table_exceptions = {
	.key = "exceptions",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(exceptions, exception_count),
	.row_id = row_id,
	.row_name = row_name,
};
