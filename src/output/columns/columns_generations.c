// SPDX-License-Identifier: GPL-2.0-only
/* The pauses of each generation, for JSON; the screen draws them above the collections (ui/views/view_gc.c). */
#include "output/columns/cell.h"

static const struct nt_gc_generation_row *of(const void *row)
{
	return row;
}

NT_CELL_OF_ROW(generation, nt_cell_text(of(row)->name))
NT_CELL_OF_ROW(count, nt_cell_u(of(row)->count))
NT_CELL_OF_ROW(p50_ns, nt_cell_of_u64(of(row)->p50_ns))
NT_CELL_OF_ROW(p90_ns, nt_cell_of_u64(of(row)->p90_ns))
NT_CELL_OF_ROW(p99_ns, nt_cell_of_u64(of(row)->p99_ns))
NT_CELL_OF_ROW(max_ns, nt_cell_of_u64(of(row)->max_ns))
NT_CELL_OF_ROW(every_ms, nt_cell_of_f64(of(row)->every_ms))
NT_CELL_OF_ROW(recent_count, nt_cell_u(of(row)->recent.count))
NT_CELL_OF_ROW(recent_p50_ns, nt_cell_of_u64(of(row)->recent.p50_ns))
NT_CELL_OF_ROW(recent_p90_ns, nt_cell_of_u64(of(row)->recent.p90_ns))
NT_CELL_OF_ROW(recent_p99_ns, nt_cell_of_u64(of(row)->recent.p99_ns))
NT_CELL_OF_ROW(recent_max_ns, nt_cell_of_u64(of(row)->recent.max_ns))
NT_CELL_OF_ROW(recent_every_ms, nt_cell_of_f64(of(row)->recent.every_ms))

#define NUMBER(key_, title_, unit_, help_)                                                                                                 \
	{                                                                                                                                  \
		.key = #key_, .title = title_, .unit = unit_, .align = NT_ALIGN_RIGHT, .width = 7, .screen = true, .help = help_,          \
		.read = key_                                                                                                               \
	}

static const struct nt_column columns[] = {
	{ .key = "generation",
	  .title = "GEN",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 7,
	  .default_sort = true,
	  .ascending = true,
	  .screen = true,
	  .help = "gen0, gen1, gen2, gen2 bg: collections of exactly this generation; those in the background apart",
	  .read = generation },
	NUMBER(count, "COUNT", NT_UNIT_INTEGER, "collections since attach"),
	NUMBER(p50_ns, "P50", NT_UNIT_NS_AS_MS, "median of the pauses since attach; blank: there were none"),
	NUMBER(p90_ns, "P90", NT_UNIT_NS_AS_MS, "90th percentile of those"),
	NUMBER(p99_ns, "P99", NT_UNIT_NS_AS_MS, "99th percentile of those"),
	NUMBER(max_ns, "MAX", NT_UNIT_NS_AS_MS, "longest of those"),
	NUMBER(every_ms, "EVERY", NT_UNIT_REAL, "mean distance of two, ms"),
	NUMBER(recent_count, "COUNT 10", NT_UNIT_INTEGER, "ended in the last ten intervals; of the last 2000 collections at most"),
	NUMBER(recent_p50_ns, "P50 10", NT_UNIT_NS_AS_MS, "median of the pauses of those"),
	NUMBER(recent_p90_ns, "P90 10", NT_UNIT_NS_AS_MS, "90th percentile of those"),
	NUMBER(recent_p99_ns, "P99 10", NT_UNIT_NS_AS_MS, "99th percentile of those"),
	NUMBER(recent_max_ns, "MAX 10", NT_UNIT_NS_AS_MS, "longest of those"),
	NUMBER(recent_every_ms, "EVERY 10", NT_UNIT_REAL, "mean distance of two, ms"),
};

static uint64_t row_id(const void *row)
{
	return (uint64_t)(uintptr_t)row;
}

static const char *row_name(const void *row)
{
	return of(row)->name;
}

const struct nt_table nt_table_generations = {
	.key = "generations",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = { .of_process = true, .in_place = true, NT_ROWS_AT(struct nt_process_snapshot, generations, generation_count) },
	.row_id = row_id,
	.row_name = row_name,
};
