// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/rows.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STILL_SHARE  0.05 /* of the old figure */
#define STILL_POINTS 0.2  /* of a percentage: beyond this it moves whatever the share */
#define SHOWN_POINTS 0.05 /* half of the last decimal of a percentage: below this nothing changes on the screen */

void nt_ui_rows_fini(struct nt_ui_rows *rows)
{
	free(rows->refs);
	*rows = (struct nt_ui_rows){ 0 };
}

size_t nt_ui_rows_find(const struct nt_ui_rows *rows, uint64_t id)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->refs[i].id == id)
			return i;
	return SIZE_MAX;
}

/* Figures that are of an interval or a window and so change without anything having happened. */
static bool jitters(const struct nt_column *column)
{
	return column && (column->unit == NT_UNIT_PCT || column->unit == NT_UNIT_PER_S || column->unit == NT_UNIT_REAL ||
			  column->unit == NT_UNIT_COUNT);
}

static bool differs(const struct nt_column *column, double old, double new)
{
	double by = fabs(new - old);
	bool by_share = by > STILL_SHARE * fabs(old);
	return column->unit == NT_UNIT_PCT ? by > STILL_POINTS || (by_share && by > SHOWN_POINTS) : by_share;
}

static double figure_of(const struct nt_column *column, struct nt_cell cell)
{
	return column->unit == NT_UNIT_COUNT ? (double)cell.u : cell.f;
}

static double figure(const struct nt_column *column, const void *row, const struct nt_column_context *context)
{
	struct nt_cell cell = column->read(row, context);
	return cell.known ? figure_of(column, cell) : 0;
}

/* Percentages that look the same are the same, when something else can tell their rows apart. */
static double shown(const struct nt_column *column, double value)
{
	return column->unit == NT_UNIT_PCT ? nearbyint(value * 10) : value;
}

/* Once for each row, not for each pair that is compared. */
static void note_looks(struct nt_ui_rows *rows, const struct nt_row_query *query)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct nt_row_ref *ref = &rows->refs[i];
		const char *name = query->table->row_name(ref->row);
		ref->name = name ? name : "";
		if (query->tie) {
			ref->shown_key = shown(query->sort, ref->key);
			ref->shown_tie = shown(query->tie, ref->tie);
		}
	}
}

/* ---- collecting ---- */

static void add(struct nt_ui_rows *rows, const struct nt_row_query *query, const void *row)
{
	if (query->hidden && query->hidden(row, query->hide))
		return;
	rows->all_count++;
	uint64_t id = query->table->row_id(row);
	bool matches = nt_filter_matches(query->filter, query->table, query->context, row);
	if (!matches && !query->table->depth && !(query->follow && query->followed == id))
		return;
	struct nt_row_ref ref = { .row = row, .id = id, .matches = matches, .kept = !matches && !query->table->depth, .place = SIZE_MAX };
	ref.marked = query->sort && query->sort->default_sort && query->table->row_marked && query->table->row_marked(row);
	if (jitters(query->sort)) {
		struct nt_cell cell = query->sort->read(row, query->context);
		ref.known = cell.known;
		ref.key = cell.known ? figure_of(query->sort, cell) : 0;
		ref.tie = query->tie ? figure(query->tie, row, query->context) : 0;
	}
	rows->refs = nt_grow(rows->refs, &rows->capacity, rows->count + 1, sizeof(*rows->refs));
	rows->refs[rows->count++] = ref;
}

static int order_by_id(const void *a, const void *b)
{
	const struct nt_row_ref *x = a, *y = b;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* What the rows were ordered by until now. `old` is sorted by id. */
static void remember(struct nt_ui_rows *rows, const struct nt_row_query *query, const struct nt_row_ref *old, size_t old_count)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct nt_row_ref *ref = &rows->refs[i];
		const struct nt_row_ref *was = bsearch(ref, old, old_count, sizeof(*old), order_by_id);
		if (!was)
			continue;
		ref->place = was->place;
		if (jitters(query->sort) && ref->known && was->known && !differs(query->sort, was->key, ref->key))
			ref->key = was->key;
		if (query->tie && !differs(query->tie, was->tie, ref->tie))
			ref->tie = was->tie;
	}
}

/* ---- ordering ---- */

static int order_by_place(const struct nt_row_ref *a, const struct nt_row_ref *b)
{
	return a->place < b->place ? -1 : a->place > b->place;
}

/* 0: one figure is as good as the other. */
static int order_of(const struct nt_row_query *query, double a, double b)
{
	return a == b ? 0 : (a < b) == query->ascending ? -1 : 1;
}

static int order_by_figure(const struct nt_row_query *query, const struct nt_row_ref *a, const struct nt_row_ref *b)
{
	if (a->marked != b->marked)
		return a->marked ? -1 : 1;
	if (a->known != b->known)
		return a->known ? -1 : 1;
	int order = order_of(query, a->shown_key, b->shown_key);
	if (!order)
		order = order_of(query, a->shown_tie, b->shown_tie);
	if (!order)
		order = order_of(query, a->key, b->key);
	if (!order)
		order = strcmp(a->name, b->name);
	return order ? order : order_by_id(a, b);
}

static int compare(const void *a, const void *b, void *context)
{
	const struct nt_row_query *query = context;
	const struct nt_row_ref *x = a, *y = b;
	int order = query->still ? order_by_place(x, y) : 0;
	if (order)
		return order;
	if (jitters(query->sort))
		return order_by_figure(query, x, y);
	return nt_row_compare(query->table, query->sort, query->ascending, query->context, x->row, y->row);
}

void nt_ui_rows_update(struct nt_ui_rows *rows, const struct nt_row_query *query)
{
	struct nt_row_ref *old = rows->refs;
	size_t old_count = rows->count;
	const void *row;
	struct nt_row_query how = *query;
	how.still = query->still && !query->anew;
	how.tie = query->sort ? nt_table_column(query->table, query->sort->tie) : NULL;
	*rows = (struct nt_ui_rows){ 0 };
	for (size_t left = nt_table_rows_of(query->table, query->context->process, query->context->snapshot, &row); left > 0; left--) {
		add(rows, &how, row);
		row = (const char *)row + query->table->rows.row_size;
	}
	if (!query->anew && old_count && rows->count) {
		for (size_t i = 0; i < old_count; i++)
			old[i].place = i;
		qsort(old, old_count, sizeof(*old), order_by_id);
		remember(rows, &how, old, old_count);
	}
	free(old);
	if (query->sort && rows->count && !query->table->depth) {
		if (jitters(query->sort))
			note_looks(rows, &how);
		qsort_r(rows->refs, rows->count, sizeof(*rows->refs), compare, &how);
	}
}
