// SPDX-License-Identifier: GPL-2.0-only
/* The rows of a table as it stands by itself: those of the time in question, in its own order. */
#include "nettop/column.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* How rows of a table are put in order: by its default column over the time in question. */
struct order {
	const struct nt_table *table;
	const struct nt_column *column; /* NULL: the table keeps its own order */
	const struct nt_column_context *context;
};

static int compare(const void *a, const void *b, void *argument)
{
	const struct order *order = argument;
	return nt_row_compare(order->table, order->column, order->column->ascending, order->context, *(const void *const *)a,
			      *(const void *const *)b);
}

static bool is_of(const struct nt_table *table, const struct nt_column *column)
{
	return column >= table->columns && column < table->columns + table->column_count;
}

const struct nt_column *nt_table_sorted_by(const struct nt_table *table, const struct nt_column *const *sorts)
{
	for (; sorts && *sorts; sorts++)
		if (is_of(table, *sorts))
			return *sorts;
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].default_sort)
			return &table->columns[i];
	return NULL;
}

const void **nt_table_top(const struct nt_table *table, const struct nt_column_context *context, size_t *kept)
{
	const void *first;
	size_t count = nt_table_rows_of(table, context->process, context->snapshot, &first);
	bool of_all_time = context->window == NT_WINDOW_ATTACH;
	const void **rows = nt_realloc(NULL, count, sizeof(*rows));
	*kept = 0;
	for (size_t i = 0; i < count; i++) {
		const void *row = nt_table_row(table, first, i);
		if (of_all_time || !table->row_in_interval || table->row_in_interval(row, context))
			rows[(*kept)++] = row;
	}
	struct order order = { .table = table, .column = nt_table_sorted_by(table, context->sorts), .context = context };
	if (order.column)
		qsort_r(rows, *kept, sizeof(*rows), compare, &order);
	return rows;
}

const struct nt_table *nt_table_called(const char *key)
{
	size_t i = 0;
	while (nt_tables[i] && strcmp(nt_tables[i]->key, key) != 0)
		i++;
	return nt_tables[i];
}
