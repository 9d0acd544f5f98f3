// SPDX-License-Identifier: GPL-2.0-only
/* The list of all .NET processes: which one to open. */
#include "nettop/process_row.h"
#include "ui/views/view.h"

#include <string.h>

static const struct nt_process_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return of(row)->ended_at == NT_TIME_UNKNOWN ? 0 : NT_ROW_ENDED;
}

/* A source that would not deliver is a point on the screen. */
static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	struct nt_line marks = { 0 };
	if (strcmp(column->key, "sources") != 0)
		return false;
	struct nt_cell letters = column->read(row, context);
	for (const char *letter = letters.known ? letters.text : ""; *letter && room > 0; letter++, room--)
		nt_line_add(&marks, "%.*s", *letter == '-' ? (int)strlen("·") : 1, *letter == '-' ? "·" : letter);
	memcpy(out, marks.text, marks.used < size ? marks.used + 1 : size);
	out[size - 1] = '\0';
	return true;
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	(void)context;
	out->says = "No .NET process is to be seen from here.";
	out->start = "nettop run -- COMMAND starts one with all that nettop needs";
}

static const char *const compact[] = { "pid", "cpu_pct", "name", NULL };

const struct nt_view nt_view_processes = {
	.tab = "Processes",
	.tab_short = "Proc",
	.table = &nt_table_processes,
	.first_x = 1,
	.least_rest = 20,
	.compact = compact,
	.flags = flags,
	.cell = cell,
	.nothing = nothing,
};
