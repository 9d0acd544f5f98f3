/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fields of a row have to be, in a filter: `PauseNs>1000 Reason!=Induced Shop`. A word of the form NAME, one of = != < <= > >=, VALUE is a condition, of which all have to
 * hold; the other words are an expression on the row's text. A field that a row does not have holds none. Numbers are compared as such (0x: hexadecimal); of a text = and != alone, with * and ?,
 * whatever the case.
 */
#ifndef NT_UI_CONDITIONS_H
#define NT_UI_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "nettop/column.h"

enum { NT_CONDITIONS = 8, NT_CONDITION_TEXT = 64 };

enum nt_condition_is {
	NT_CONDITION_SAME,
	NT_CONDITION_OTHER,
	NT_CONDITION_LESS,
	NT_CONDITION_AT_MOST,
	NT_CONDITION_MORE,
	NT_CONDITION_AT_LEAST
};

struct nt_condition {
	char name[NT_CONDITION_TEXT], value[NT_CONDITION_TEXT];
	enum nt_condition_is is;
	bool is_number;
	double number;
};

struct nt_conditions {
	struct nt_condition items[NT_CONDITIONS];
	size_t count;
};

/* Take the conditions out of `text`; what is left is in `rest`. One without a value, which is still being typed, holds always. */
void nt_conditions_parse(const char *text, struct nt_conditions *out, char *rest, size_t size);

/* Do all hold of a row? Of a table whose rows have fields. */
bool nt_conditions_hold(const struct nt_conditions *conditions, const struct nt_table *table, const void *row);

#endif
