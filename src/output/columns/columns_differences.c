// SPDX-License-Identifier: GPL-2.0-only
/* What differs between two spans. */
#include "output/columns/cell.h"

#include <math.h>

static const struct nt_difference_row *of(const void *row)
{
	return row;
}

/* Of what was not there before nothing is a part. */
static struct nt_cell quotient(double value)
{
	return isfinite(value) ? nt_cell_f(value) : nt_cell_unknown();
}

static struct nt_cell as_ms(struct nt_f64 ns)
{
	return ns.known ? nt_cell_f(ns.v / (double)NT_NS_PER_MS) : nt_cell_unknown();
}

static double one_in(double chance)
{
	static const double most = 1e9;
	return chance > 1 / most ? 1 / chance : most;
}

static struct nt_cell chance_cell(double chance)
{
	struct nt_cell cell = nt_cell_u((uint64_t)one_in(chance));
	cell.at_least = one_in(chance) >= 1e9;
	return cell;
}

NT_CELL_OF_ROW(change_pct, quotient(of(row)->change_pct))
NT_CELL_OF_ROW(error_pct, quotient(of(row)->error_pct))
NT_CELL_OF_ROW(before_ms, as_ms(of(row)->before_ns))
NT_CELL_OF_ROW(after_ms, as_ms(of(row)->after_ns))
NT_CELL_OF_ROW(before_pct, nt_cell_f(of(row)->before_pct))
NT_CELL_OF_ROW(after_pct, nt_cell_f(of(row)->after_pct))
NT_CELL_OF_ROW(chance, chance_cell(of(row)->chance))
NT_CELL_OF_ROW(before_samples, nt_cell_u(of(row)->before_samples))
NT_CELL_OF_ROW(after_samples, nt_cell_u(of(row)->after_samples))
NT_CELL_OF_ROW(module, nt_cell_text(of(row)->module))
NT_CELL_OF_ROW(name, nt_cell_text(of(row)->name))

static const struct nt_column columns[] = {
	{ .key = "change_pct",
	  .title = "CHANGE%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .screen = true,
	  .help = "so much more CPU time or less than it would take if it had changed as most methods have: with the load; blank: it took "
		  "none before",
	  .read = change_pct },
	{ .key = "error_pct",
	  .title = "+-%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 3,
	  .screen = true,
	  .help = "standard error of that, from how seconds of each span differ",
	  .read = error_pct },
	{ .key = "before_ms",
	  .title = "WAS ms/s",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .screen = true,
	  .help = "ms of CPU time in a second, in the span that is compared with, by samples; blank: nobody knows how often they are taken",
	  .read = before_ms },
	{ .key = "after_ms",
	  .title = "IS ms/s",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .screen = true,
	  .help = "likewise, in the span that is compared",
	  .read = after_ms },
	{ .key = "before_pct",
	  .title = "WAS%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 1,
	  .screen = true,
	  .help = "of the CPU samples of that span",
	  .read = before_pct },
	{ .key = "after_pct",
	  .title = "IS%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 2,
	  .screen = true,
	  .help = "of the CPU samples of the span that is compared",
	  .read = after_pct },
	{ .key = "one_in_count",
	  .title = "1 IN",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 4,
	  .screen = true,
	  .help = "of so many pairs of spans in which nothing has changed one would have a change as sure as this in any row",
	  .read = chance },
	{ .key = "before_samples_count",
	  .title = "SAMPLES WAS",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 11,
	  .help = "its samples in the span that is compared with",
	  .read = before_samples },
	{ .key = "after_samples_count",
	  .title = "SAMPLES IS",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .help = "its samples in the span that is compared",
	  .read = after_samples },
	{ .key = "module",
	  .title = "MODULE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 20,
	  .ascending = true,
	  .help = "where its code is from; blank: not known",
	  .read = module },
	{ .key = "name",
	  .title = "METHOD",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the method whose own code takes more or less CPU time, most first; what fell behind what grew, if it is not clearly "
		  "more",
	  .read = name },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->name;
}

const struct nt_table nt_table_differences = {
	.key = "differences",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(difference.rows, difference.row_count),
	.row_id = row_id,
	.row_name = row_name,
};
