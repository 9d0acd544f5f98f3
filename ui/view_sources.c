// SPDX-License-Identifier: GPL-2.0-only
/* Screen 0: the sources, what nettop itself costs, and what has no name. */
#include "ui/identity.h"
#include "ui/shorten.h"
#include "ui/view.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER = 32, LEAST_ROWS = 5, PANEL_LINES = 1 };

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

static int panel_height(const struct nt_layout *layout)
{
	return !layout->compact && layout->body_height - PANEL_LINES >= LEAST_ROWS ? PANEL_LINES : 0;
}

static void panel(const struct nt_column_context *context, struct nt_grid *grid, int y)
{
	const struct nt_snapshot *snapshot = context->snapshot;
	const struct nt_process_snapshot *process = context->process;
	struct nt_line line = { 0 };
	char number[NUMBER];
	double unnamed_pct = 0;
	for (size_t i = 0; i < process->method_count; i++)
		if (process->methods[i].kind == NT_CODE_UNKNOWN)
			unnamed_pct += process->methods[i].window_self_pct;
	nt_line_add(&line, " OWN COST%s", snapshot->self_pct.known ? "" : "  not known yet");
	if (snapshot->self_pct.known)
		nt_line_add(&line, "  nettop %.1f%%", snapshot->self_pct.v);
	if (snapshot->daemons_pct.known)
		nt_line_add(&line, "  daemons %.1f%%", snapshot->daemons_pct.v);
	if (snapshot->self_rss_bytes.known)
		nt_line_add(&line, "  memory %s", nt_format_bytes(snapshot->self_rss_bytes.v, number, sizeof(number)));
	if (process->method_count)
		nt_line_add(&line, "   UNNAMED %.1f%% of samples", unnamed_pct);
	nt_grid_put(grid, 0, y, grid->width, NT_STYLE_PLAIN, line.text);
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
	.panel_height = panel_height,
	.panel = panel,
};
