// SPDX-License-Identifier: GPL-2.0-only
/* Allocations by type and by place, estimated from samples. Rates are of the time that was sampled. */
#include "nettop/alloc_figures.h"
#include "output/columns/cell.h"

static const struct nt_alloc_row *of(const void *row)
{
	return row;
}

static const struct nt_alloc_sums *sums_of(const void *row, const struct nt_column_context *context)
{
	return nt_alloc_sums_over(&of(row)->figures, context->window);
}

static struct nt_cell part_pct(double part, double whole)
{
	return whole > 0 ? nt_cell_f(100 * part / whole) : nt_cell_unknown();
}

static struct nt_cell bytes_per_s(const void *row, const struct nt_column_context *context)
{
	double seconds = nt_alloc_seconds(&context->process->alloc_sampling, context->window);
	return nt_cell_of_u64(nt_alloc_bytes_per_s(sums_of(row, context), seconds));
}

static struct nt_cell error_pct(const void *row, const struct nt_column_context *context)
{
	return nt_cell_of_f64(nt_alloc_sums_error_pct(sums_of(row, context)));
}

static struct nt_cell share_pct(const void *row, const struct nt_column_context *context)
{
	const struct nt_alloc_sums *all = nt_alloc_sums_over(&context->process->alloc_sampling.figures, context->window);
	return part_pct(sums_of(row, context)->bytes, all->bytes);
}

static struct nt_cell loh_pct(const void *row, const struct nt_column_context *context)
{
	return part_pct(sums_of(row, context)->large_bytes, sums_of(row, context)->bytes);
}

static struct nt_cell poh_pct(const void *row, const struct nt_column_context *context)
{
	return part_pct(sums_of(row, context)->pinned_bytes, sums_of(row, context)->bytes);
}

static struct nt_cell avg_bytes(const void *row, const struct nt_column_context *context)
{
	const struct nt_alloc_sums *sums = sums_of(row, context);
	return sums->objects > 0 ? nt_cell_of_u64(nt_alloc_whole(sums->bytes / sums->objects)) : nt_cell_unknown();
}

static struct nt_cell trend(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_trend(&of(row)->trend);
}

static struct nt_cell type(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->type);
}

static struct nt_cell site(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->site);
}

static struct nt_cell site_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_f64(of(row)->site_pct);
}

/* A sum over the time that was sampled. In the recent window it is weighted, and there is no time to compare that with. */
static struct nt_cell summed(double sum, const struct nt_column_context *context)
{
	const struct nt_u64 whole = nt_alloc_whole(sum);
	if (!whole.known || context->window == NT_WINDOW_RECENT)
		return nt_cell_of_u64(whole);
	const struct nt_u64 covered_ns = nt_u64_of(nt_alloc_covered_ns(&context->process->alloc_sampling, context->window));
	return nt_cell_counted(whole.v, covered_ns, nt_cell_figures(context)->lived_ns);
}

static struct nt_cell bytes(const void *row, const struct nt_column_context *context)
{
	return summed(sums_of(row, context)->bytes, context);
}

static struct nt_cell samples(const void *row, const struct nt_column_context *context)
{
	return summed(sums_of(row, context)->samples, context);
}

