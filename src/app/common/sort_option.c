// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/sort_option.h"

#include <stdio.h>
#include <string.h>

enum { LIST = 220 };

static void add(char list[LIST], const char *name)
{
	const char *more = " ...";
	size_t used = strlen(list);
	if (used + strlen(name) + strlen(more) + 2 < LIST)
		snprintf(list + used, LIST - used, "%s%s", used ? " " : "", name);
	else if (used < strlen(more) || strcmp(list + used - strlen(more), more) != 0)
		snprintf(list + used, LIST - used, "%s", more);
}

static enum nt_status no_table(const char *text, struct nt_error *err)
{
	char list[LIST] = "";
	for (size_t i = 0; nt_tables[i]; i++)
		add(list, nt_tables[i]->key);
	return nt_error_set(err, NT_ERR_USAGE, "--sort '%s': there is no such table; there are %s", text, list);
}

static enum nt_status no_column(const char *text, const struct nt_table *table, struct nt_error *err)
{
	char list[LIST] = "";
	for (size_t i = 0; i < table->column_count; i++)
		if (nt_column_sorts(&table->columns[i]))
			add(list, table->columns[i].key);
	return nt_error_set(err, NT_ERR_USAGE, "--sort '%s': %s has no such column; it has %s", text, table->key, list);
}

static bool is_of(const struct nt_table *table, const struct nt_column *column)
{
	const struct nt_column *const only[] = { column, NULL };
	return nt_table_sorted_by(table, only) == column;
}

enum nt_status nt_sort_option(const char *text, const struct nt_column *sorts[NT_SORTS_MAX + 1], struct nt_error *err)
{
	const char *dot = strchr(text, '.'), *word = dot ? dot + 1 : text;
	char key[64] = "methods";
	if (dot)
		snprintf(key, sizeof(key), "%.*s", (int)(dot - text), text);
	const struct nt_table *table = nt_table_called(key);
	if (!table)
		return no_table(text, err);
	const struct nt_column *column = nt_table_column(table, word);
	if (!column || !nt_column_sorts(column))
		return no_column(text, table, err);
	size_t at = 0;
	while (sorts[at] && !is_of(table, sorts[at]))
		at++;
	if (at == NT_SORTS_MAX)
		return nt_error_set(err, NT_ERR_USAGE, "--sort '%s' is one too many: at most %d at once", text, NT_SORTS_MAX);
	sorts[at] = column;
	return NT_OK;
}
