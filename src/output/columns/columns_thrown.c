// SPDX-License-Identifier: GPL-2.0-only
/* The last exceptions, one by one. */
#include "output/columns/cell.h"

static const struct nt_thrown_row *of(const void *row)
{
	return row;
}

static struct nt_cell ago_ns(const void *row, const struct nt_column_context *context)
{
	nt_time t1 = context->snapshot->t1;
	return nt_cell_u(t1 > of(row)->time ? t1 - of(row)->time : 0);
}

static struct nt_cell time_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->time);
}

static struct nt_cell tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->tid ? nt_cell_u(of(row)->tid) : nt_cell_unknown();
}

static struct nt_cell thread(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->thread);
}

static struct nt_cell type(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->type);
}

static struct nt_cell thrown_at(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->thrown_at);
}

static struct nt_cell fate(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_exception_fate_name(of(row)->fate));
}

static struct nt_cell caught_at(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->caught_at);
}

static struct nt_cell message(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->message);
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
	  .help = "time since it was thrown",
	  .read = ago_ns },
	{ .key = "time_ns",
	  .title = "TIME",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 18,
	  .help = "when it was thrown, or the process ended by it: CLOCK_MONOTONIC, ns",
	  .read = time_ns },
	{ .key = "tid",
	  .title = "TID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .help = "the thread that threw it",
	  .read = tid },
	{ .key = "thread",
	  .title = "THREAD",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 15,
	  .ascending = true,
	  .help = "name of the thread when the interval ended; blank: it was gone by then",
	  .read = thread },
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
	  .width = 29,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that threw it; blank: it was thrown while nobody looked",
	  .read = thrown_at },
	{ .key = "fate",
	  .title = "CAUGHT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 9,
	  .ascending = true,
	  .screen = true,
	  .help = "caught: a catch block was entered for it. rethrown: and, with `throw;`, another one further out, which .NET 8 tells as "
		  "an "
		  "exception of its own. no catch: none was, another one took its place, a filter threw it, or the runtime itself took it. "
		  "under way: not yet. unhandled: nobody caught it, and the process ended. Blank: it was thrown while nobody looked at "
		  "this list, or what was told has several meanings",
	  .read = fate },
	{ .key = "caught_at",
	  .title = "CAUGHT AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .drop = 2,
	  .ascending = true,
	  .screen = true,
	  .help = "the method whose catch block was entered, of several the last",
	  .read = caught_at },
	{ .key = "message",
	  .title = "MESSAGE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "its message, at most 240 bytes of it; blank: it had none, or the word NULL, which EventPipe writes for none",
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

static bool row_in_interval(const void *row, const struct nt_column_context *context)
{
	return of(row)->time >= context->snapshot->t0 && of(row)->time < context->snapshot->t1;
}

const struct nt_table nt_table_thrown = {
	.key = "thrown",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(thrown, thrown_count),
	.row_id = row_id,
	.row_name = row_name,
	.row_in_interval = row_in_interval,
};
