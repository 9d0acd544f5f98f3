// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/rows.h"

#include "base/alloc.h"
#include "base/index.h"

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

static int order_by_id(const struct nt_row_ref *a, const struct nt_row_ref *b)
{
	return a->id < b->id ? -1 : a->id > b->id;
}

/* What the rows were ordered by until now, and where they were. */
static void remember(struct nt_ui_rows *rows, const struct nt_row_query *query, const struct nt_row_ref *old, size_t old_count)
{
	struct nt_index places = { 0 };
	for (size_t i = 0; i < old_count; i++)
		nt_index_put(&places, old[i].id, (uint32_t)i);
	for (size_t i = 0; i < rows->count; i++) {
		struct nt_row_ref *ref = &rows->refs[i];
		uint32_t place = nt_index_get(&places, ref->id);
		if (place == NT_INDEX_NONE)
			continue;
		const struct nt_row_ref *was = &old[place];
		ref->place = place;
		if (jitters(query->sort) && ref->known && was->known && !differs(query->sort, was->key, ref->key))
			ref->key = was->key;
		if (query->tie && !differs(query->tie, was->tie, ref->tie))
			ref->tie = was->tie;
	}
	nt_index_fini(&places);
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

static int order_by_figures(const struct nt_row_query *query, const struct nt_row_ref *a, const struct nt_row_ref *b)
{
	if (a->marked != b->marked)
		return a->marked ? -1 : 1;
	if (a->known != b->known)
		return a->known ? -1 : 1;
	int order = order_of(query, a->shown_key, b->shown_key);
	if (!order)
		order = order_of(query, a->shown_tie, b->shown_tie);
	return order ? order : order_of(query, a->key, b->key);
}

static int order_by_name(const struct nt_row_ref *a, const struct nt_row_ref *b)
{
	int order = strcmp(a->name, b->name);
	return order ? order : order_by_id(a, b);
}

static int compare(const void *a, const void *b, void *context)
{
	const struct nt_row_query *query = context;
	const struct nt_row_ref *x = a, *y = b;
	int order = query->still ? order_by_place(x, y) : 0;
	if (order)
		return order;
	if (jitters(query->sort)) {
		order = order_by_figures(query, x, y);
		return order ? order : order_by_name(x, y);
	}
	return nt_row_compare(query->table, query->sort, query->ascending, query->context, x->row, y->row);
}

/* ---- ordering again: most rows are where they were, and of most the figures look the same ---- */

/* By figures; those of the same ones as they stood, new ones behind. */
static int compare_as_before(const void *a, const void *b, void *context)
{
	const struct nt_row_ref *x = *(const struct nt_row_ref *const *)a, *y = *(const struct nt_row_ref *const *)b;
	int order = order_by_figures(context, x, y);
	if (!order)
		order = order_by_place(x, y);
	return order ? order : x < y ? -1 : x > y;
}

/* Behind those from `from` on that are in order of their names. */
static size_t run_end(const struct nt_row_ref *const *order, size_t from, size_t count)
{
	while (++from < count && order_by_name(order[from - 1], order[from]) <= 0)
		;
	return from;
}

static void merge(const struct nt_row_ref *const *order, size_t from, size_t middle, size_t end, const struct nt_row_ref **merged)
{
	for (size_t a = from, b = middle, at = from; at < end; at++) {
		bool first = b == end || (a < middle && order_by_name(order[a], order[b]) <= 0);
		merged[at] = order[first ? a++ : b++];
	}
}

/* Names lie all over memory. Rows that had the same figures before are in order of theirs already, so what is in order is merged. `spare` has room for as many. */
static void order_names(const struct nt_row_ref **order, const struct nt_row_ref **spare, size_t count)
{
	const struct nt_row_ref **from = order, **to = spare;
	while (run_end(from, 0, count) < count) {
		for (size_t at = 0, end; at < count; at = end) {
			size_t middle = run_end(from, at, count);
			end = middle < count ? run_end(from, middle, count) : count;
			merge(from, at, middle, end, to);
		}
		const struct nt_row_ref **merged = to;
		to = from;
		from = merged;
	}
	if (from != order)
		memcpy(order, from, count * sizeof(*order));
}

static void order_again(struct nt_ui_rows *rows, struct nt_row_query *query)
{
	size_t count = rows->count;
	const struct nt_row_ref **order = nt_realloc(NULL, 2 * count, sizeof(*order)), **spare = order + count;
	for (size_t i = 0; i < count; i++)
		order[i] = &rows->refs[i];
	qsort_r(order, count, sizeof(*order), compare_as_before, query);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && order_by_figures(query, order[first], order[end]) == 0;)
			end++;
		order_names(order + first, spare, end - first);
	}
	struct nt_row_ref *refs = nt_realloc(NULL, count, sizeof(*refs));
	for (size_t i = 0; i < count; i++)
		refs[i] = *order[i];
	free(order);
	free(rows->refs);
	rows->refs = refs;
	rows->capacity = count;
}

void nt_ui_rows_update(struct nt_ui_rows *rows, const struct nt_row_query *query)
{
	struct nt_row_ref *old = rows->refs;
	size_t old_count = rows->count;
	const void *first;
	struct nt_row_query how = *query;
	how.still = query->still && !query->anew;
	how.tie = query->sort ? nt_table_column(query->table, query->sort->tie) : NULL;
	*rows = (struct nt_ui_rows){ .capacity = old_count + old_count / 8 };
	rows->refs = nt_realloc(NULL, rows->capacity, sizeof(*rows->refs));
	size_t count = nt_table_rows_of(query->table, query->context->process, query->context->snapshot, &first);
	for (size_t i = 0; i < count; i++)
		add(rows, &how, nt_table_row(query->table, first, i));
	bool remembered = !query->anew && old_count && rows->count;
	if (remembered)
		remember(rows, &how, old, old_count);
	free(old);
	if (query->sort && rows->count && !query->table->depth) {
		if (jitters(query->sort))
			note_looks(rows, &how);
		if (jitters(query->sort) && remembered && !how.still)
			order_again(rows, &how);
		else
			qsort_r(rows->refs, rows->count, sizeof(*rows->refs), compare, &how);
	}
}
