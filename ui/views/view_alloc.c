// SPDX-License-Identifier: GPL-2.0-only
/* Screen 5: allocations by type, sampled while it is open; view_alloc_groups.c has the other groupings. */
#include "nettop/alloc_figures.h"
#include "ui/views/view_alloc.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER = 32, WIDE = 100 };

/* So much of all bytes on the pinned object heap is said. */
static const double least_pinned = 0.005;

static const struct nt_alloc_row *of(const void *row)
{
	return row;
}

unsigned nt_view_alloc_flags(const void *row)
{
	return nt_row_flags(of(row)->marked, false, of(row)->fresh);
}

bool nt_view_alloc_hidden(const void *row, unsigned hide)
{
	(void)hide;
	return !(of(row)->figures.all.samples > 0);
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "site") == 0)
		return nt_view_share_cell(of(row)->site, of(row)->site_pct.known ? of(row)->site_pct.v : -1, room, out, size);
	return strcmp(column->key, "type") == 0 && nt_view_method_cell(of(row)->type, room, out, size);
}

const struct nt_call_stack *nt_view_alloc_stack(const struct nt_column_context *context, const void *row)
{
	(void)context;
	return of(row)->allocated_from;
}

const struct nt_why *nt_view_alloc_no_stacks(const struct nt_column_context *context)
{
	return &context->process->alloc_sampling.stack_why;
}

/* ---- the lines above ---- */

/* How much is allocated, how well that is known, and what it takes to know it. */
static void load_text(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	const struct nt_alloc_sampling *sampling = &context->process->alloc_sampling;
	const struct nt_alloc_sums *sums = nt_alloc_sums_over(&sampling->figures, context->window);
	const struct nt_u64 budget = context->process->interval.gc.gen0_budget_bytes;
	const struct nt_f64 error = nt_alloc_sums_error_pct(sums);
	const struct nt_u64 per_s = nt_alloc_bytes_per_s(sums, nt_alloc_seconds(sampling, context->window));
	char number[NUMBER];
	if (per_s.known)
		nt_line_add(out, "~%s/s", nt_format_bytes(per_s.v, number, sizeof(number)));
	if (error.known)
		nt_line_add(out, " error %.*f%%", error.v < 10 ? 1 : 0, error.v);
	nt_line_add(out, "%s%s", out->used ? "  " : "", !sampling->on ? "not sampled now" : sampling->by_ticks ? "ticks" : "sampled");
	if (wide && sampling->on)
		nt_line_add(out, " 1 per 100K");
	if (sampling->on && sampling->interval_s > 0)
		nt_line_add(out, ": %s events/s",
			    nt_format_count(sampling->figures.interval.samples / sampling->interval_s, number, sizeof(number)));
	if (sampling->on && !context->is_recorded && !(context->always & NT_WANT_ALLOC_SAMPLES))
		nt_line_add(out, ", stops when you leave");
	if (sums->bytes > 0)
		nt_line_add(out, "  LOH %.0f%%", 100 * sums->large_bytes / sums->bytes);
	if (wide && sums->pinned_bytes > least_pinned * sums->bytes)
		nt_line_add(out, "  POH %.0f%%", 100 * sums->pinned_bytes / sums->bytes);
	if (wide && budget.known)
		nt_line_add(out, "  gen0 budget %s", nt_format_bytes(budget.v, number, sizeof(number)));
}

static const char *what_it_takes(bool by_ticks, bool recorded, bool wide)
{
	if (by_ticks && recorded)
		return wide ? "no samples: who fills 100 KB stands for all of it, which favours large objects"
			    : "no samples: large objects are favoured";
	if (by_ticks)
		return wide ? "no samples before .NET 10: who fills 100 KB stands for all of it, which favours large objects"
			    : "no samples before .NET 10: large objects are favoured";
	if (recorded)
		return "";
	return wide ? "meanwhile the runtime sends no allocation ticks: other tools that collect them (gc-verbose) see none"
		    : "meanwhile other tools see no allocation ticks (gc-verbose)";
}

