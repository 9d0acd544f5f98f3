// SPDX-License-Identifier: GPL-2.0-only
/* Allocations by thread: the runtime's own counter of each, read from outside. */
#include "output/columns/cell.h"

static const struct nt_thread_row *of(const void *row)
{
	return row;
}

static struct nt_cell bytes_per_s(const void *row, const struct nt_column_context *context)
{
	struct nt_f64 rate = of(row)->allocated_per_s;
	(void)context;
	return rate.known && rate.v >= 0 ? nt_cell_u((uint64_t)rate.v) : nt_cell_unknown();
}

static struct nt_cell bytes(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->allocated_bytes);
}

static struct nt_cell tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->tid);
}

static struct nt_cell role(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_role_name(of(row)->role));
}

static struct nt_cell cpu_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_f64(of(row)->cpu_pct);
}

static struct nt_cell name(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->name);
}

static const struct nt_column columns[] = {
	{ .key = "bytes_per_s",
	  .title = "B/s",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_MEMORY,
	  .help = "bytes that it allocates in a second, exact, by the runtime's own counter of the thread",
	  .read = bytes_per_s },
	{ .key = "bytes",
	  .title = "ALLOCATED",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .screen = true,
	  .help = "the same since the thread began: what GC.GetAllocatedBytesForCurrentThread() tells it",
	  .read = bytes },
	{ .key = "cpu_pct",
	  .title = "CPU%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .sort_key = NT_SORT_BY_CPU,
	  .help = "CPU that it uses, 100 = one CPU",
	  .read = cpu_pct },
	{ .key = "tid",
	  .title = "TID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .help = "the thread's number",
	  .read = tid },
	{ .key = "role",
	  .title = "ROLE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 4,
	  .ascending = true,
	  .screen = true,
	  .help = "what it is for, as on screen 4",
	  .read = role },
	{ .key = "name",
	  .title = "NAME",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the thread's name",
	  .read = name },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->name ? of(row)->name : "";
}

const struct nt_table nt_table_allocation_threads = {
	.key = "allocation_threads",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(threads, thread_count),
	.row_id = row_id,
	.row_name = row_name,
};
