// SPDX-License-Identifier: GPL-2.0-only
/* One span against another one (key =). */
#include "nettop/difference_text.h"
#include "nettop/shorten.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER = 32, LABEL = 10, LINES = 4 };

static const struct nt_difference_row *of(const void *row)
{
	return row;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "change_pct") == 0) {
		bool is_new = !isfinite(of(row)->change_pct);
		snprintf(out, size, is_new ? "new" : fabs(of(row)->change_pct) < 999 ? "%+.1f" : "%+.0f", of(row)->change_pct);
		return true;
	}
	/* Of a route the beginning says most. */
	bool is_route = of(row)->kind == NT_DIFFER_REQUESTS || of(row)->kind == NT_DIFFER_REQUEST_TIME;
	return strcmp(column->key, "name") == 0 && !is_route && nt_view_method_cell(of(row)->name, room, out, size);
}

/* ---- the panel ---- */

static void put(struct nt_grid *grid, int y, const char *label, enum nt_style style, const char *text)
{
	char cut[NT_LINE_BYTES];
	int room = grid->width - LABEL;
	nt_grid_put(grid, 1, y, LABEL - 1, NT_STYLE_DIM, label);
	if (room > 0)
		nt_grid_put(grid, LABEL, y, room, style, nt_shorten_tail(text, room, cut, sizeof(cut)));
}

static void put_side(const struct nt_column_context *context, const struct nt_difference_side *side, double load, const char *label,
		     struct nt_grid *grid, int y)
{
	struct nt_line line = { 0 };
	char from[NUMBER], to[NUMBER], number[NUMBER];
	nt_line_add(&line, "%s .. %s  %s", nt_view_exact_clock(context, side->t0, from, sizeof(from)),
		    nt_view_exact_clock(context, side->t1, to, sizeof(to)),
		    nt_format_duration(side->t1 - side->t0, number, sizeof(number)));
	nt_line_add(&line, ", %s samples", nt_format_whole(side->samples, number, sizeof(number)));
	if (side->other_pid)
		nt_line_add(&line, ", of process %" PRIu32, side->other_pid);
	if (side->told_ns < side->t1 - side->t0)
		nt_line_add(&line, ", told of %s", nt_format_duration(side->told_ns, number, sizeof(number)));
	if (load > 0 && fabs(load - 1) >= NT_DIFFERENCE_OTHER_LOAD)
		nt_line_add(&line, ", load x%.2f", load);
	put(grid, y, label, NT_STYLE_PLAIN, line.text);
}

static void panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	const struct nt_difference *difference = &context->process->difference;
	char text[NT_DIFFERENCE_TEXT];
	(void)row;
	if (!difference->after.t1)
		return;
	put_side(context, &difference->after, difference->load, "THIS", grid, y);
	put_side(context, &difference->before, 0, "AGAINST", grid, y + 1);
	put(grid, y + 2, "COMPARED", NT_STYLE_DIM, nt_difference_compared_text(difference, text));
	put(grid, y + 3, "CPU TIME", NT_STYLE_DIM, nt_difference_needs_text(difference, text));
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_difference *difference = &context->process->difference;
	if (!difference->after.t1) {
		out->says = "No two spans are compared here.";
		out->more =
			"m, then Up and Down, x and the arrows choose a span, = keeps it, also on the last screen of the process before "
			"(Y); the next one that = is pressed on is compared with it.";
		return;
	}
	out->reason = difference->reason;
	out->says = nt_difference_nothing_text(difference);
	if (!nt_difference_is_compared(difference))
		return;
	out->more = "Compared were the sorts of rows that COMPARED names, of which there were 20 samples, or 20 counted; the others were "
		    "not told in both "
		    "spans, or too seldom. Types allocated are told while screen 5 is open.";
}

static const char *const compact[] = { "change_pct", "what", "name", NULL };

const struct nt_view nt_view_difference = {
	.action = NT_DO_DIFFERENCE,
	.tab = "Difference",
	.tab_short = "Differ",
	.table = &nt_table_differences,
	.first_x = 1,
	.wide_gaps = true,
	.least_rest = 24,
	.compact = compact,
	.of_samples = true,
	.cell = cell,
	.panel_lines = LINES,
	.panel_stays = true,
	.panel = panel,
	.nothing = nothing,
};
