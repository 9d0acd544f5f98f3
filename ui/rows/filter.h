/* SPDX-License-Identifier: GPL-2.0-only */
/* The filter of a screen: an extended regular expression on all text columns of a row; of rows with fields, conditions on these besides. */
#ifndef NT_UI_FILTER_H
#define NT_UI_FILTER_H

#include <regex.h>
#include <stdbool.h>

#include "nettop/column.h"
#include "ui/rows/conditions.h"

enum { NT_FILTER_BYTES = 128 };

/* All zero is no filter. */
struct nt_filter {
	char text[NT_FILTER_BYTES]; /* as typed */
	bool invalid;               /* the text is no regular expression: the last valid one applies */
	bool active;
	bool has_regex;
	regex_t regex; /* valid when has_regex */
	struct nt_conditions conditions;
};

void nt_filter_fini(struct nt_filter *filter);

/* Another expression: case counts when it has a capital letter; "" clears. `fields`: the table's rows have some (nt_table.row_field). */
void nt_filter_set(struct nt_filter *filter, const char *text, bool fields);

bool nt_filter_matches(const struct nt_filter *filter, const struct nt_table *table, const struct nt_column_context *context,
		       const void *row);

#endif
