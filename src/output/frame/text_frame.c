// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/text_frame.h"

#include "base/alloc.h"
#include "base/text.h"
#include "nettop/tile.h"
#include "output/frame/text_parts.h"
#include "output/frame/time_text.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

static void put_identity(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process,
			 int64_t realtime_offset_ns)
{
	const struct nt_target_info *target = &process->target;
	nt_time_print(out, snapshot->t1, realtime_offset_ns);
	fprintf(out, "  nettop %" PRIu32 " ", target->pid);
	nt_text_print(out, target->name);
	nt_text_put_runtime(out, target);
	fprintf(out, "  interval %.3fs%s\n", (double)(snapshot->t1 - snapshot->t0) / (double)NT_NS_PER_S, target->ended ? "  ENDED" : "");
}

static void put_sources(FILE *out, const struct nt_snapshot *snapshot)
{
	fputs(" SOURCES", out);
	for (size_t i = 0; i < snapshot->source_count; i++) {
		const struct nt_source_row *row = &snapshot->sources[i];
		if (row->id != NT_SOURCE_APP)
			fprintf(out, "  %s %s", nt_source_name(row->id), nt_source_state_name(row->state));
	}
	fprintf(out, "  lost %s%" PRIu64, snapshot->lost_unknown ? ">" : "", snapshot->lost_count);
	if (snapshot->self_pct.known)
		fprintf(out, "  self %.1f%%", snapshot->self_pct.v);
	if (snapshot->target_cost_pct.known)
		fprintf(out, "  cost ~%.1f%%", snapshot->target_cost_pct.v);
	fputc('\n', out);
	nt_text_put_reasons(out, snapshot);
}

/* ---- tiles ---- */

static void put_tiles(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process)
{
	const struct nt_tile_input input = { .figures = &process->interval,
					     .wide = true,
					     .whole = true,
					     .fact_cells = INT_MAX,
					     .events_lost = nt_tile_events_lost(snapshot) };
	bool marked[NT_SUBJECT_TILES] = { false };
	for (size_t i = 0; i < process->finding_count; i++)
		marked[process->findings[i].headline] = true;
	for (unsigned i = 0; i < NT_SUBJECT_TILES; i++) {
		struct nt_tile tile;
		nt_tile_make((enum nt_subject_id)i, &input, &tile);
		nt_text_put_tile(out, &tile, marked[i], "");
	}
}

/* ---- findings ---- */

static void put_findings(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->finding_count; i++) {
		fputs("! ", out);
		nt_text_print(out, process->findings[i].text);
		if (process->findings[i].lapsed_ns)
			fprintf(out, " (%.0fs ago)", (double)process->findings[i].lapsed_ns / (double)NT_NS_PER_S);
		fputc('\n', out);
	}
	if (!process->finding_count && process->quiet_since < snapshot->t1)
		nt_text_put_calm(out, process, snapshot->t1 - process->quiet_since);
}

/* ---- rows ---- */

/* With the usual columns of a table and room for `count` rows. */
static struct nt_listing new_listing(const struct nt_table *table, const struct nt_snapshot *snapshot,
				     const struct nt_process_snapshot *process, size_t count)
{
	struct nt_listing listing = { .table = table,
				      .context = { .snapshot = snapshot, .process = process, .window = NT_WINDOW_RECENT },
				      .row_count = count };
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].screen)
			nt_listing_add_column(&listing, &table->columns[i]);
	listing.rows = nt_alloc((count + 1) * sizeof(*listing.rows));
	return listing;
}

/* By the column that somebody wants instead of the usual one. False: nobody does, and nothing is written. */
static bool put_sorted(FILE *out, const struct nt_table *table, const struct nt_snapshot *snapshot,
		       const struct nt_process_snapshot *process, const struct nt_text_options *options, size_t limit)
{
	const struct nt_column *column = nt_table_sorted_by(table, options->sorts);
	size_t count;
	if (!column || column == nt_table_sorted_by(table, NULL))
		return false;
	const struct nt_column_context context = {
		.snapshot = snapshot, .process = process, .window = NT_WINDOW_RECENT, .sorts = options->sorts
	};
	const void **rows = nt_table_top(table, &context, &count);
	struct nt_listing listing = new_listing(table, snapshot, process, count < limit ? count : limit);
	if (!column->screen)
		nt_listing_add_column(&listing, column);
	for (size_t i = 0; i < listing.row_count; i++)
		listing.rows[i] = (struct nt_listing_row){ rows[i], table->row_marked && table->row_marked(rows[i]) ? '!' : ' ' };
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
	free(rows);
	return true;
}

