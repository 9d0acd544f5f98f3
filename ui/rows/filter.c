// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void nt_filter_fini(struct nt_filter *filter)
{
	if (filter->has_regex)
		regfree(&filter->regex);
	filter->has_regex = filter->active = false;
	filter->conditions.count = 0;
}

static bool has_capital(const char *text)
{
	for (; *text; text++)
		if (isupper((unsigned char)*text))
			return true;
	return false;
}

void nt_filter_set(struct nt_filter *filter, const char *text, bool fields)
{
	struct nt_conditions conditions = { .count = 0 };
	char expression[NT_FILTER_BYTES];
	regex_t regex;
	snprintf(filter->text, sizeof(filter->text), "%s", text);
	filter->invalid = false;
	if (fields)
		nt_conditions_parse(filter->text, &conditions, expression, sizeof(expression));
	else
		memcpy(expression, filter->text, sizeof(expression));
	if (*expression && regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB | (has_capital(expression) ? 0 : REG_ICASE)) != 0) {
		filter->invalid = true;
		return;
	}
	nt_filter_fini(filter);
	filter->has_regex = *expression;
	if (filter->has_regex)
		filter->regex = regex;
	filter->conditions = conditions;
	filter->active = filter->has_regex || conditions.count;
}

bool nt_filter_matches(const struct nt_filter *filter, const struct nt_table *table, const struct nt_column_context *context,
		       const void *row)
{
	if (!filter->active)
		return true;
	if (filter->conditions.count && !nt_conditions_hold(&filter->conditions, table, row))
		return false;
	if (!filter->has_regex)
		return true;
	for (size_t i = 0; i < table->column_count; i++) {
		const struct nt_column *column = &table->columns[i];
		if (column->unit != NT_UNIT_TEXT)
			continue;
		struct nt_cell cell = column->read(row, context);
		if (cell.known && cell.text && regexec(&filter->regex, cell.text, 0, NULL, 0) == 0)
			return true;
	}
	return false;
}
