// SPDX-License-Identifier: GPL-2.0-only
/* The instructions of one method. */
#include "output/columns/cell.h"

static const struct nt_instruction_row *of(const void *row)
{
	return row;
}

/* Most were never seen: their cells stay blank. */
static struct nt_cell self_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->samples ? nt_cell_f(of(row)->pct) : nt_cell_unknown();
}

static struct nt_cell self_bar(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->samples ? nt_cell_f(of(row)->pct / 100) : nt_cell_unknown();
}

static struct nt_cell samples(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->samples ? nt_cell_u(of(row)->samples) : nt_cell_unknown();
}

static struct nt_cell address(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->address);
}

static struct nt_cell offset(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->offset);
}

static struct nt_cell il_offset(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->il_offset == NT_IL_NO_MAPPING ? nt_cell_unknown() : nt_cell_u(of(row)->il_offset);
}

static struct nt_cell line(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->place);
}

static struct nt_cell instruction(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->text);
}

static const struct nt_column columns[] = {
	{ .key = "self_pct",
	  .title = "SELF%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .sort_key = NT_SORT_BY_CPU,
	  .help = "share of the samples in this code that hit the instruction; the one before it may be meant, which it waits for",
	  .read = self_pct },
	{ .key = "self_bar",
	  .title = "",
	  .unit = NT_UNIT_BAR,
	  .align = NT_ALIGN_LEFT,
	  .width = 10,
	  .drop = 3,
	  .screen = true,
	  .help = "the same, drawn",
	  .read = self_bar },
	{ .key = "samples",
	  .title = "SAMPLES",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 2,
	  .screen = true,
	  .help = "samples that hit the instruction; blank: none did",
	  .read = samples },
	{ .key = "address",
	  .title = "ADDRESS",
	  .unit = NT_UNIT_HEX,
	  .align = NT_ALIGN_RIGHT,
	  .width = 14,
	  .ascending = true,
	  .help = "where it lies in the target, in hexadecimal",
	  .read = address },
	{ .key = "offset",
	  .title = "OFFSET",
	  .unit = NT_UNIT_HEX,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .default_sort = true,
	  .ascending = true,
	  .screen = true,
	  .help = "bytes from where the method's code begins, in hexadecimal",
	  .read = offset },
	{ .key = "il",
	  .title = "IL",
	  .unit = NT_UNIT_HEX,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "offset of the IL that the instruction was made of, in hexadecimal; blank: not known, or of none",
	  .read = il_offset },
	{ .key = "line",
	  .title = "LINE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 20,
	  .drop = 4,
	  .ascending = true,
	  .screen = true,
	  .help = "line of the source, by the portable PDB; blank: not known, or of none",
	  .read = line },
	{ .key = "instruction",
	  .title = "INSTRUCTION",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the instruction; where a jump within the method leads to is an offset",
	  .read = instruction },
};

static uint64_t row_id(const void *row)
{
	return of(row)->address;
}

static const char *row_name(const void *row)
{
	return of(row)->text;
}

const struct nt_table nt_table_instructions = {
	.key = "instructions",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(instructions, instruction_count),
	.row_id = row_id,
	.row_name = row_name,
};