void nt_view_alloc_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	const struct nt_alloc_sampling *sampling = &context->process->alloc_sampling;
	bool wide = grid->width >= WIDE, marked = sampling->on && nt_view_out_of_range(context->process, NT_SUBJECT_ALLOC);
	enum nt_style style = marked ? NT_STYLE_MARK : NT_STYLE_PLAIN;
	struct nt_line load = { 0 };
	(void)row;
	if (!sampling->on && !context->process->allocation_count)
		return; /* the body says why */
	load_text(context, wide, &load);
	nt_grid_put(grid, 0, y, 1, style, marked ? "!" : " ");
	nt_grid_put(grid, 1, y, grid->width - 1, style, load.text);
	if (sampling->on)
		nt_grid_put(grid, 1, y + 1, grid->width - 1, NT_STYLE_DIM, what_it_takes(sampling->by_ticks, context->is_recorded, wide));
}

/* ---- no rows ---- */

bool nt_view_no_samples_to_be_had(const struct nt_snapshot *snapshot)
{
	return snapshot && snapshot->process_count && snapshot->processes[0].alloc_sampling.why.reason;
}

static void known_anyhow(const struct nt_process_snapshot *process, struct nt_line *out)
{
	const struct nt_figures *figures = &process->interval;
	const struct nt_alloc_sums all = { .bytes = (double)figures->gc.alloc_bytes.v };
	const struct nt_u64 per_s = nt_alloc_bytes_per_s(&all, (double)figures->gc.alloc_covered_ns.v / (double)NT_NS_PER_S);
	char number[NUMBER];
	if (!figures->gc.alloc_bytes.known || !per_s.known)
		return;
	nt_line_add(out, "%s%s/s of all types", figures->gc.alloc_estimated ? "~" : "", nt_format_bytes(per_s.v, number, sizeof(number)));
}

void nt_view_no_allocations(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_source_row *source = nt_snapshot_source(context->snapshot, NT_SOURCE_EVENTPIPE);
	const struct nt_source_row *lttng = nt_snapshot_source(context->snapshot, NT_SOURCE_LTTNG);
	const struct nt_why *why = &context->process->alloc_sampling.why;
	bool comes = source && !source->reason && (source->state == NT_STATE_DELIVERING || source->state == NT_STATE_STARTING);
	bool by_lttng = !comes && lttng && lttng->state == NT_STATE_DELIVERING && !(source && source->reason);
	if (context->process->alloc_sampling.on || (!why->reason && (comes || by_lttng))) {
		out->says = context->process->alloc_sampling.by_ticks ? "Nothing yet: the runtime tells of one object in 100 KB."
								      : "No samples yet: the runtime picks one byte of 100 K.";
		return;
	}
	out->says = "No allocations by type.";
	if (why->reason)
		out->reason = why->reason;
	else
		nt_nothing_without_eventpipe(source, out);
	known_anyhow(context->process, &out->known);
}

static const char *const compact[] = { "bytes_per_s", "share_pct", "type", NULL };

const struct nt_view nt_view_allocations = {
	.action = NT_DO_VIEW_5,
	.subject = &nt_subject_alloc,
	.table = &nt_table_allocations,
	.first_x = 1,
	.least_rest = 16,
	.compact = compact,
	.has_window = true,
	.has_totals = true,
	.demand = NT_VIEW_ALLOC_DEMAND,
	.announcement = NT_VIEW_ALLOC_ASKED,
	.needs_nothing = nt_view_no_samples_to_be_had,
	.farewell = NT_VIEW_ALLOC_LEFT,
	.flags = nt_view_alloc_flags,
	.hidden = nt_view_alloc_hidden,
	.cell = cell,
	.stack = nt_view_alloc_stack,
	.lacks = nt_view_alloc_no_stacks,
	.panel_lines = NT_VIEW_ALLOC_LINES,
	.panel = nt_view_alloc_panel,
	.nothing = nt_view_no_allocations,
};
