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

/* What is told of each kind, and in which unit: so much of that of the snapshot's. */
static const struct {
	const char *what;
	double of_unit;
} kinds[NT_DIFFER_KINDS] = {
	[NT_DIFFER_CPU] = { "CPU ms/s", NT_NS_PER_MS },
	[NT_DIFFER_BYTES] = { "bytes/s", 1 },
	[NT_DIFFER_OBJECTS] = { "objects/s", 1 },
	[NT_DIFFER_REQUEST_TIME] = { "ms each", NT_NS_PER_MS },
	[NT_DIFFER_REQUESTS] = { "requests/s", 1 },
	[NT_DIFFER_THROWN] = { "thrown/s", 1 },
	[NT_DIFFER_LOCK_TIME] = { "lock ms/s", NT_NS_PER_MS },
	[NT_DIFFER_COMPILED] = { "compiled/s", 1 },
	[NT_DIFFER_CPU_CALLS] = { "total ms/s", NT_NS_PER_MS },
	[NT_DIFFER_PAUSE] = { "pause ms", NT_NS_PER_MS },
	[NT_DIFFER_COLLECTIONS] = { "GCs/s", 1 },
	[NT_DIFFER_WAIT_TIME] = { "wait ms/s", NT_NS_PER_MS },
};

static struct nt_cell in_unit(const struct nt_difference_row *row, struct nt_f64 value)
{
	return value.known ? nt_cell_f(value.v / kinds[row->kind].of_unit) : nt_cell_unknown();
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
NT_CELL_OF_ROW(before, in_unit(of(row), of(row)->before))
NT_CELL_OF_ROW(after, in_unit(of(row), of(row)->after))
NT_CELL_OF_ROW(before_pct, nt_cell_of_f64(of(row)->before_pct))
NT_CELL_OF_ROW(after_pct, nt_cell_of_f64(of(row)->after_pct))
NT_CELL_OF_ROW(chance, chance_cell(of(row)->chance))
NT_CELL_OF_ROW(before_count, nt_cell_u(of(row)->before_count))
NT_CELL_OF_ROW(after_count, nt_cell_u(of(row)->after_count))
NT_CELL_OF_ROW(what, nt_cell_text(kinds[of(row)->kind].what))
NT_CELL_OF_ROW(module, nt_cell_text(of(row)->module))
NT_CELL_OF_ROW(name, nt_cell_text(of(row)->name))

static const struct nt_column columns[] = {
	{ .key = "change_pct",
	  .title = "CHANGE%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .screen = true,
	  .help = "so much more or less than there was; of CPU time and allocations, than there would be if it had changed as most methods "
		  "or "
		  "types have: with the load; blank: there was none",
	  .read = change_pct },
	{ .key = "error_pct",
	  .title = "+-%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 4,
	  .screen = true,
	  .help = "standard error of that, from how seconds of each span differ",
	  .read = error_pct },
	{ .key = "before",
	  .title = "WAS",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .help = "how much it was, in the unit of WHAT, in the span that is compared with; blank: nobody knows how often samples are "
		  "taken",
	  .read = before },
	{ .key = "after",
	  .title = "IS",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .help = "likewise, in the span that is compared",
	  .read = after },
	{ .key = "what",
	  .title = "WHAT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 10,
	  .ascending = true,
	  .screen = true,
	  .help = "what differs: a method's own CPU time; what is allocated of a type; the time of a route's requests, or how many; "
		  "exceptions; "
		  "waits for locks; methods of a module compiled; total: CPU time of a method with what it calls; how long collections of "
		  "a "
		  "generation pause on average, and how many they are; time blocked in a method, other than for work",
	  .read = what },
	{ .key = "before_pct",
	  .title = "WAS%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 1,
	  .screen = true,
	  .help = "of all CPU samples of that span, or of all bytes or objects allocated; blank: it is counted by itself",
	  .read = before_pct },
	{ .key = "after_pct",
	  .title = "IS%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 2,
	  .screen = true,
	  .help = "likewise, of the span that is compared",
	  .read = after_pct },
	{ .key = "one_in_count",
	  .title = "1 IN",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 3,
	  .screen = true,
	  .help = "of so many pairs of spans in which nothing has changed one would have a change as sure as this in any row",
	  .read = chance },
	{ .key = "before_count",
	  .title = "COUNT WAS",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 11,
	  .help = "samples, or what else was counted, in the span that is compared with",
	  .read = before_count },
	{ .key = "after_count",
	  .title = "COUNT IS",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .help = "likewise, in the span that is compared",
	  .read = after_count },
	{ .key = "module",
	  .title = "MODULE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 20,
	  .ascending = true,
	  .help = "where its code is from; blank: not known",
	  .read = module },
	{ .key = "name",
	  .title = "NAME",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "of the method, type, route with status, or module; of each sort those first that changed most, what fell behind what "
		  "grew, if "
		  "it is not clearly more",
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
