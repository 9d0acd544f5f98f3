// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/table.h"

#include "nettop/shorten.h"
#include "ui/screen/spark.h"

#include <stdio.h>
#include <string.h>

enum { CELL_BYTES = 4096, MARK_X = 0, SCOPE_GAP = 2 };

/* ---- titles ---- */

/* Percentages leave the last cell of their column to the arrow. */
static int value_room(const struct nt_placed *placed)
{
	return placed->column->unit == NT_UNIT_PCT ? placed->width - 1 : placed->width;
}

static int title_x(const struct nt_placed *placed, int title_cells, int arrow_cells, int left_end)
{
	if (placed->column->align == NT_ALIGN_LEFT)
		return placed->x;
	int end = placed->x + placed->width;
	int x = placed->column->unit == NT_UNIT_PCT ? end - 1 - title_cells : end - title_cells - arrow_cells;
	/* A title that is wider than its column begins in the gap, or goes on into the next one. */
	int least = placed->column->unit == NT_UNIT_PCT ? placed->x : left_end + 1;
	return x < least ? least : x;
}

/* Draws the titles; returns where they end. */
static int draw_titles(const struct nt_placement *placement, const struct nt_column *sort, bool ascending, struct nt_grid *grid, int y)
{
	int end = -1;
	for (size_t i = 0; i < placement->count; i++) {
		const struct nt_placed *placed = &placement->items[i];
		bool sorted = placed->column == sort;
		const char *title = placed->title ? placed->title : placed->column->title;
		int cells = nt_text_cells(title);
		int x = title_x(placed, cells, sorted, end);
		enum nt_style style = sorted ? NT_STYLE_SORT : NT_STYLE_TITLE;
		int after = nt_grid_put(grid, x, y, grid->width - x, style, title);
		if (sorted)
			after = nt_grid_put(grid, after, y, 1, style, ascending ? "↑" : "↓");
		if (cells)
			end = after;
	}
	return end;
}

const char *nt_table_scope(const char *scope, int room)
{
	while (nt_text_cells(scope) > room) {
		const char *next = strstr(scope, "  ");
		if (!next)
			return "";
		scope = next + 2;
	}
	return scope;
}

struct nt_title_gap nt_table_titles(const struct nt_placement *placement, const struct nt_column *sort, bool ascending, const char *scope,
				    struct nt_grid *grid, int y)
{
	nt_grid_fill(grid, 0, y, grid->width, NT_STYLE_TITLE, " ");
	int end = draw_titles(placement, sort, ascending, grid, y);
	const char *said = nt_table_scope(scope, grid->width - end - SCOPE_GAP);
	if (*scope && !*said)
		return (struct nt_title_gap){ 0 };
	nt_grid_put_right(grid, end, y, grid->width - end, NT_STYLE_TITLE, said);
	return (struct nt_title_gap){ .x = end, .cells = grid->width - end - nt_text_cells(said) };
}

/* ---- rows ---- */

static enum nt_style style_of(const struct nt_table_row *row, unsigned flags)
{
	if (row->selected)
		return NT_STYLE_CURSOR;
	if (row->kept)
		return NT_STYLE_DIM;
	if (flags & NT_ROW_ENDED)
		return NT_STYLE_DEAD;
	if (flags & NT_ROW_MARKED)
		return NT_STYLE_MARK;
	if (flags & NT_ROW_QUIET)
		return NT_STYLE_DIM;
	return flags & NT_ROW_FRESH ? NT_STYLE_FRESH : NT_STYLE_PLAIN;
}

static void draw_cell(const struct nt_view *view, const struct nt_placed *placed, const struct nt_column_context *context, const void *row,
		      enum nt_style style, struct nt_grid *grid, int y)
{
	char text[CELL_BYTES], cut[CELL_BYTES], spark[NT_SPARK_BYTES];
	int room = value_room(placed);
	if (room <= 0)
		return;
	if (placed->column->unit == NT_UNIT_TREND) {
		struct nt_cell cell = placed->column->read(row, context);
		snprintf(text, sizeof(text), "%s", cell.known ? nt_spark_trend(cell.trend, placed->full, spark) : "");
	} else if (!view->cell || !view->cell(placed->column, row, context, room, text, sizeof(text))) {
		/* A number loses digits where it has less room than its column, as beside the arrow: a cut number is a wrong number. */
		struct nt_column fitted = *placed->column;
		if (fitted.width > room)
			fitted.width = (uint8_t)room;
		nt_cell_format(&fitted, placed->column->read(row, context), cut, sizeof(cut));
		nt_shorten_tail(cut, room, text, sizeof(text));
	}
	if (placed->column->align == NT_ALIGN_RIGHT)
		nt_grid_put_right(grid, placed->x, y, room, style, text);
	else
		nt_grid_put(grid, placed->x, y, room, style, text);
}

void nt_table_row_draw(const struct nt_view *view, const struct nt_placement *placement, const struct nt_column_context *context,
		       const struct nt_table_row *row, struct nt_grid *grid, int y)
{
	unsigned flags = view->flags ? view->flags(row->row) : 0;
	enum nt_style style = style_of(row, flags);
	nt_grid_fill(grid, 0, y, grid->width, style, " ");
	if (flags & (NT_ROW_MARKED | NT_ROW_ENDED))
		nt_grid_put(grid, MARK_X, y, 1, style, flags & NT_ROW_MARKED ? "!" : ".");
	if (view->lead)
		nt_grid_put(grid, 1, y, 1, style, view->lead(row->row));
	for (size_t i = 0; i < placement->count; i++)
		draw_cell(view, &placement->items[i], context, row->row, style, grid, y);
}