static const struct nt_column columns[] = {
	{ .key = "bytes_per_s",
	  .title = "B/s",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_MEMORY,
	  .help = "bytes allocated per second, while that was sampled",
	  .read = bytes_per_s },
	{ .key = "error_pct",
	  .title = "ERR%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 3,
	  .screen = true,
	  .help = "standard error of the bytes, in % of them: two times out of three they are no further off",
	  .read = error_pct },
	{ .key = "share_pct",
	  .title = "SHARE%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .help = "of all bytes allocated",
	  .read = share_pct },
	{ .key = "loh_pct",
	  .title = "LOH%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 5,
	  .screen = true,
	  .help = "of its bytes on the large object heap",
	  .read = loh_pct },
	{ .key = "avg_bytes",
	  .title = "AVG B",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 4,
	  .screen = true,
	  .help = "mean size of its objects",
	  .read = avg_bytes },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .scale = NT_SCALE_BYTES,
	  .align = NT_ALIGN_LEFT,
	  .width = NT_TREND_CELLS,
	  .drop = 1,
	  .screen = true,
	  .help = "bytes per second in the last intervals",
	  .read = trend },
	{ .key = "type",
	  .title = "TYPE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 34,
	  .ascending = true,
	  .screen = true,
	  .help = "type of the objects",
	  .read = type },
	{ .key = "site",
	  .title = "MOSTLY FROM",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .drop = 2,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that allocates most of it, and its share of the bytes since attach; blank: not said, which LTTng "
		  "never does",
	  .read = site },
	{ .key = "site_pct",
	  .title = "SITE%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "share of that method in the bytes of the type since attach",
	  .read = site_pct },
	{ .key = "bytes",
	  .title = "BYTES",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "bytes allocated while that was sampled",
	  .read = bytes },
	{ .key = "samples",
	  .title = "SAMPLES",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "objects that the runtime picked, by which all of this is estimated",
	  .read = samples },
	{ .key = "poh_pct",
	  .title = "POH%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "of its bytes on the pinned object heap",
	  .read = poh_pct },
};

static const struct nt_column site_columns[] = {
	{ .key = "bytes_per_s",
	  .title = "B/s",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_MEMORY,
	  .help = "bytes allocated per second, while that was sampled",
	  .read = bytes_per_s },
	{ .key = "error_pct",
	  .title = "ERR%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 3,
	  .screen = true,
	  .help = "standard error of the bytes, in % of them: two times out of three they are no further off",
	  .read = error_pct },
	{ .key = "share_pct",
	  .title = "SHARE%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .help = "of all bytes allocated",
	  .read = share_pct },
	{ .key = "loh_pct",
	  .title = "LOH%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 5,
	  .screen = true,
	  .help = "of the bytes on the large object heap",
	  .read = loh_pct },
	{ .key = "poh_pct",
	  .title = "POH%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 6,
	  .help = "of the bytes on the pinned object heap",
	  .read = poh_pct },
	{ .key = "avg_bytes",
	  .title = "AVG B",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 4,
	  .screen = true,
	  .help = "mean size of the objects",
	  .read = avg_bytes },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .scale = NT_SCALE_BYTES,
	  .align = NT_ALIGN_LEFT,
	  .width = NT_TREND_CELLS,
	  .drop = 1,
	  .screen = true,
	  .help = "bytes per second in the last intervals",
	  .read = trend },
	{ .key = "site",
	  .title = "ALLOCATED AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 34,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that allocates",
	  .read = site },
	{ .key = "type",
	  .title = "MOSTLY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .drop = 2,
	  .ascending = true,
	  .screen = true,
	  .help = "type of most of the bytes",
	  .read = type },
	{ .key = "bytes",
	  .title = "BYTES",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "bytes allocated while that was sampled",
	  .read = bytes },
	{ .key = "samples",
	  .title = "SAMPLES",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "objects that the runtime picked, by which all of this is estimated",
	  .read = samples },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->type;
}

static const char *site_name(const void *row)
{
	return of(row)->site ? of(row)->site : "";
}

static bool in_interval(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->figures.interval.samples > 0;
}

const struct nt_table nt_table_allocations = {
	.key = "allocations",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(allocations, allocation_count),
	.row_in_interval = in_interval,
	.row_id = row_id,
	.row_name = row_name,
};

const struct nt_table nt_table_allocation_sites = {
	.key = "allocation_sites",
	.columns = site_columns,
	.column_count = sizeof(site_columns) / sizeof(site_columns[0]),
	.rows = NT_ROWS_OF_PROCESS(allocation_sites, allocation_site_count),
	.row_in_interval = in_interval,
	.row_id = row_id,
	.row_name = site_name,
};
