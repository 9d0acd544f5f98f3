// SPDX-License-Identifier: GPL-2.0-only
/* The methods that were compiled since attach: one row each. */
#include "output/columns/cell.h"

static const struct nt_jit_row *of(const void *row)
{
	return row;
}

/* Compilations are rare: the exponential window would show next to nothing, so it is "since attach", too. */
static bool interval_only(const struct nt_column_context *context)
{
	return context->window == NT_WINDOW_INTERVAL;
}

static struct nt_cell counted(uint64_t value, const struct nt_figures *figures)
{
	return nt_cell_counted(value, figures->jit.covered_ns, figures->lived_ns);
}

static struct nt_cell time_ns(const void *row, const struct nt_column_context *context)
{
	const struct nt_process_snapshot *process = context->process;
	return interval_only(context) ? counted(of(row)->time_ns, &process->interval) : counted(of(row)->time_all_ns, &process->total);
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	const struct nt_process_snapshot *process = context->process;
	return interval_only(context) ? counted(of(row)->count, &process->interval) : counted(of(row)->count_all, &process->total);
}

static struct nt_cell max_ns(const void *row, const struct nt_column_context *context)
{
	/* No compilation takes no time: of a span it is not known. */
	return of(row)->max_ns ? counted(of(row)->max_ns, &context->process->total) : nt_cell_unknown();
}

static struct nt_cell tier(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_tier_name(of(row)->tier));
}

static struct nt_cell trigger(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_jit_trigger_name(of(row)->trigger));
}

static struct nt_cell il_bytes(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->il_bytes ? nt_cell_u(of(row)->il_bytes) : nt_cell_unknown();
}

static struct nt_cell native_bytes(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->native_bytes);
}

static struct nt_cell module(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->module);
}

static struct nt_cell name(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->name);
}

static const struct nt_column columns[] = {
	{ .key = "time_ns",
	  .title = "MS",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "time spent compiling the method, all its compilations (lttng or eventpipe)",
	  .read = time_ns },
	{ .key = "count",
	  .title = "N",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .screen = true,
	  .help = "times it was compiled: once for each tier, and again for each new instance of generated code (lttng or eventpipe)",
	  .read = count },
	{ .key = "max_ns",
	  .title = "MAX ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 4,
	  .screen = true,
	  .help = "its longest compilation since attach (lttng or eventpipe)",
	  .read = max_ns },
	{ .key = "tier",
	  .title = "TIER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 5,
	  .ascending = true,
	  .screen = true,
	  .help = "tier of its newest compilation (lttng or eventpipe)",
	  .read = tier },
	{ .key = "trigger",
	  .title = "TRIGGER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 10,
	  .drop = 5,
	  .ascending = true,
	  .screen = true,
	  .help = "of the newest: foreground (a thread waits for it), background (tiered compilation), r2r reject (precompiled code not "
		  "taken)",
	  .read = trigger },
	{ .key = "il_bytes",
	  .title = "IL B",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 2,
	  .screen = true,
	  .help = "its IL; blank: the runtime does not say it of dynamic methods (lttng or eventpipe)",
	  .read = il_bytes },
	{ .key = "native_bytes",
	  .title = "NATIVE",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 1,
	  .screen = true,
	  .sort_key = NT_SORT_BY_MEMORY,
	  .help = "code made by its newest compilation (lttng or eventpipe)",
	  .read = native_bytes },
	{ .key = "module",
	  .title = "MODULE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 18,
	  .drop = 3,
	  .ascending = true,
	  .screen = true,
	  .help = "its assembly, (dynamic) for methods made at run time; blank: not known, it was loaded before, and there is neither a "
		  "perf map nor a look into the memory (.NET 9 on)",
	  .read = module },
	{ .key = "name",
	  .title = "METHOD",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "Namespace.Type.Method(arguments); dynamic methods whose names differ in a final number only are one row",
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

static bool in_interval(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->count > 0;
}

const struct nt_table nt_table_jit = {
	.key = "jit",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(jit_methods, jit_method_count),
	.row_in_interval = in_interval,
	.row_id = row_id,
	.row_name = row_name,
};
