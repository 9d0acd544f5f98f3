/* SPDX-License-Identifier: GPL-2.0-only */
/* A table on the grid: which columns fit and where, the title row, the rows. */
#ifndef NT_UI_TABLE_H
#define NT_UI_TABLE_H

#include "ui/rows/rows.h"
#include "ui/views/view.h"

enum { NT_PLACED_MAX = 24 };

struct nt_placed {
	const struct nt_column *column;
	int x, width;
	const char *title; /* in place of the column's; NULL = none */
};

struct nt_placement {
	struct nt_placed items[NT_PLACED_MAX];
	size_t count;
};

/* Columns as a set: bit i is column i of the table. Those that a table shows until somebody chooses (key C). */
uint32_t nt_table_usual(const struct nt_table *table);

/* The columns of a set in the order of the screen: as in the table, but the one that takes the rest comes last. Returns how many. */
size_t nt_table_columns(const struct nt_table *table, uint32_t set, const struct nt_column *columns[NT_PLACED_MAX]);

/*
 * Those of a set that a screen of this width has room for, from left to right. Below 60 columns the view has three of its own in place of the usual
 * set.
 */
void nt_table_place(const struct nt_view *view, uint32_t set, const struct nt_layout *layout, struct nt_placement *out);

/* The title row: titles, an arrow after that of `sort`, `scope` at the right end as far as there is room. */
void nt_table_titles(const struct nt_placement *placement, const struct nt_column *sort, bool ascending, const char *scope,
		     struct nt_grid *grid, int y);

/* One row. `selected`: it has the cursor; `kept`: it is there only because it is followed. */
struct nt_table_row {
	const void *row;
	bool selected, kept;
};
void nt_table_row_draw(const struct nt_view *view, const struct nt_placement *placement, const struct nt_column_context *context,
		       const struct nt_table_row *row, struct nt_grid *grid, int y);

#endif
