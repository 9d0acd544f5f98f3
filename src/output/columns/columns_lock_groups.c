// SPDX-License-Identifier: GPL-2.0-only
/* Waits for locks, by lock and by the thread that held it. */
#include "output/columns/lock_cells.h"

static const struct nt_lock_group_row *of(const void *row)
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

static struct nt_cell max_ns(const void *row, const struct nt_column_context *context)
{
	const struct nt_figures *total = &context->process->total;
	return of(row)->max_ns ? nt_cell_counted(of(row)->max_ns, total->locks.covered_ns, total->lived_ns) : nt_cell_unknown();
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

static struct nt_cell lock_id(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->lock_id ? nt_cell_u(of(row)->lock_id) : nt_cell_unknown();
}

static struct nt_cell type(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->type);
}

static struct nt_cell owner_tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->owner_tid ? nt_cell_u(of(row)->owner_tid) : nt_cell_unknown();
}

static struct nt_cell owner(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->owner_name);
}

static struct nt_cell owner_at(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->owner_at);
}

static struct nt_cell site(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->site);
}

static const struct nt_column lock_columns[] = {
	{ .key = "spent_ms_per_s",
	  .title = "WAIT ms/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "ms that threads spent waiting for it, per second",
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
	  .help = "ms that threads spent waiting",
	  .read = spent_ns },
	{ .key = "max_ns",
	  .title = "max ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 4,
	  .screen = true,
	  .help = "ms of the longest wait since attach",
	  .read = max_ns },
	{ .key = "waiting_count",
	  .title = "NOW",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .screen = true,
	  .help = "threads that wait now",
	  .read = waiting_count },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .scale = NT_SCALE_MS,
	  .align = NT_ALIGN_LEFT,
	  .width = NT_TREND_CELLS,
	  .drop = 2,
	  .screen = true,
	  .help = "ms spent waiting per second, in the last intervals",
	  .read = trend },
	{ .key = "lock_id",
	  .title = "LOCK",
	  .unit = NT_UNIT_HEX,
	  .align = NT_ALIGN_RIGHT,
	  .width = 14,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "the runtime's number of the lock, which another has when it is gone; blank: not said (.NET 7 and older), or not one "
		  "lock",
	  .read = lock_id },
	{ .key = "type",
	  .title = "TYPE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 20,
	  .ascending = true,
	  .screen = true,
	  .help = "type of the object that is locked, as it was seen from outside while a thread waited for it; blank: not seen (.NET 10 "
		  "only)",
	  .read = type },
	{ .key = "owner_tid",
	  .title = "HELD BY",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .help = "thread that has it, or had it in most of the last waits; blank: not said",
	  .read = owner_tid },
	{ .key = "owner",
	  .title = "OWNER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 15,
	  .drop = 3,
	  .ascending = true,
	  .screen = true,
	  .help = "name of that thread",
	  .read = owner },
	{ .key = "owner_at",
	  .title = "OWNER IS AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 28,
	  .drop = 5,
	  .ascending = true,
	  .screen = true,
	  .help = "where the thread that holds it is now: where it waits, or its hottest method, a managed one where there is one; blank: "
		  "not known, or it is gone",
	  .read = owner_at },
	{ .key = "site",
	  .title = "WAITED FOR AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that waited most for it; blank: not said, which LTTng never does",
	  .read = site },
};

static const struct nt_column owner_columns[] = {
	{ .key = "spent_ms_per_s",
	  .title = "WAIT ms/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "ms that threads spent waiting for what it held, per second",
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
	  .help = "ms that threads spent waiting",
	  .read = spent_ns },
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
	  .help = "threads that wait now",
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
	{ .key = "owner_tid",
	  .title = "TID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .help = "thread that held what others waited for; blank: of waits in which that was not said",
	  .read = owner_tid },
	{ .key = "owner",
	  .title = "OWNER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 15,
	  .ascending = true,
	  .screen = true,
	  .help = "name of that thread",
	  .read = owner },
	{ .key = "owner_at",
	  .title = "OWNER IS AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .drop = 4,
	  .ascending = true,
	  .screen = true,
	  .help = "where the thread that holds it is now: where it waits, or its hottest method, a managed one where there is one; blank: "
		  "not known, or it is gone",
	  .read = owner_at },
	{ .key = "site",
	  .title = "WAITED FOR AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method in which others waited most; blank: not said, which LTTng never does",
	  .read = site },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *lock_name(const void *row)
{
	return of(row)->type ? of(row)->type : "";
}

static const char *owner_name(const void *row)
{
	return of(row)->owner_name ? of(row)->owner_name : "";
}

const struct nt_table nt_table_lock_objects = {
	.key = "lock_objects",
	.columns = lock_columns,
	.column_count = sizeof(lock_columns) / sizeof(lock_columns[0]),
	.rows = NT_ROWS_OF_PROCESS(lock_objects, lock_object_count),
	.row_id = row_id,
	.row_name = lock_name,
};

const struct nt_table nt_table_lock_owners = {
	.key = "lock_owners",
	.columns = owner_columns,
	.column_count = sizeof(owner_columns) / sizeof(owner_columns[0]),
	.rows = NT_ROWS_OF_PROCESS(lock_owners, lock_owner_count),
	.row_id = row_id,
	.row_name = owner_name,
};
