// SPDX-License-Identifier: GPL-2.0-only
#include "ui/views/placement.h"

#include "nettop/status.h"

#include <string.h>

enum { LEAST_BESIDE_CHOSEN = 12 };

uint64_t nt_table_usual(const struct nt_table *table)
{
	uint64_t set = 0;
	for (size_t i = 0; i < table->column_count; i++)
		set |= table->columns[i].screen ? UINT64_C(1) << i : 0;
	return set;
}

size_t nt_table_columns(const struct nt_table *table, uint64_t set, const struct nt_column *columns[NT_PLACED_MAX])
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

static uint64_t without_trends(const struct nt_table *table, uint64_t set)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].unit == NT_UNIT_TREND)
			set &= ~(UINT64_C(1) << i);
	return set;
}

static void collect_set(const struct nt_view *view, uint64_t set, struct candidates *out)
{
	out->count = nt_table_columns(view->table, set, out->columns);
	for (size_t i = 0; i < out->count; i++)
		out->widths[i] = out->columns[i]->width;
}

void nt_table_place(const struct nt_view *view, uint64_t set, const struct nt_layout *layout, struct nt_placement *out)
{
	struct candidates from = { .count = 0 };
	bool compact = layout->compact && set == nt_table_usual(view->table);
	/* Between the smallest and the wide screens the last cell stays free. */
	int end = layout->compact || layout->wide ? layout->width : layout->width - 1;
	if (compact)
		collect_compact(view, &from);
	else
		collect_set(view, layout->no_sparks ? without_trends(view->table, set) : set, &from);
	int x = place(view, layout, &from, out);
	bool has_rest = !out->items[out->count - 1].column->width;
	/* Somebody may have chosen columns of which each may leave: the last one stays, and is cut. */
	if (has_rest && from.count > 1 && out->items[out->count - 1].column->drop == 1 && end - x < view->least_rest) {
		from.count--; /* the last column is the first to leave: the others have its room */
		has_rest = false;
		x = place(view, layout, &from, out);
	}
	while (out->count > 1 && end - x < (has_rest ? view->least_rest : 0) && drop_one(&from, false))
		x = place(view, layout, &from, out);
	while (out->count > 1 && end - x < (has_rest ? LEAST_BESIDE_CHOSEN : 0) && drop_one(&from, true))
		x = place(view, layout, &from, out);
	while (out->count > 1 && out->items[out->count - 1].x >= end)
		out->count--;
	struct nt_placed *last = &out->items[out->count - 1];
	if (last->x + last->width > end || has_rest || compact)
		last->width = end > last->x ? end - last->x : 0;
}
