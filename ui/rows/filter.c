// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void nt_filter_fini(struct nt_filter *filter)
{
	if (filter->active)
		regfree(&filter->regex);
	filter->active = false;
}

static bool has_capital(const char *text)
{
	for (; *text; text++)
		if (isupper((unsigned char)*text))
			return true;
	return false;
}

void nt_filter_set(struct nt_filter *filter, const char *text)
{
	regex_t regex;
	snprintf(filter->text, sizeof(filter->text), "%s", text);
	filter->invalid = false;
	if (!*text) {
		nt_filter_fini(filter);
		return;
	}
	if (regcomp(&regex, filter->text, REG_EXTENDED | REG_NOSUB | (has_capital(text) ? 0 : REG_ICASE)) != 0) {
		filter->invalid = true;
		return;
	}
	nt_filter_fini(filter);
	filter->regex = regex;
	filter->active = true;
}

bool nt_filter_matches(const struct nt_filter *filter, const struct nt_table *table, const struct nt_column_context *context,
		       const void *row)
{
	if (!filter->active)
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
