// SPDX-License-Identifier: GPL-2.0-only
/* The hot methods: one row per method, self and total shares of the CPU samples. */
#include "output/columns/cell.h"

#include <math.h>

/* Fewer in the window are no trend: a single sample would be a full bar. */
#define TREND_SAMPLES 2

static const struct nt_method_row *of(const void *row)
{
	return row;
}

static struct nt_cell self_pct(const void *row, const struct nt_column_context *context)
{
	const double values[] = { of(row)->window_self_pct, of(row)->all_self_pct, of(row)->self_pct };
	return nt_cell_f(values[context->window]);
}

static struct nt_cell total_pct(const void *row, const struct nt_column_context *context)
{
	const double values[] = { of(row)->window_total_pct, of(row)->all_total_pct, of(row)->total_pct };
	if (of(row)->total_unknown)
		return nt_cell_unknown();
	/* The kernel's frames are the innermost ones: no chain lacks any. */
	return of(row)->kind == NT_CODE_KERNEL ? nt_cell_f(values[context->window]) : nt_cell_total_pct(values[context->window], context);
}

/* Samples of the exponential window are weighted: rounded to whole ones for people. */
static struct nt_cell self_samples(const void *row, const struct nt_column_context *context)
{
	const uint64_t values[] = { (uint64_t)llround(of(row)->window_self), of(row)->self_samples_all, of(row)->self_samples };
	return nt_cell_u(values[context->window]);
}

static struct nt_cell total_samples(const void *row, const struct nt_column_context *context)
{
	const uint64_t values[] = { (uint64_t)llround(of(row)->window_total), of(row)->total_samples_all, of(row)->total_samples };
	return of(row)->total_unknown ? nt_cell_unknown() : nt_cell_u(values[context->window]);
}

/* Of samples of one kind, whatever kind the shares are of; those in the window are told of that one only. */
static struct nt_cell samples_of(const struct nt_method_row *row, enum nt_sample_kind kind, bool self,
				 const struct nt_column_context *context)
{
	bool all = context->window == NT_WINDOW_ATTACH;
	const struct nt_method_weight own = { row->self_samples, row->total_samples, row->self_samples_all, row->total_samples_all, true };
	const struct nt_method_weight *weight = row->weights ? &row->weights[kind] : row->sample_kind == kind ? &own : NULL;
	if (!weight || !weight->known || (!self && row->total_unknown))
		return nt_cell_unknown();
	if (self)
		return nt_cell_u(all ? weight->self_samples_all : weight->self_samples);
	return nt_cell_u(all ? weight->total_samples_all : weight->total_samples);
}

#define SAMPLES_OF(name, kind, self)                                                                                                       \
	static struct nt_cell name(const void *row, const struct nt_column_context *context)                                               \
	{                                                                                                                                  \
		return samples_of(row, kind, self, context);                                                                               \
	}
SAMPLES_OF(cpu_self, NT_SAMPLES_CPU, true)
SAMPLES_OF(cpu_total, NT_SAMPLES_CPU, false)
SAMPLES_OF(wall_self, NT_SAMPLES_WALL, true)
SAMPLES_OF(wall_total, NT_SAMPLES_WALL, false)
SAMPLES_OF(moments_self, NT_SAMPLES_MOMENTS, true)
SAMPLES_OF(moments_total, NT_SAMPLES_MOMENTS, false)

static struct nt_cell trend(const void *row, const struct nt_column_context *context)
{
	(void)context;
	bool enough = of(row)->window_self >= TREND_SAMPLES;
	return of(row)->trend && enough ? nt_cell_trend(of(row)->trend) : nt_cell_unknown();
}

static struct nt_cell kind(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_code_kind_name(of(row)->kind));
}

static struct nt_cell tier(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_tier_name(of(row)->tier));
}

static struct nt_cell module(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->module);
}

static struct nt_cell name(const void *row, const struct nt_column_context *context)
{
	return nt_cell_text(context->raw_names && of(row)->raw_name ? of(row)->raw_name : of(row)->name);
}

static struct nt_cell raw(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->raw_name);
}

static struct nt_cell reason(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->reason);
}

static struct nt_cell naming(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_naming_entry(of(row)->naming)->key);
}

static struct nt_cell thread(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->thread);
}

static struct nt_cell caller(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->caller);
}

