// SPDX-License-Identifier: GPL-2.0-only
#include "base/alloc.h"
#include "base/text.h"
#include "nettop/listing.h"
#include "nettop/gc_settings.h"
#include "nettop/memory_part.h"
#include "nettop/tile.h"
#include "output/frame/text_parts.h"
#include "output/report/report_parts.h"
#include "output/threads/threads_write.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32, SPAN = 48, SPAN_CELLS = 10 };

/* ---- tiles ---- */

/* Of the runtime's events, in all the time. */
static bool has_lost_events(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *carrier = nt_snapshot_source(snapshot, nt_snapshot_carrier(snapshot));
	return carrier && (carrier->lost_count || carrier->lost_unknown);
}

static struct nt_tile_input input_of(const struct nt_figures *figures, bool events_lost)
{
	return (struct nt_tile_input){ .figures = figures, .wide = true, .whole = true, .fact_cells = INT_MAX, .events_lost = events_lost };
}

void nt_report_put_tiles(FILE *out, const struct nt_report *report)
{
	const struct nt_process_snapshot *process = nt_report_process(report);
	const struct nt_snapshot *last = report->last;
	const struct nt_tile_input all = input_of(report->is_span ? &process->interval : &process->total, has_lost_events(report->whole)),
				   newest = input_of(&last->processes[0].interval, nt_tile_events_lost(last));
	char number[NUMBER], last_word[SPAN], span[2 * SPAN];
	snprintf(last_word, sizeof(last_word), "last %s", nt_format_duration(last->t1 - last->t0, number, sizeof(number)));
	bool marked[NT_SUBJECT_TILES] = { false };
	for (size_t i = 0; i < process->finding_count; i++)
		marked[process->findings[i].headline] = true;
	for (enum nt_subject_id id = 0; id < NT_SUBJECT_TILES; id++) {
		struct nt_tile tiles[2];
		nt_tile_make(id, &all, &tiles[0]);
		nt_tile_make(id, &newest, &tiles[1]);
		bool of_last = !report->is_span && (*tiles[0].reason || (!*tiles[0].headline && *tiles[1].headline));
		const struct nt_tile *tile = &tiles[of_last];
		const char *of = of_last ? last_word : report->is_span ? "span" : "all";
		snprintf(span, sizeof(span), " %-*s", SPAN_CELLS, *tile->reason ? "" : of);
		nt_text_put_tile(out, tile, marked[id], span);
	}
}

void nt_report_put_memory(FILE *out, const struct nt_report *report)
{
	const struct nt_figures *figures = &report->last->processes[0].interval;
	struct nt_memory_part parts[NT_MEMORY_PARTS];
	char text[NT_MEMORY_PART_BYTES];
	nt_memory_parts(figures, parts);
	for (size_t i = 0; i < NT_MEMORY_PARTS && figures->memory.rss_bytes.known; i++)
		if (parts[i].bytes.known)
			fprintf(out, " %s  %s\n", nt_memory_part_text(&parts[i], text), parts[i].meaning);
}

void nt_report_put_gc_settings(FILE *out, const struct nt_report *report)
{
	const struct nt_process_snapshot *process = &report->last->processes[0];
	struct nt_gc_setting_row rows[NT_GC_SETTING_COUNT];
	struct nt_gc_oddity oddities[NT_GC_ODDITIES];
	char value[NUMBER];
	size_t count = nt_gc_oddities(process, oddities);
	nt_gc_setting_rows(process, rows);
	for (size_t i = 0; i < NT_GC_SETTING_COUNT; i++)
		if (rows[i].value.known)
			fprintf(out, " %-17s%10s  %-14s%s\n", rows[i].title, nt_gc_setting_value(&rows[i], value, sizeof(value)),
				nt_gc_origin_name(rows[i].origin), rows[i].help);
	for (size_t i = 0; i < count; i++)
		fprintf(out, " ! %s\n", oddities[i].text);
}

/* ---- tables ---- */

/* With the usual columns of a table, and those of its rows that the report has; `rows` is the listing's. */
static struct nt_listing new_listing(const struct nt_table *table, const struct nt_column_context *context, struct nt_listing_row *rows,
				     size_t count)
{
	struct nt_listing listing = { .table = table, .context = *context, .rows = rows, .row_count = count, .fitted = true };
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].screen)
			nt_listing_add_column(&listing, &table->columns[i]);
	return listing;
}

/* The first `limit` of *count rows; those of threads that wait for work are left out, and not counted. */
static struct nt_listing_row *first_rows(const struct nt_table *table, const void *const *rows, size_t limit, size_t *count, size_t *shown)
{
	struct nt_listing_row *listed = nt_realloc(NULL, *count, sizeof(*listed));
	size_t found = 0;
	for (size_t i = 0; i < *count; i++) {
		if (table->row_idle && table->row_idle(rows[i]))
			continue;
		bool marked = table->row_marked && table->row_marked(rows[i]);
		listed[found++] = (struct nt_listing_row){ rows[i], marked ? '!' : ' ' };
	}
	*count = found;
	*shown = found < limit ? found : limit;
	return listed;
}

