// SPDX-License-Identifier: GPL-2.0-only
/* Compilations by what they have in common: module, namespace, tier, trigger. The same columns, but for the name of the last one. */
#include "output/columns/cell.h"

static const struct nt_jit_group_row *of(const void *row)
{
	return row;
}

static bool interval_only(const struct nt_column_context *context)
{
	return context->window == NT_WINDOW_INTERVAL;
}

static const struct nt_jit_sums *sums(const void *row, const struct nt_column_context *context)
{
	return interval_only(context) ? &of(row)->now : &of(row)->all;
}

static struct nt_cell counted(uint64_t value, const struct nt_column_context *context)
{
	const struct nt_figures *figures = interval_only(context) ? &context->process->interval : &context->process->total;
	return nt_cell_counted(value, figures->jit.covered_ns, figures->lived_ns);
}

static struct nt_cell time_ns(const void *row, const struct nt_column_context *context)
{
	return counted(sums(row, context)->time_ns, context);
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	return counted(sums(row, context)->count, context);
}

/* It becomes known some time after the end of a compilation: not of an interval. */
static struct nt_cell cpu_ns(const void *row, const struct nt_column_context *context)
{
	const struct nt_jit_sums *all = &of(row)->all;
	return !interval_only(context) && all->cpu_count && all->cpu_count == all->count ? counted(all->cpu_ns, context)
											 : nt_cell_unknown();
}

static struct nt_cell il_bytes(const void *row, const struct nt_column_context *context)
{
	uint64_t bytes = sums(row, context)->il_bytes;
	return bytes || !sums(row, context)->count ? counted(bytes, context) : nt_cell_unknown();
}

static struct nt_cell native_bytes(const void *row, const struct nt_column_context *context)
{
	return counted(sums(row, context)->native_bytes, context);
}

static struct nt_cell name(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->name);
}

/* clang-format off */
#define COLUMNS(title_, help_)                                                                                                             \
	{ .key = "time_ns",                                                                                                                \
	  .title = "MS",                                                                                                                   \
	  .unit = NT_UNIT_NS_AS_MS,                                                                                                        \
	  .align = NT_ALIGN_RIGHT,                                                                                                         \
	  .width = 8,                                                                                                                      \
	  .default_sort = true,                                                                                                            \
	  .screen = true,                                                                                                                  \
	  .sort_key = NT_SORT_BY_TIME,                                                                                                     \
	  .help = "time spent compiling, by the clock; one compilation within another counts in both (lttng or eventpipe)",                \
	  .read = time_ns },                                                                                                               \
	{ .key = "count",                                                                                                                  \
	  .title = "N",                                                                                                                    \
	  .unit = NT_UNIT_COUNT,                                                                                                           \
	  .align = NT_ALIGN_RIGHT,                                                                                                         \
	  .width = 6,                                                                                                                      \
	  .screen = true,                                                                                                                  \
	  .help = "compilations (lttng or eventpipe)",                                                                                     \
	  .read = count },                                                                                                                 \
	{ .key = "cpu_ns",                                                                                                                 \
	  .title = "CPU ms",                                                                                                               \
	  .unit = NT_UNIT_NS_AS_MS,                                                                                                        \
	  .align = NT_ALIGN_RIGHT,                                                                                                         \
	  .width = 8,                                                                                                                      \
	  .help = "CPU time that they took, since attach; blank where it is not known of each: only nettop jit asks for it (perf)",       \
	  .read = cpu_ns },                                                                                                                \
	{ .key = "il_bytes",                                                                                                               \
	  .title = "IL B",                                                                                                                 \
	  .unit = NT_UNIT_BYTES,                                                                                                           \
	  .align = NT_ALIGN_RIGHT,                                                                                                         \
	  .width = 6,                                                                                                                      \
	  .screen = true,                                                                                                                  \
	  .help = "their IL; blank: the runtime does not say it of dynamic methods (lttng or eventpipe)",                                  \
	  .read = il_bytes },                                                                                                              \
	{ .key = "native_bytes",                                                                                                           \
	  .title = "NATIVE",                                                                                                               \
	  .unit = NT_UNIT_BYTES,                                                                                                           \
	  .align = NT_ALIGN_RIGHT,                                                                                                         \
	  .width = 6,                                                                                                                      \
	  .screen = true,                                                                                                                  \
	  .sort_key = NT_SORT_BY_MEMORY,                                                                                                   \
	  .help = "code that they made (lttng or eventpipe)",                                                                              \
	  .read = native_bytes },                                                                                                          \
	{ .key = "name",                                                                                                                   \
	  .title = title_,                                                                                                                 \
	  .unit = NT_UNIT_TEXT,                                                                                                            \
	  .align = NT_ALIGN_LEFT,                                                                                                          \
	  .ascending = true,                                                                                                               \
	  .screen = true,                                                                                                                  \
	  .help = help_,                                                                                                                   \
	  .read = name }
/* clang-format on */

static const struct nt_column by_module[] = { COLUMNS(
	"MODULE", "assembly of the methods, (dynamic) for those made at run time; null: not known, as in the rows of methods") };
static const struct nt_column by_namespace[] = { COLUMNS(
	"NAMESPACE", "namespace of the methods' types, (global) for types in none, (dynamic) for methods made at run time") };
static const struct nt_column by_tier[] = { COLUMNS("TIER", "tier of the code that was made: tier0 instr inst1 osr tier1 opt minopt") };
static const struct nt_column by_trigger[] = { COLUMNS(
	"TRIGGER", "foreground (a thread waits for it), background (tiered compilation), r2r reject (precompiled code not taken)") };
enum { COLUMN_COUNT = sizeof(by_module) / sizeof(by_module[0]) };

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->name ? of(row)->name : "";
}

static bool in_interval(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->now.count > 0;
}

#define TABLE(key_, columns_, grouping_)                                                                                                   \
	{                                                                                                                                  \
		.key = key_, .columns = columns_, .column_count = COLUMN_COUNT,                                                            \
		.rows = NT_ROWS_OF_PROCESS(jit_groups[grouping_], jit_group_count[grouping_]), .row_in_interval = in_interval,             \
		.row_id = row_id, .row_name = row_name                                                                                     \
	}

const struct nt_table nt_table_jit_modules = TABLE("jit_modules", by_module, NT_JIT_BY_MODULE);
const struct nt_table nt_table_jit_namespaces = TABLE("jit_namespaces", by_namespace, NT_JIT_BY_NAMESPACE);
const struct nt_table nt_table_jit_tiers = TABLE("jit_tiers", by_tier, NT_JIT_BY_TIER);
const struct nt_table nt_table_jit_triggers = TABLE("jit_triggers", by_trigger, NT_JIT_BY_TRIGGER);
