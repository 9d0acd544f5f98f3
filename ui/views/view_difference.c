// SPDX-License-Identifier: GPL-2.0-only
/* One span against another one (key =). */
#include "nettop/shorten.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER = 32, LABEL = 10, LINES = 3 };

/* Load that differs by less is the same. */
#define OTHER_LOAD 0.05

/* What is told of in most cases without more samples: as long as the spans are, or hardly longer. */
#define AS_LONG 1.05

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
	return strcmp(column->key, "name") == 0 && nt_view_method_cell(of(row)->name, room, out, size);
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
	if (side->told_ns < side->t1 - side->t0)
		nt_line_add(&line, ", told of %s", nt_format_duration(side->told_ns, number, sizeof(number)));
	if (load > 0 && fabs(load - 1) >= OTHER_LOAD)
		nt_line_add(&line, ", load x%.2f", load);
	put(grid, y, label, NT_STYLE_PLAIN, line.text);
}

/* 43 methods by own CPU time; +20% in one of 10% needs spans 3.2 times as long */
static void compared_text(const struct nt_difference *difference, struct nt_line *line)
{
	char number[NUMBER];
	nt_line_add(line, "%s methods by own CPU time", nt_format_whole(difference->method_count, number, sizeof(number)));
	if (!difference->needs.known)
		return;
	nt_line_add(line, "; +20%% in one of 10%% ");
	if (difference->needs.v > AS_LONG)
		nt_line_add(line, "needs spans %.1f times as long", difference->needs.v);
	else
		nt_line_add(line, "is told in most cases");
}

static void panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	const struct nt_difference *difference = &context->process->difference;
	struct nt_line line = { 0 };
	(void)row;
	if (!difference->after.t1)
		return;
	put_side(context, &difference->after, difference->load, "THIS", grid, y);
	put_side(context, &difference->before, 0, "AGAINST", grid, y + 1);
	compared_text(difference, &line);
	put(grid, y + 2, "COMPARED", NT_STYLE_DIM, line.text);
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_difference *difference = &context->process->difference;
	if (!difference->after.t1) {
		out->says = "No two spans are compared here.";
		out->more = "m, then Up and Down, x and the arrows choose a span, = keeps it; the next one that = is pressed on is "
			    "compared with it.";
		return;
	}
	out->reason = difference->reason;
	if (difference->reason) {
		out->says = "Nothing could be compared.";
		return;
	}
	out->says = "Nothing changed beyond noise.";
	out->more = "Compared was the CPU time of methods with 20 samples or more, their own code alone; not what they call, allocations "
		    "by type, requests by route.";
}

static const char *const compact[] = { "change_pct", "after_pct", "name", NULL };

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