static const struct nt_column columns[] = {
	{ .key = "self_pct",
	  .title = "SELF%",
	  .tie = "total_pct",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_CPU,
	  .help = "share of the samples that were in the method itself: of CPU time (perf), or of wall time (--wall)",
	  .read = self_pct },
	{ .key = "total_pct",
	  .title = "TOTAL%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 3,
	  .screen = true,
	  .help = "share of the samples that were in the method or in what it called; >: at least, as call chains are cut or broken; blank "
		  "under a "
		  "restriction (x)",
	  .read = total_pct },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .scale = NT_SCALE_COUNT,
	  .align = NT_ALIGN_LEFT,
	  .width = NT_TREND_CELLS,
	  .drop = 1,
	  .screen = true,
	  .help = "samples in the method itself in the last intervals, the newest at the right; blank: none were taken, or too few for a "
		  "trend",
	  .read = trend },
	{ .key = "kind",
	  .title = "KIND",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 7,
	  .ascending = true,
	  .screen = true,
	  .help = "jit, r2r (precompiled), stub, runtime (CoreCLR's own libraries), native, kernel; unknown says why",
	  .read = kind },
	{ .key = "tier",
	  .title = "TIER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 5,
	  .drop = 4,
	  .ascending = true,
	  .screen = true,
	  .help = "tier of most of the method's samples (perf map, or the runtime's events); Enter shows all; blank: not compiled by the "
		  "JIT",
	  .read = tier },
	{ .key = "module",
	  .title = "MODULE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 22,
	  .drop = 2,
	  .narrow = 12,
	  .ascending = true,
	  .screen = true,
	  .help = "assembly or library that the code is from; blank: none is known",
	  .read = module },
	{ .key = "name",
	  .title = "METHOD",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "Namespace.Type.Method(arguments), or image and offset where no name is known, followed by the reason",
	  .read = name },
	{ .key = "self_samples",
	  .title = "SAMPLES",
	  .tie = "total_samples",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "samples in the method itself",
	  .read = self_samples },
	{ .key = "total_samples",
	  .title = "IN TOTAL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .help = "samples in the method or in what it called; blank under a restriction (x)",
	  .read = total_samples },
	{ .key = "reason",
	  .title = "REASON",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 20,
	  .ascending = true,
	  .help = "why there is no better name; blank when there is one",
	  .read = reason },
	{ .key = "raw",
	  .title = "RAW NAME",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 40,
	  .ascending = true,
	  .help = "the name as the runtime or the image wrote it; blank when it came from an event, or is the method's name as it is",
	  .read = raw },
	{ .key = "naming",
	  .title = "NAMING",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 14,
	  .ascending = true,
	  .help = "named, stub, bounded (exact bounds of the function, but no name), or the kind of the reason",
	  .read = naming },
	{ .key = "thread",
	  .title = "THREAD",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 15,
	  .ascending = true,
	  .help = "of code that has its bounds only: the thread in which most of its samples were",
	  .read = thread },
	{ .key = "caller",
	  .title = "CALLER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .help = "of code that has its bounds only: the nearest managed method above most of its samples",
	  .read = caller },
	{ .key = "cpu_self",
	  .title = "CPU SELF",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .help = "samples of CPU time in the method itself, in the interval or since attach, whatever the shares are of; blank: none have "
		  "come",
	  .read = cpu_self },
	{ .key = "cpu_total",
	  .title = "CPU TOTAL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "likewise, in the method or in what it called",
	  .read = cpu_total },
	{ .key = "wall_self",
	  .title = "WALL SELF",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "the runtime's own samples of wall time (--wall) in the method itself, in the interval or since attach, whatever the "
		  "shares are of; blank: none have come",
	  .read = wall_self },
	{ .key = "wall_total",
	  .title = "WALL TOTAL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .help = "likewise, in the method or in what it called",
	  .read = wall_total },
	{ .key = "moments_self",
	  .title = "EVT SELF",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .help = "events that were asked for (nettop stacks -e) in the method itself, in the interval or since attach, whatever the "
		  "shares are of; blank: none have come",
	  .read = moments_self },
	{ .key = "moments_total",
	  .title = "EVT TOTAL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "likewise, in the method or in what it called",
	  .read = moments_total },
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
	bool any = of(row)->total_samples;
	for (size_t kind = 0; of(row)->weights && kind < NT_SAMPLE_KINDS; kind++)
		any |= of(row)->weights[kind].total_samples > 0;
	return any;
}

const struct nt_table nt_table_methods = {
	.key = "methods",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(methods, method_count),
	.row_in_interval = in_interval,
	.row_id = row_id,
	.row_name = row_name,
};
