/* SPDX-License-Identifier: GPL-2.0-only */
/* Room ui/rows: rows of tables: order, filter, parts of them, counted from a zero. */
/*
 * The rows of a screen in the order in which they are shown. Rows are known by id; the pointers hold as long as the snapshot they came from.
 *
 * Figures jitter from interval to interval. So that rows do not jump, a row is ordered by the figure it had when it was last moved, which follows
 * the true one only when that differs by more than 5 %, or a percentage by more than 0.2 points.
 */
#ifndef NT_UI_ROWS_H
#define NT_UI_ROWS_H

#include <stdbool.h>

#include "ui/rows/filter.h"

struct nt_row_ref {
	const void *row;
	uint64_t id;
	double key;                  /* the figure it is ordered by */
	double tie;                  /* that by which it is ordered among those whose key looks the same; 0 = none */
	double shown_key, shown_tie; /* as they look; 0 = there is no tie */
	const char *name;            /* of figures only: what orders rows of the same ones */
	bool known;                  /* false: it has no figure, and comes last */
	bool marked;                 /* it comes before those that are not */
	bool matches;                /* the filter; of a tree those that do not are here all the same */
	bool kept;                   /* only here because it is followed: shown dim */
	size_t place;                /* where it was; SIZE_MAX = it is new */
};

struct nt_ui_rows {
	struct nt_row_ref *refs; /* owned */
	size_t count, capacity;
	size_t all_count; /* before the filter */
};

/* What to show, and how. */
struct nt_row_query {
	const struct nt_table *table;
	const struct nt_column_context *context;
	const struct nt_column *sort; /* NULL: the table's own order */
	const struct nt_column *tie;  /* its own, found by nt_ui_rows_update() */
	bool ascending;
	const struct nt_filter *filter;
	bool (*hidden)(const void *row, unsigned hide); /* NULL: none is; hidden ones do not count */
	unsigned hide;
	bool follow;
	uint64_t followed; /* id */
	bool still;        /* keep the order as it is: somebody is moving in it */
	bool anew;         /* forget the old order: another column, another filter */
};

void nt_ui_rows_fini(struct nt_ui_rows *rows);
void nt_ui_rows_update(struct nt_ui_rows *rows, const struct nt_row_query *query);

/* Index of the row with this id, or SIZE_MAX. */
size_t nt_ui_rows_find(const struct nt_ui_rows *rows, uint64_t id);

#endif
