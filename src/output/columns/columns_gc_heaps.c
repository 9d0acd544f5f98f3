// SPDX-License-Identifier: GPL-2.0-only
/* The heaps of the last collection of which all are told, for JSON and reports: how the work of server GC is balanced. */
#include "output/columns/cell.h"

static const struct nt_gc_heap_row *of(const void *row)
{
	return row;
}

NT_CELL_OF_ROW(heap, nt_cell_u(of(row)->index))
NT_CELL_OF_ROW(collection, nt_cell_u(of(row)->collection))
NT_CELL_OF_ROW(found_bytes, nt_cell_u(of(row)->found_bytes))
NT_CELL_OF_ROW(left_bytes, nt_cell_u(of(row)->left_bytes))
NT_CELL_OF_ROW(free_bytes, nt_cell_u(of(row)->free_bytes))
NT_CELL_OF_ROW(loh_bytes, nt_cell_u(of(row)->loh_bytes))
NT_CELL_OF_ROW(gen0_budget_bytes, nt_cell_of_u64(of(row)->gen0_budget_bytes))
NT_CELL_OF_ROW(share_pct, nt_cell_of_f64(of(row)->share_pct))

#define NUMBER(key_, title_, unit_, help_)                                                                                                 \
	{                                                                                                                                  \
		.key = #key_, .title = title_, .unit = unit_, .align = NT_ALIGN_RIGHT, .width = 8, .screen = true, .help = help_,          \
		.read = key_                                                                                                               \
	}

static const struct nt_column columns[] = {
	{ .key = "heap",
	  .title = "HEAP",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .default_sort = true,
	  .ascending = true,
	  .screen = true,
	  .help = "index of the heap: one but with server GC, where the runtime has 1024 at most",
	  .read = heap },
	NUMBER(collection, "#", NT_UNIT_INTEGER, "number of the collection, the last of which all heaps are told; the same in each row"),
	NUMBER(found_bytes, "FOUND", NT_UNIT_BYTES, "what that found in this heap, free space included"),
	NUMBER(left_bytes, "LEFT", NT_UNIT_BYTES, "and left there, free space included"),
	NUMBER(free_bytes, "FREE", NT_UNIT_BYTES, "free space in what it left"),
	NUMBER(loh_bytes, "LOH", NT_UNIT_BYTES, "large object heap in what it left"),
	NUMBER(gen0_budget_bytes, "GEN0 BUD", NT_UNIT_BYTES,
	       "allocated in gen0 of this heap before the next collection; a background one sets none"),
	NUMBER(share_pct, "SHARE%", NT_UNIT_PCT, "share of what is left in all heaps; blank: nothing is left"),
};

static uint64_t row_id(const void *row)
{
	return of(row)->index;
}

static const char *row_name(const void *row)
{
	(void)row;
	return ""; /* the index names it */
}

const struct nt_table nt_table_gc_heaps = {
	.key = "gc_heaps",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(gc_heaps, gc_heap_count),
	.row_id = row_id,
	.row_name = row_name,
};
