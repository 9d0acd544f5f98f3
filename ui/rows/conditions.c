// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/conditions.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { VALUE = 1024 };

static const struct {
	const char *sign;
	enum nt_condition_is is;
} signs[] = { /* longer ones first */
	      { "!=", NT_CONDITION_OTHER }, { "<=", NT_CONDITION_AT_MOST }, { ">=", NT_CONDITION_AT_LEAST },
	      { "=", NT_CONDITION_SAME },   { "<", NT_CONDITION_LESS },     { ">", NT_CONDITION_MORE }
};

static bool is_number(const char *text, double *out)
{
	char *end;
	if (!*text || isspace((unsigned char)*text))
		return false;
	*out = strtod(text, &end);
	return !*end;
}

/* False: the word is none. */
static bool take(const char *word, size_t length, struct nt_condition *out)
{
	size_t name = 0;
	while (name < length && (isalnum((unsigned char)word[name]) || strchr("_.-#", word[name])))
		name++;
	if (!name || name >= sizeof(out->name))
		return false;
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		size_t sign = strlen(signs[i].sign);
		if (length - name < sign || strncmp(word + name, signs[i].sign, sign) != 0)
			continue;
		size_t value = length - name - sign;
		if (value >= sizeof(out->value))
			return false;
		*out = (struct nt_condition){ .is = signs[i].is };
		memcpy(out->name, word, name);
		memcpy(out->value, word + name + sign, value);
		out->is_number = is_number(out->value, &out->number);
		return true;
	}
	return false;
}

void nt_conditions_parse(const char *text, struct nt_conditions *out, char *rest, size_t size)
{
	size_t used = 0;
	out->count = 0;
	rest[0] = '\0';
	for (const char *at = text; *(at += strspn(at, " "));) {
		size_t length = strcspn(at, " ");
		if (out->count < NT_CONDITIONS && take(at, length, &out->items[out->count]))
			out->count++;
		else if (used < size)
			used += (size_t)snprintf(rest + used, size - used, "%s%.*s", used ? " " : "", (int)length, at);
		at += length;
	}
}

static bool compare(enum nt_condition_is is, double value, double limit)
{
	switch (is) {
	case NT_CONDITION_SAME:
		return value == limit;
	case NT_CONDITION_OTHER:
		return value != limit;
	case NT_CONDITION_LESS:
		return value < limit;
	case NT_CONDITION_AT_MOST:
		return value <= limit;
	case NT_CONDITION_MORE:
		return value > limit;
	case NT_CONDITION_AT_LEAST:
		return value >= limit;
	}
	return false;
}

static bool holds(const struct nt_condition *condition, const char *value)
{
	double number;
	if (condition->is_number && is_number(value, &number))
		return compare(condition->is, number, condition->number);
	bool same = fnmatch(condition->value, value, FNM_CASEFOLD) == 0 || strcasecmp(condition->value, value) == 0;
	return condition->is == NT_CONDITION_SAME ? same : condition->is == NT_CONDITION_OTHER && !same;
}

bool nt_conditions_hold(const struct nt_conditions *conditions, const struct nt_table *table, const void *row)
{
	char value[VALUE];
	for (size_t i = 0; i < conditions->count; i++) {
		const struct nt_condition *condition = &conditions->items[i];
		if (!*condition->value)
			continue;
		if (!table->row_field(row, condition->name, value, sizeof(value)) || !holds(condition, value))
			return false;
	}
	return true;
}
