// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/table.h"

#include "ui/screen/shorten.h"
#include "ui/screen/spark.h"

#include <stdio.h>
#include <string.h>

enum { CELL_BYTES = 4096, MARK_X = 0, SCOPE_GAP = 2, LEAST_BESIDE_CHOSEN = 12 };

/* ---- which columns, and where ---- */

uint32_t nt_table_usual(const struct nt_table *table)
{
	uint32_t set = 0;
	for (size_t i = 0; i < table->column_count; i++)
		set |= table->columns[i].screen ? UINT32_C(1) << i : 0;
	return set;
}

size_t nt_table_columns(const struct nt_table *table, uint32_t set, const struct nt_column *columns[NT_PLACED_MAX])
{
	size_t count = 0;
	nt_assert(table->column_count <= NT_PLACED_MAX);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < table->column_count; i++) {
			bool takes_the_rest = !table->columns[i].width;
			if (set >> i & 1 && takes_the_rest == (pass == 1))
				columns[count++] = &table->columns[i];
		}
	return count;
}

/* Columns under consideration: a width of 0 has left, the last one takes the rest. */
struct candidates {
	const struct nt_column *columns[NT_PLACED_MAX];
	int widths[NT_PLACED_MAX];
	size_t count;
};

/* Cells between two neighbours. Numbers keep their distance by themselves; before the running text of the last column there are two. */
static int gap(const struct nt_view *view, const struct nt_layout *layout, const struct nt_column *left, const struct nt_column *right)
{
	if (left->align == NT_ALIGN_RIGHT && right->align == NT_ALIGN_RIGHT)
		return 1;
	if (left->align == NT_ALIGN_RIGHT && !right->width && !layout->compact)
		return 2;
	return view->wide_gaps && layout->wide ? 2 : 1;
}

/* Positions for the present widths; returns the x after the last column of a fixed width. */
static int place(const struct nt_view *view, const struct nt_layout *layout, const struct candidates *from, struct nt_placement *out)
{
	int x = view->first_x;
	const struct nt_column *left = NULL;
	out->count = 0;
	for (size_t i = 0; i < from->count; i++) {
		if (!from->widths[i] && from->columns[i]->width)
			continue;
		if (left)
			x += gap(view, layout, left, from->columns[i]);
		out->items[out->count++] = (struct nt_placed){ .column = from->columns[i], .x = x, .width = from->widths[i] };
		x += from->widths[i];
		left = from->columns[i];
	}
	return x;
}

/* Its place in the order in which columns leave; 0 = it does not. What is there only because somebody chose it leaves last of all. */
static int drop_order(const struct nt_column *column, bool chosen_too)
{
	return column->screen ? column->drop : chosen_too ? UINT8_MAX + 1 : 0;
}

/* The column that goes, or shrinks, next. */
static bool drop_one(struct candidates *from, bool chosen_too)
{
	size_t next = SIZE_MAX;
	int first = 0;
	for (size_t i = 0; i < from->count; i++) {
		int order = drop_order(from->columns[i], chosen_too);
		bool can = order && from->widths[i] && from->widths[i] > from->columns[i]->narrow;
		if (can && (next == SIZE_MAX || order < first)) {
			next = i;
			first = order;
		}
	}
	if (next == SIZE_MAX)
		return false;
	from->widths[next] = from->columns[next]->narrow;
	return true;
}

static void collect_compact(const struct nt_view *view, struct candidates *out)
{
	for (size_t i = 0; view->compact[i]; i++) {
		const struct nt_column *column = nt_table_column(view->table, view->compact[i]);
		bool is_kind = strcmp(view->compact[i], "kind") == 0;
		out->columns[out->count] = column;
		/* The first number keeps one cell less of the margin; the kind has four letters. */
		out->widths[out->count++] = is_kind ? 4 : i == 0 && column->unit == NT_UNIT_PCT ? column->width - 1 : column->width;
	}
}

static void collect_set(const struct nt_view *view, uint32_t set, struct candidates *out)
{
	out->count = nt_table_columns(view->table, set, out->columns);
	for (size_t i = 0; i < out->count; i++)
		out->widths[i] = out->columns[i]->width;
}

void nt_table_place(const struct nt_view *view, uint32_t set, const struct nt_layout *layout, struct nt_placement *out)
{
	struct candidates from = { .count = 0 };
	bool compact = layout->compact && set == nt_table_usual(view->table);
	/* Between the smallest and the wide screens the last cell stays free. */
	int end = layout->compact || layout->wide ? layout->width : layout->width - 1;
	if (compact)
		collect_compact(view, &from);
	else
		collect_set(view, set, &from);
	int x = place(view, layout, &from, out);
	bool has_rest = !out->items[out->count - 1].column->width;
	if (has_rest && out->items[out->count - 1].column->drop == 1 && end - x < view->least_rest) {
		from.count--; /* the last column is the first to leave: the others have its room */
		has_rest = false;
		x = place(view, layout, &from, out);
	}
	while (end - x < (has_rest ? view->least_rest : 0) && drop_one(&from, false))
		x = place(view, layout, &from, out);
	while (end - x < (has_rest ? LEAST_BESIDE_CHOSEN : 0) && drop_one(&from, true))
		x = place(view, layout, &from, out);
	while (out->count > 1 && out->items[out->count - 1].x >= end)
		out->count--;
	struct nt_placed *last = &out->items[out->count - 1];
	if (last->x + last->width > end || has_rest || compact)
		last->width = end > last->x ? end - last->x : 0;
}

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

void nt_table_titles(const struct nt_placement *placement, const struct nt_column *sort, bool ascending, const char *scope,
		     struct nt_grid *grid, int y)
{
	nt_grid_fill(grid, 0, y, grid->width, NT_STYLE_TITLE, " ");
	int end = draw_titles(placement, sort, ascending, grid, y);
	/* The parts of a scope stand two blanks apart, the most important one last. */
	while (nt_text_cells(scope) > grid->width - end - SCOPE_GAP) {
		const char *next = strstr(scope, "  ");
		if (!next)
			return;
		scope = next + 2;
	}
	nt_grid_put_right(grid, end, y, grid->width - end, NT_STYLE_TITLE, scope);
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
		snprintf(text, sizeof(text), "%s", cell.known ? nt_spark_trend(cell.trend, spark) : "");
	} else if (!view->cell || !view->cell(placed->column, row, context, room, text, sizeof(text))) {
		nt_cell_format(placed->column, placed->column->read(row, context), cut, sizeof(cut));
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
