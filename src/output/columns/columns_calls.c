// SPDX-License-Identifier: GPL-2.0-only
/* The call tree of a method: its callees, or its callers. */
#include "nettop/call_row.h"
#include "output/columns/cell.h"

#include <math.h>

static const struct nt_call_row *of(const void *row)
{
	return row;
}

static struct nt_cell self_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->known ? nt_cell_f(of(row)->self_pct) : nt_cell_unknown();
}

static struct nt_cell total_pct(const void *row, const struct nt_column_context *context)
{
	return of(row)->known ? nt_cell_total_pct(of(row)->total_pct, context) : nt_cell_unknown();
}

static struct nt_cell kind(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->frame->sort == NT_FRAME_CODE ? nt_cell_text(nt_code_kind_name(of(row)->frame->kind)) : nt_cell_unknown();
}

static struct nt_cell tier(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_tier_name(of(row)->tier));
}

static struct nt_cell name(const void *row, const struct nt_column_context *context)
{
	const struct nt_stack_frame *frame = of(row)->frame;
	return nt_cell_text(context->raw_names && frame->raw_name ? frame->raw_name : frame->name);
}

static struct nt_cell module(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->frame->module);
}

static struct nt_cell self_samples(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->known ? nt_cell_u((uint64_t)llround(of(row)->self)) : nt_cell_unknown();
}

static struct nt_cell total_samples(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->known ? nt_cell_u((uint64_t)llround(of(row)->total)) : nt_cell_unknown();
}

static struct nt_cell reason(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->frame->reason);
}

static const struct nt_column columns[] = {
	{ .key = "total_pct",
	  .title = "TOTAL%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_CPU,
	  .help = "share of all samples (of those of a thread or of a side of the pauses under that restriction, x) that were here, called "
		  "as the tree shows, or in what was called from here; > as on screen 1",
	  .read = total_pct },
	{ .key = "self_pct",
	  .title = "SELF%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 3,
	  .screen = true,
	  .help = "share of all samples that were in the function itself; of callers: in the method at the top, when they called it",
	  .read = self_pct },
	{ .key = "kind",
	  .title = "KIND",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 7,
	  .drop = 2,
	  .ascending = true,
	  .screen = true,
	  .help = "as on screen 1; blank: a thread, or calls that were too many to keep each",
	  .read = kind },
	{ .key = "tier",
	  .title = "TIER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 5,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "tier of most of the samples; blank: not compiled by the JIT",
	  .read = tier },
	{ .key = "name",
	  .title = "CALL TREE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "what was called from the row above it (callees), or what called that (callers)",
	  .read = name },
	{ .key = "module",
	  .title = "MODULE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 22,
	  .ascending = true,
	  .help = "assembly or library that the code is from; blank: none is known",
	  .read = module },
	{ .key = "self_samples",
	  .title = "SAMPLES",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "samples of SELF%, those of the last intervals counting most",
	  .read = self_samples },
	{ .key = "total_samples",
	  .title = "IN TOTAL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .help = "samples of TOTAL%, likewise",
	  .read = total_samples },
	{ .key = "reason",
	  .title = "REASON",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 20,
	  .ascending = true,
	  .help = "why there is no better name; blank when there is one",
	  .read = reason },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static uint32_t depth(const void *row)
{
	return of(row)->depth;
}

static const char *row_name(const void *row)
{
	return of(row)->frame->name;
}

const struct nt_table nt_table_calls = {
	.key = "calls",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(calls, call_count),
	.row_id = row_id,
	.row_name = row_name,
	.depth = depth,
};