void nt_report_put_table(FILE *out, const struct nt_report *report, const struct nt_table *table, size_t *count, size_t *shown)
{
	const struct nt_column_context context = { .snapshot = report->whole,
						   .process = nt_report_process(report),
						   .window = report->is_span ? NT_WINDOW_INTERVAL : NT_WINDOW_ATTACH,
						   .is_span = report->is_span };
	const void **rows = nt_table_top(table, &context, count);
	struct nt_listing_row *listed = first_rows(table, rows, report->rows, count, shown);
	struct nt_listing listing = new_listing(table, &context, listed, *shown);
	if (*shown)
		nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
	free(rows);
}

/* ---- threads ---- */

static bool has_looks(const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (process->threads[i].looked_at)
			return true;
	return false;
}

/* Behind what it is about, to the end of the line. */
static void put_why(FILE *out, const struct nt_why *why)
{
	fputs(": ", out);
	nt_text_print(out, why->reason);
	if (why->fix) {
		fputs("; fix: ", out);
		nt_text_print(out, why->fix);
	}
	fputc('\n', out);
}

void nt_report_put_threads(FILE *out, const struct nt_report *report)
{
	const struct nt_process_snapshot *process = &report->last->processes[0];
	const struct nt_why *why = &process->interval.waits.why;
	if (has_looks(process)) {
		nt_threads_write_groups(out, process);
	} else if (why->reason) {
		fputs(report->is_span && !process->thread_count ? " not told" : " nobody looks at the threads", out);
		put_why(out, why);
	} else {
		fputs(" nobody has looked at them yet\n", out);
	}
}

/* ---- sources ---- */

static const struct nt_why *why_of(const struct nt_figures *figures, size_t subject)
{
	static const struct nt_why none = { 0 };
	size_t offset = nt_subjects[subject]->why;
	return offset ? (const struct nt_why *)((const char *)figures + offset) : &none;
}

static bool is_same(const struct nt_why *a, const struct nt_why *b)
{
	return a->reason && b->reason && strcmp(a->reason, b->reason) == 0;
}

/* What keeps subjects from being known, each reason once with all subjects that have it. */
static void put_untold(FILE *out, const struct nt_figures *figures)
{
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++) {
		const struct nt_why *why = why_of(figures, s);
		size_t first = 0;
		while (first < s && !is_same(why_of(figures, first), why))
			first++;
		if (!why->reason || first < s)
			continue;
		fprintf(out, " %s", nt_subjects[s]->name);
		for (size_t next = s + 1; next < NT_SUBJECT_COUNT; next++)
			if (is_same(why_of(figures, next), why))
				fprintf(out, ", %s", nt_subjects[next]->name);
		put_why(out, why);
	}
}

void nt_report_put_sources(FILE *out, const struct nt_report *report)
{
	const struct nt_snapshot *last = report->last;
	const struct nt_column_context context = { .snapshot = last, .process = &last->processes[0], .window = NT_WINDOW_ATTACH };
	size_t count, shown;
	const void **rows = nt_table_top(&nt_table_sources, &context, &count);
	struct nt_listing_row *listed = first_rows(&nt_table_sources, rows, SIZE_MAX, &count, &shown);
	struct nt_listing listing = new_listing(&nt_table_sources, &context, listed, shown);
	/* Sentences stand below, whole, and with what to do. */
	if (listing.column_count && listing.columns[listing.column_count - 1] == nt_table_column(&nt_table_sources, "reason"))
		listing.column_count--;
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
	free(rows);
	nt_text_put_reasons(out, last);
	put_untold(out, &last->processes[0].interval);
}

/* ---- settings, loss ---- */

void nt_report_put_settings(FILE *out, const struct nt_report *report)
{
	nt_jit_write_settings(report->started_with, " settings", out);
	if (!report->started_with->setting_count && report->started_with->settings_known)
		fputs(" No DOTNET_ variables.\n", out);
}

static void put_pct(FILE *out, const char *what, const char *about, struct nt_f64 pct)
{
	if (pct.known)
		fprintf(out, " %s: %s%.1f%%\n", what, about, pct.v);
}

void nt_report_put_loss(FILE *out, const struct nt_report *report)
{
	const struct nt_snapshot *whole = report->whole;
	fprintf(out, " lost %s%" PRIu64 " events%s\n", nt_bound(whole->lost_unknown), whole->lost_count,
		report->is_span                    ? " from attach to the end of the span"
		: whole->final && !whole->complete ? "; what came last was not all read"
						   : "");
	if (report->is_span)
		return;
	put_pct(out, "nettop itself, of a CPU", "", whole->self_total_pct);
	put_pct(out, "daemons that it uses, of a CPU", "", whole->daemons_total_pct);
	put_pct(out, "what watching cost the process, of its CPU time", "~", whole->target_cost_total_pct);
}
