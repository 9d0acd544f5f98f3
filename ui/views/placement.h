/* SPDX-License-Identifier: GPL-2.0-only */
/* Which columns of a view fit on a screen, and where they are. */
#ifndef NT_UI_PLACEMENT_H
#define NT_UI_PLACEMENT_H

#include "ui/views/view.h"

enum { NT_PLACED_MAX = 64 };

struct nt_placed {
	const struct nt_column *column;
	int x, width;
	const char *title; /* in place of the column's; NULL = none */
	double full;       /* of a trend: what a full cell is in all rows; 0 = each has its own */
};

struct nt_placement {
	struct nt_placed items[NT_PLACED_MAX];
	size_t count;
};

/* Columns as a set: bit i is column i of the table. Those that a table shows until somebody chooses (key C). */
uint64_t nt_table_usual(const struct nt_table *table);

/* The columns of a set in the order of the screen: as in the table, but the one that takes the rest comes last. Returns how many. */
size_t nt_table_columns(const struct nt_table *table, uint64_t set, const struct nt_column *columns[NT_PLACED_MAX]);

/*
 * Those of a set that a screen of this width has room for, from left to right. Below 60 columns the view has three of its own in place of the usual
 * set.
 */
void nt_table_place(const struct nt_view *view, uint64_t set, const struct nt_layout *layout, struct nt_placement *out);

#endif
