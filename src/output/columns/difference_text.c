// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/difference_text.h"

#include "nettop/column.h"

#include <stdio.h>

enum { NUMBER = 32 };

/* What is told of in most cases without more samples: as long as the spans are, or hardly longer. */
#define AS_LONG 1.05

/* What is compared, by the first figure of its rows. */
static const struct {
	enum nt_difference_kind kind;
	const char *rows;
} sorts[] = {
	{ NT_DIFFER_CPU, "methods" },         { NT_DIFFER_BYTES, "types allocated" },     { NT_DIFFER_REQUEST_TIME, "routes" },
	{ NT_DIFFER_THROWN, "types thrown" }, { NT_DIFFER_LOCK_TIME, "places of locks" }, { NT_DIFFER_COMPILED, "modules compiled" },
	{ NT_DIFFER_PAUSE, "generations" },   { NT_DIFFER_WAIT_TIME, "places of waits" },
};
enum { SORTS = sizeof(sorts) / sizeof(sorts[0]) };

const char *nt_difference_compared_text(const struct nt_difference *difference, char buf[NT_DIFFERENCE_TEXT])
{
	char number[NUMBER];
	size_t length = 0;
	snprintf(buf, NT_DIFFERENCE_TEXT, "nothing");
	for (int i = 0; i < SORTS && length < NT_DIFFERENCE_TEXT; i++)
		if (difference->compared[sorts[i].kind])
			length += (size_t)snprintf(buf + length, NT_DIFFERENCE_TEXT - length, "%s%s %s", length ? ", " : "",
						   nt_format_whole(difference->compared[sorts[i].kind], number, sizeof(number)),
						   sorts[i].rows);
	return buf;
}

const char *nt_difference_needs_text(const struct nt_difference *difference, char buf[NT_DIFFERENCE_TEXT])
{
	buf[0] = '\0';
	if (difference->reason)
		snprintf(buf, NT_DIFFERENCE_TEXT, "not compared: %s", difference->reason);
	else if (difference->needs.known && difference->needs.v > AS_LONG)
		snprintf(buf, NT_DIFFERENCE_TEXT, "+20%% in a method of 10%% needs spans %.1f times as long", difference->needs.v);
	else if (difference->needs.known)
		snprintf(buf, NT_DIFFERENCE_TEXT, "+20%% in a method of 10%% is told in most cases");
	return buf;
}

bool nt_difference_is_compared(const struct nt_difference *difference)
{
	bool any = false;
	for (int i = 0; i < SORTS; i++)
		any |= difference->compared[sorts[i].kind] > 0;
	return any;
}

const char *nt_difference_nothing_text(const struct nt_difference *difference)
{
	return nt_difference_is_compared(difference) ? "Nothing changed beyond noise." : "Nothing could be compared.";
}
