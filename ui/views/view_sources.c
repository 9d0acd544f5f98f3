// SPDX-License-Identifier: GPL-2.0-only
/* Screen 0: the sources, what nettop itself costs, and what has no name. */
#include "nettop/naming_sums.h"
#include "nettop/shorten.h"
#include "ui/views/view.h"
#include "ui/views/view_snapshot.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER = 32, PANEL_LINES = 2 };

static const struct nt_source_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return of(row)->lost_growing ? NT_ROW_MARKED : 0;
}

/* What nettop states itself is no source to a person. */
static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return of(row)->id == NT_SOURCE_APP;
}

static const char *lead(const void *row)
{
	return nt_source_mark(of(row)->state);
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	struct nt_line why = { 0 };
	char number[NUMBER];
	(void)context;
	if (strcmp(column->key, "lost") == 0 && of(row)->lost_unknown) {
		struct nt_column narrower = *column;
		narrower.width--;
		nt_cell_format(&narrower, (struct nt_cell){ .known = true, .u = of(row)->lost_count }, number, sizeof(number));
		snprintf(out, size, ">%s", number);
		return true;
	}
	if (strcmp(column->key, "reason") != 0)
		return false;
	nt_line_add_safe(&why, of(row)->reason);
	nt_line_add(&why, "%s", why.used && of(row)->fix ? "; " : "");
	nt_line_add_safe(&why, of(row)->fix);
	nt_shorten_tail(why.text, room, out, size);
	return true;
}

/* What has no name, the reasons with most samples first. */
static void put_unnamed(const struct nt_process_snapshot *process, struct nt_grid *grid, int y)
{
	struct nt_naming_sums sums;
	enum nt_naming order[NT_NAMING_COUNT];
	struct nt_line line = { 0 };
	nt_naming_sum(process, NT_WINDOW_RECENT, &sums);
	if (!process->window_samples_milli) {
		nt_grid_put(grid, 0, y, grid->width, NT_STYLE_PLAIN, " UNNAMED  no samples yet");
		return;
	}
	double percent = 100e3 / (double)process->window_samples_milli;
	nt_line_add(&line, " UNNAMED %.1f%% of samples", sums.of_class[NT_NAMING_CLASS_REASON] * percent);
	size_t count = nt_naming_order(&sums, order);
	for (size_t i = 0; i < count; i++)
		nt_line_add(&line, "%s%.1f %s", i ? " · " : ": ", sums.of_naming[order[i]] * percent, nt_naming_entry(order[i])->words);
	if (sums.of_naming[NT_NAMING_BOUNDED] > 0)
		nt_line_add(&line, "   BOUNDS ONLY %.1f%%", sums.of_naming[NT_NAMING_BOUNDED] * percent);
	nt_grid_put(grid, 0, y, grid->width, NT_STYLE_PLAIN, line.text);
}

static void panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	const struct nt_snapshot *snapshot = context->snapshot;
	struct nt_line line = { 0 };
	char number[NUMBER];
	(void)row;
	nt_line_add(&line, " OWN COST%s", snapshot->self_pct.known ? "" : "  not known yet");
	if (snapshot->self_pct.known)
		nt_line_add(&line, "  nettop %.1f%%", snapshot->self_pct.v);
	if (snapshot->daemons_pct.known)
		nt_line_add(&line, "  daemons %.1f%%", snapshot->daemons_pct.v);
	if (snapshot->target_cost_pct.known)
		nt_line_add(&line, "  the target ~%.1f%% of its own", snapshot->target_cost_pct.v);
	if (snapshot->self_rss_bytes.known)
		nt_line_add(&line, "  memory %s", nt_format_bytes(snapshot->self_rss_bytes.v, number, sizeof(number)));
	nt_grid_put(grid, 0, y, grid->width, NT_STYLE_PLAIN, line.text);
	put_unnamed(context->process, grid, y + 1);
}

static const char *const compact[] = { "name", "state", "reason", NULL };

const struct nt_view nt_view_sources = {
	.action = NT_DO_VIEW_0,
	.tab = "0 Sources",
	.tab_short = "0 Src",
	.table = &nt_table_sources,
	.first_x = 3,
	.least_rest = 30,
	.compact = compact,
	.flags = flags,
	.hidden = hidden,
	.lead = lead,
	.cell = cell,
	.panel_lines = PANEL_LINES,
	.panel = panel,
};
