// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/text_frame.h"

#include "base/alloc.h"
#include "base/text.h"
#include "nettop/tile.h"
#include "output/frame/time_text.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32 };

static void put_identity(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process,
			 int64_t realtime_offset_ns)
{
	const struct nt_target_info *target = &process->target;
	char number[NUMBER];
	nt_time_print(out, snapshot->t1, realtime_offset_ns);
	fprintf(out, "  nettop %" PRIu32 " ", target->pid);
	nt_text_print(out, target->name);
	if (target->kind == NT_DEPLOYED_NATIVE_AOT)
		fputs("  Native AOT", out);
	if (target->runtime)
		fprintf(out, "  .NET %s", target->runtime);
	if (target->server_gc.known)
		fputs(target->server_gc.v ? "  server GC" : "  workstation GC", out);
	if (target->cpu_count.known)
		fprintf(out, "  %" PRIu64 " CPUs", target->cpu_count.v);
	if (target->uptime_ns.known)
		fprintf(out, "  up %s", nt_format_duration(target->uptime_ns.v, number, sizeof(number)));
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
	for (size_t i = 0; i < snapshot->source_count; i++) {
		const struct nt_source_row *row = &snapshot->sources[i];
		if (!row->reason || row->state == NT_STATE_UNUSED)
			continue;
		fprintf(out, " %-8s", nt_source_name(row->id));
		nt_text_print(out, row->reason);
		if (row->fix) {
			fputs("; fix: ", out);
			nt_text_print(out, row->fix);
		}
		fputc('\n', out);
	}
}

/* ---- tiles: mark, label, headline right-aligned, facts; or why nothing is known ---- */

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
		const char *rest = *tile.reason ? tile.reason : tile.facts;
		fprintf(out, "%c%-5s %9s%s%s\n", marked[i] ? '!' : ' ', tile.label, tile.headline, *rest ? "  " : "", rest);
	}
}

/* ---- findings ---- */

static void put_list(FILE *out, const char *label, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? ", " : label, names[i]);
	fputs(count ? "." : "", out);
}

static void put_calm(FILE *out, const struct nt_process_snapshot *process, const char *duration)
{
	if (!(process->checked_count + process->unchecked_count))
		return; /* nobody has looked */
	fprintf(out, " No threshold crossed for %s.", duration);
	put_list(out, " Not known: ", process->unchecked, process->unchecked_count);
	put_list(out, " Checked: ", process->checked, process->checked_count);
	fputc('\n', out);
}

/* Of what the program died, in its runtime's words. */
static void put_end(FILE *out, const struct nt_target_info *target)
{
	const struct nt_target_end *end = &target->end;
	if (!target->ended || !target->end_text)
		return;
	fprintf(out, "! Target ended: %s", target->end_text);
	if (nt_end_is_told(end)) {
		fputs(nt_end_by_exception(end) ? ". Unhandled " : ". ", out);
		nt_text_print(out, nt_end_subject(end));
	}
	if (end->message) {
		fputs(": ", out);
		nt_text_print(out, end->message);
	}
	if (end->reason && nt_end_is_told(end))
		fprintf(out, " (%s)", end->reason);
	else if (end->reason)
		fprintf(out, ". Exception: %s", end->reason);
	fputc('\n', out);
	size_t length;
	for (const char *rest = end->stack, *line; nt_text_next_line(&rest, &line, &length);) {
		char *one = nt_text_escaped(line, length);
		fprintf(out, "    %s\n", one);
		free(one);
	}
}

static void put_findings(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process)
{
	char quiet[NUMBER];
	for (size_t i = 0; i < process->finding_count; i++) {
		fputs("! ", out);
		nt_text_print(out, process->findings[i].text);
		if (process->findings[i].lapsed_ns)
			fprintf(out, " (%.0fs ago)", (double)process->findings[i].lapsed_ns / (double)NT_NS_PER_S);
		fputc('\n', out);
	}
	if (!process->finding_count && process->quiet_since < snapshot->t1)
		put_calm(out, process, nt_format_duration(snapshot->t1 - process->quiet_since, quiet, sizeof(quiet)));
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

static void put_methods(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process, size_t limit)
{
	size_t count = process->method_count < limit ? process->method_count : limit;
	const struct nt_wall_figures *wall = &process->interval.wall;
	if (process->sample_kind == NT_SAMPLES_WALL)
		fputs(" Methods by samples of wall time, managed only", out);
	if (wall->samples.known && wall->outside.known)
		fprintf(out, ": %" PRIu64 " in managed code, %" PRIu64 " waiting or in native code", wall->samples.v, wall->outside.v);
	if (process->sample_kind == NT_SAMPLES_WALL)
		fputc('\n', out);
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
	if (!snapshot->process_count) {
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
	put_end(out, &process->target);
	put_findings(out, snapshot, process);
	if (options->listing)
		nt_listing_write(options->listing, out);
	else if (options->wall)
		put_wall(out, snapshot, process, options->rows);
	else
		put_methods(out, snapshot, process, options->rows);
	if (options->allocations && process->allocation_count)
		put_allocations(out, snapshot, process, options->rows);
	if (options->counters && process->counter_count)
		put_counters(out, snapshot, process);
}
