// SPDX-License-Identifier: GPL-2.0-only
/* The pauses of each generation, for JSON; the screen draws them above the collections (ui/views/view_gc.c). */
#include "output/columns/cell.h"

static const struct nt_gc_generation_row *of(const void *row)
{
	return row;
}

NT_CELL_OF_ROW(generation, nt_cell_text(of(row)->name))
/* That there were none is known where somebody would have told. */
static struct nt_cell counted(uint64_t number, const struct nt_column_context *context)
{
	const struct nt_process_snapshot *process = context->process;
	bool told = (context->is_span ? &process->interval : &process->total)->gc.count[0].known;
	return nt_cell_of_u64(nt_u64_if(told || number, number));
}

/* Of a span they are those of its collections. */
static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	return counted(context->is_span ? of(row)->recent.count : of(row)->count, context);
}

static struct nt_cell recent_count(const void *row, const struct nt_column_context *context)
{
	return context->is_span ? (struct nt_cell){ 0 } : counted(of(row)->recent.count, context);
}

#define OF_PAUSES(of_, member_)                                                                                                            \
	static struct nt_cell member_(const void *row, const struct nt_column_context *context)                                            \
	{                                                                                                                                  \
		return of_(context->is_span ? of(row)->recent.member_ : of(row)->member_);                                                 \
	}                                                                                                                                  \
	static struct nt_cell recent_##member_(const void *row, const struct nt_column_context *context)                                   \
	{                                                                                                                                  \
		return context->is_span ? (struct nt_cell){ 0 } : of_(of(row)->recent.member_);                                            \
	}

OF_PAUSES(nt_cell_of_u64, p50_ns)
OF_PAUSES(nt_cell_of_u64, p90_ns)
OF_PAUSES(nt_cell_of_u64, p99_ns)
OF_PAUSES(nt_cell_of_u64, max_ns)
OF_PAUSES(nt_cell_of_f64, every_ms)

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