/* What the CPU time of the window was for. */
static void put_purposes(FILE *out, const struct nt_process_snapshot *process)
{
	char text[NT_PURPOSES_BYTES];
	nt_purposes_text(process->window_purpose_pct, NT_PURPOSES_BYTES, text);
	if (*text && process->sample_kind == NT_SAMPLES_CPU)
		fprintf(out, " CPU for  %s\n", text);
}

static void put_methods(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process,
			const struct nt_text_options *options)
{
	size_t count = process->method_count < options->rows ? process->method_count : options->rows;
	const struct nt_wall_figures *wall = &process->interval.wall;
	if (process->sample_kind == NT_SAMPLES_WALL)
		fputs(" Methods by samples of wall time, managed only", out);
	if (wall->samples.known && wall->outside.known)
		fprintf(out, ": %" PRIu64 " in managed code, %" PRIu64 " waiting or in native code", wall->samples.v, wall->outside.v);
	if (process->sample_kind == NT_SAMPLES_WALL)
		fputc('\n', out);
	put_purposes(out, process);
	if (put_sorted(out, &nt_table_methods, snapshot, process, options, options->rows))
		return;
	struct nt_listing listing = new_listing(&nt_table_methods, snapshot, process, count);
	for (size_t i = 0; i < count; i++)
		listing.rows[i] = (struct nt_listing_row){ &process->methods[i], process->methods[i].marked ? '!' : ' ' };
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
}

/* Of all threads, running or waiting, but for those that wait for work. */
static void put_wall(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process, size_t limit)
{
	const struct nt_wait_figures *waits = &process->interval.waits;
	struct nt_listing listing = new_listing(&nt_table_wall, snapshot, process, process->wall_count);
	fprintf(out, " Methods by wall time of all threads%s%s\n", waits->method ? ", " : "", waits->method ? waits->method : "");
	listing.row_count = 0;
	for (size_t i = 0; i < process->wall_count && listing.row_count < limit; i++)
		if (!process->wall[i].idle)
			listing.rows[listing.row_count++] = (struct nt_listing_row){ &process->wall[i], ' ' };
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
}

static void put_allocations(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process, size_t limit)
{
	size_t count = process->allocation_count < limit ? process->allocation_count : limit;
	struct nt_listing listing = new_listing(&nt_table_allocations, snapshot, process, count);
	for (size_t i = 0; i < count; i++)
		listing.rows[i] = (struct nt_listing_row){ &process->allocations[i], process->allocations[i].marked ? '!' : ' ' };
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
}

/* All of them: they are there because somebody asked for them. */
static void put_counters(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process)
{
	struct nt_listing listing = new_listing(&nt_table_counters, snapshot, process, process->counter_count);
	for (size_t i = 0; i < process->counter_count; i++)
		listing.rows[i] = (struct nt_listing_row){ &process->counters[i], process->counters[i].ended ? '.' : ' ' };
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
}

void nt_text_frame(FILE *out, const struct nt_snapshot *snapshot, const struct nt_text_options *options)
{
	if (!snapshot->process_count || snapshot->listed_count) {
		if (options->listing)
			nt_listing_write(options->listing, out);
		return;
	}
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	if (!options->first)
		fputc('\n', out);
	put_identity(out, snapshot, process, options->realtime_offset_ns);
	put_sources(out, snapshot);
	put_tiles(out, snapshot, process);
	nt_text_put_end(out, &process->target);
	put_findings(out, snapshot, process);
	if (options->listing)
		nt_listing_write(options->listing, out);
	else if (options->wall)
		put_wall(out, snapshot, process, options->rows);
	else
		put_methods(out, snapshot, process, options);
	if (options->allocations && process->allocation_count &&
	    !put_sorted(out, &nt_table_allocations, snapshot, process, options, options->rows))
		put_allocations(out, snapshot, process, options->rows);
	if (options->counters && process->counter_count && !put_sorted(out, &nt_table_counters, snapshot, process, options, SIZE_MAX))
		put_counters(out, snapshot, process);
}
