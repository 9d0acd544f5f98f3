// SPDX-License-Identifier: GPL-2.0-only
/* Rows for screen 5, and why there are none. */
#include "fixture.h"
#include "fixture_rows.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

/* Means of one second, as screens show them; the figures are made of them. */
static const struct type {
	const char *name;
	double mb_per_s, error_pct, loh_share, pinned_share, avg_bytes;
	const char *trend;
	const char *site;
	double site_pct;
} types[] = {
	{ "byte[]", 982, 0.3, 1, 0, 1.9 * 1024 * 1024, "22356788", "Shop.Export.CsvWriter.Grow(int)", 96 },
	{ "string", 118, 0.9, 0, 0, 48, "55555555", "Shop.Cart.ParseSku(string)", 41 },
	{ "System.Collections.Generic.Dictionary<string, Product>", 41.5, 1.6, 0, 0, 80, "12121212", NULL, 0 },
	{ "state of async Shop.Export.CsvWriter.AppendRowAsync", 20, 2.2, 0, 0, 136, "33333333",
	  "Shop.Export.CsvExport.WriteAsync(Stream) async", 99.7 },
	{ "char[]", 12, 2.9, 0.4, 0.1, 8200, "     111", "[System.Private.CoreLib.dll+0x1a2b3c]", 100 },
	{ "Shop.Cart", 0.08, 35.4, 0, 0, 24, "11111111", NULL, 0 },
	{ "Shop.Report.Line", 0, 0, 0, 0, 0, "31111111", NULL, 0 },
};
enum { TYPES = sizeof(types) / sizeof(types[0]), WINDOW_S = 7 };

static const struct nt_call_frame grow_frames[] = { { .name = "Shop.Export.CsvWriter.Grow(int)", .module = "Shop.Web" },
						    { .name = "Shop.Export.CsvWriter.AppendRow(ref Row)", .module = "Shop.Web" } };
static const struct nt_call_stack grow = { .frames = grow_frames, .count = 2 };

static struct nt_alloc_sums sums_of(const struct type *type, double seconds)
{
	double bytes = type->mb_per_s * 1024 * 1024 * seconds, error = type->error_pct / 100 * bytes;
	return (struct nt_alloc_sums){ .bytes = bytes,
				       .objects = type->avg_bytes > 0 ? bytes / type->avg_bytes : 0,
				       .large_bytes = bytes * type->loh_share,
				       .pinned_bytes = bytes * type->pinned_share,
				       .variance = error * error,
				       .samples = round(bytes / (100 * 1024)) };
}

void fixture_add_allocations(struct nt_process_snapshot *process)
{
	struct nt_alloc_sampling *sampling = &process->alloc_sampling;
	*sampling = (struct nt_alloc_sampling){ .on = true, .interval_s = 1, .window_s = WINDOW_S, .all_s = 20 };
	process->allocation_count = TYPES;
	process->allocations = nt_alloc(TYPES * sizeof(*process->allocations));
	for (size_t i = 0; i < TYPES; i++) {
		struct nt_alloc_row *row = &process->allocations[i];
		struct nt_alloc_figures *all = &sampling->figures;
		row->id = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
		row->type = types[i].name;
		row->trend = fixture_trend(types[i].trend, types[i].mb_per_s * 1024 * 1024);
		row->site = types[i].site;
		row->site_pct = (struct nt_f64){ .v = types[i].site_pct, .known = types[i].site };
		row->figures = (struct nt_alloc_figures){ sums_of(&types[i], 1), sums_of(&types[i], WINDOW_S), sums_of(&types[i], 20) };
		if (!(row->figures.all.samples > 0))
			row->figures.all = (struct nt_alloc_sums){ .bytes = 204800, .objects = 300, .samples = 2, .variance = 1e10 };
		nt_alloc_sums_add(&all->interval, &row->figures.interval, 1);
		nt_alloc_sums_add(&all->window, &row->figures.window, 1);
		nt_alloc_sums_add(&all->all, &row->figures.all, 1);
	}
	process->allocations[0].marked = true;
	process->allocations[0].allocated_from = &grow;
}

void fixture_add_allocation_sites(struct nt_process_snapshot *process)
{
	static const size_t of[] = { 0, 1, 3, 4 };
	static struct nt_alloc_row rows[sizeof(of) / sizeof(of[0])];
	process->allocation_sites = rows;
	process->allocation_site_count = sizeof(of) / sizeof(of[0]);
	for (size_t i = 0; i < process->allocation_site_count; i++) {
		rows[i] = process->allocations[of[i]];
		rows[i].id = i + 1;
		rows[i].marked = false;
		rows[i].site_pct = (struct nt_f64){ 0 };
	}
}

static struct nt_snapshot *without_samples(const struct nt_source_row *eventpipe)
{
	struct nt_snapshot *snapshot = fixture_shop();
	struct nt_process_snapshot *process = &snapshot->processes[0];
	free(process->allocations);
	process->allocations = NULL;
	process->allocation_count = process->allocation_site_count = 0;
	process->alloc_sampling = (struct nt_alloc_sampling){ 0 };
	fixture_add_source(snapshot, eventpipe);
	return snapshot;
}

struct nt_snapshot *fixture_readonly(void)
{
	static const struct nt_source_row eventpipe = { .id = NT_SOURCE_EVENTPIPE,
							.state = NT_STATE_ABSENT,
							.reason = "--readonly: an EventPipe session would change the target" };
	return without_samples(&eventpipe);
}

struct nt_snapshot *fixture_old_runtime(void)
{
	static const struct nt_source_row eventpipe = { .id = NT_SOURCE_EVENTPIPE, .state = NT_STATE_ABSENT, .reason = "no socket" };
	static const struct nt_why why = {
		"no samples of allocations: .NET 8.0.21 has none; over EventPipe it tells of one object in 100 KB instead, "
		"which favours large ones; .NET 10 and later sample",
		NULL
	};
	struct nt_snapshot *snapshot = without_samples(&eventpipe);
	snapshot->processes[0].alloc_sampling.why = why;
	fixture_add_source(snapshot,
			   &(struct nt_source_row){ .id = NT_SOURCE_ALLOCATIONS, .state = NT_STATE_ABSENT, .reason = why.reason });
	return snapshot;
}

struct nt_snapshot *fixture_ticks(void)
{
	struct nt_snapshot *snapshot = fixture_shop();
	snapshot->processes[0].alloc_sampling.by_ticks = true;
	return snapshot;
}

struct nt_snapshot *fixture_no_samples_yet(void)
{
	static const struct nt_source_row eventpipe = { .id = NT_SOURCE_EVENTPIPE, .state = NT_STATE_STARTING };
	static const struct nt_source_row allocations = { .id = NT_SOURCE_ALLOCATIONS,
							  .state = NT_STATE_UNUSED,
							  .reason = "sampled while screen 5 is open; ~13.7k events/s now" };
	struct nt_snapshot *snapshot = without_samples(&eventpipe);
	fixture_add_source(snapshot, &allocations);
	return snapshot;
}
