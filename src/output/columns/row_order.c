// SPDX-License-Identifier: GPL-2.0-only
/* The order of rows: one for the screen, batch text and JSON. */
#include "nettop/column.h"

#include <math.h>
#include <string.h>

static int order_of_numbers(double a, double b)
{
	return a < b ? -1 : a > b;
}

/*
 * Parts that look the same are the same: their rows keep the order of their names. Else those with a sample or two, of which there are many, would change places with
 * each one that fades, and whoever reads them could not.
 */
static double as_shown(double value, double steps)
{
	return nearbyint(value * steps);
}

static int order_of_integers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static int order_of_cells(enum nt_unit unit, struct nt_cell a, struct nt_cell b)
{
	switch (unit) {
	case NT_UNIT_TEXT:
		return strcmp(or_empty(a.text), or_empty(b.text));
	case NT_UNIT_PCT:
		return order_of_numbers(as_shown(a.f, 10), as_shown(b.f, 10));
	case NT_UNIT_PCT_WHOLE:
		return order_of_numbers(as_shown(a.f, 1), as_shown(b.f, 1));
	case NT_UNIT_PER_S:
	case NT_UNIT_REAL:
	case NT_UNIT_BAR:
		return order_of_numbers(a.f, b.f);
	case NT_UNIT_TREND:
		return 0;
	default:
		return order_of_integers(a.u, b.u);
	}
}

/* An empty text is blank on the screen, so it sorts as unknown. */
static bool is_blank(enum nt_unit unit, struct nt_cell cell)
{
	return !cell.known || (unit == NT_UNIT_TEXT && !*or_empty(cell.text));
}

static int order_by_column(const struct nt_column *column, bool ascending, const struct nt_column_context *context, const void *a,
			   const void *b)
{
	struct nt_cell cell_a = column->read(a, context), cell_b = column->read(b, context);
	bool blank_a = is_blank(column->unit, cell_a), blank_b = is_blank(column->unit, cell_b);
	if (blank_a || blank_b)
		return blank_a - blank_b;
	int order = order_of_cells(column->unit, cell_a, cell_b);
	return ascending ? order : -order;
}

int nt_row_compare(const struct nt_table *table, const struct nt_column *column, bool ascending, const struct nt_column_context *context,
		   const void *a, const void *b)
{
	if (table->row_rest && table->row_rest(a) != table->row_rest(b))
		return table->row_rest(a) ? 1 : -1;
	if (column->default_sort && table->row_marked && table->row_marked(a) != table->row_marked(b))
		return table->row_marked(a) ? -1 : 1;
	const struct nt_column *tie = nt_table_column(table, column->tie);
	int order = order_by_column(column, ascending, context, a, b);
	if (!order && tie)
		order = order_by_column(tie, ascending, context, a, b);
	if (!order)
		order = strcmp(or_empty(table->row_name(a)), or_empty(table->row_name(b)));
	return order ? order : order_of_integers(table->row_id(a), table->row_id(b));
}
