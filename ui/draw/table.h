/* SPDX-License-Identifier: GPL-2.0-only */
/* A table on the grid: the title row, the rows. */
#ifndef NT_UI_TABLE_H
#define NT_UI_TABLE_H

#include "ui/screen/grid.h"
#include "ui/views/placement.h"

/* As much of a scope as fits: its parts stand two blanks apart, the most important one last. Borrowed from it; "" = none of it does. */
const char *nt_table_scope(const char *scope, int room);

/* The title row: titles, an arrow after that of `sort`, `scope` at the right end as far as there is room. Returns what is free between both. */
struct nt_title_gap {
	int x, cells;
};
struct nt_title_gap nt_table_titles(const struct nt_placement *placement, const struct nt_column *sort, bool ascending, const char *scope,
				    struct nt_grid *grid, int y);

/* One row. `selected`: it has the cursor; `kept`: it is there only because it is followed. */
struct nt_table_row {
	const void *row;
	bool selected, kept;
};
void nt_table_row_draw(const struct nt_view *view, const struct nt_placement *placement, const struct nt_column_context *context,
		       const struct nt_table_row *row, struct nt_grid *grid, int y);

#endif
