// SPDX-License-Identifier: GPL-2.0-only
/* Waits for locks, by the place that waits. */
#include "output/columns/lock_cells.h"

static const struct nt_lock_row *of(const void *row)
{
	return row;
}

static struct nt_cell spent_ms_per_s(const void *row, const struct nt_column_context *context)
{
	struct nt_cell cell = nt_lock_cell_rate(context, of(row)->window_spent, of(row)->spent_ns, of(row)->spent_all_ns);
	cell.f /= (double)NT_NS_PER_MS;
	return cell;
}

static struct nt_cell rate_per_s(const void *row, const struct nt_column_context *context)
{
	return nt_lock_cell_rate(context, of(row)->window_per_s, of(row)->count, of(row)->count_all);
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	return nt_lock_cell_sum(context, of(row)->count, of(row)->count_all);
}

static struct nt_cell spent_ns(const void *row, const struct nt_column_context *context)
{
	return nt_lock_cell_sum(context, of(row)->spent_ns, of(row)->spent_all_ns);
}

static struct nt_cell p50_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->p50_ns);
}

static struct nt_cell p99_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->p99_ns);
}

static struct nt_cell max_ns(const void *row, const struct nt_column_context *context)
{
	const struct nt_figures *total = &context->process->total;
	return of(row)->max_ns.known ? nt_cell_counted(of(row)->max_ns.v, total->locks.covered_ns, total->lived_ns) : nt_cell_unknown();
}

static struct nt_cell waiting_count(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->waiting_count);
}

static struct nt_cell trend(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_trend(&of(row)->trend);
}

static struct nt_cell site(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->site);
}

static struct nt_cell owner_tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->owner_tid ? nt_cell_u(of(row)->owner_tid) : nt_cell_unknown();
}

static struct nt_cell held_by(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->owner_name);
}

static const struct nt_column columns[] = {
	{ .key = "spent_ms_per_s",
	  .title = "WAIT ms/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "ms that threads spent waiting here, per second",
	  .read = spent_ms_per_s },
	{ .key = "rate_per_s",
	  .title = "N/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .help = "waits that ended, per second",
	  .read = rate_per_s },
	{ .key = "count",
	  .title = "N",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "waits that ended",
	  .read = count },
	{ .key = "spent_ns",
	  .title = "WAITED ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .help = "ms that threads spent waiting here",
	  .read = spent_ns },
	{ .key = "p50_ns",
	  .title = "p50",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 2,
	  .screen = true,
	  .help = "ms of the median wait since attach",
	  .read = p50_ns },
	{ .key = "p99_ns",
	  .title = "p99",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .help = "ms that 99 % of the waits since attach did not exceed",
	  .read = p99_ns },
	{ .key = "max_ns",
	  .title = "max ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 3,
	  .screen = true,
	  .help = "ms of the longest wait since attach",
	  .read = max_ns },
	{ .key = "waiting_count",
	  .title = "NOW",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .screen = true,
	  .help = "threads that wait here now",
	  .read = waiting_count },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .scale = NT_SCALE_MS,
	  .align = NT_ALIGN_LEFT,
	  .width = NT_TREND_CELLS,
	  .drop = 1,
	  .screen = true,
	  .help = "ms spent waiting per second, in the last intervals",
	  .read = trend },
	{ .key = "site",
	  .title = "WAITED FOR AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that waits; blank: not said, which LTTng never does",
	  .read = site },
	{ .key = "owner_tid",
	  .title = "HELD BY TID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 11,
	  .help = "thread that held the lock in most of the last waits; blank: not said",
	  .read = owner_tid },
	{ .key = "held_by",
	  .title = "HELD BY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "name of the thread that held the lock in most of the last waits; blank: not said",
	  .read = held_by },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->site ? of(row)->site : "";
}

const struct nt_table nt_table_locks = {
	.key = "locks",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(locks, lock_count),
	.row_id = row_id,
	.row_name = row_name,
};
