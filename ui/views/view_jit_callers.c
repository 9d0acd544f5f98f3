// SPDX-License-Identifier: GPL-2.0-only
/* Screen 3 by who causes compilations (key v): told while it is open. */
#include "nettop/shorten.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_jit.h"
#include "ui/views/view_snapshot.h"

#include "nettop/source.h"

#include <string.h>

static const struct nt_jit_caller_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(false, false, of(row)->fresh);
}

/* After a zero: it has caused nothing since. */
static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return !of(row)->count_all;
}

static bool text_cell(const char *text, const char *none, int room, char *out, size_t size)
{
	if (text)
		return nt_view_method_cell(text, room, out, size);
	nt_shorten_tail(none, room, out, size);
	return true;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "site") == 0)
		return text_cell(of(row)->site, "(not told where)", room, out, size);
	if (strcmp(column->key, "via") == 0)
		return text_cell(of(row)->via, of(row)->compiled_from ? "(first call)" : "", room, out, size);
	return strcmp(column->key, "compiled") == 0 && text_cell(of(row)->compiled, "", room, out, size);
}

static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	(void)wide;
	nt_line_add(out, ", by caller");
}

static const struct nt_call_stack *stack(const struct nt_column_context *context, const void *row)
{
	(void)context;
	return of(row)->compiled_from;
}

static const struct nt_why *lacks(const struct nt_column_context *context)
{
	return &context->process->interval.jit.caller_why;
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_why *why = lacks(context);
	if (why->reason)
		nt_nothing_by(why, "", "It is not known who causes compilations.", out);
	else
		nt_view_jit_nothing(context, out);
	if (!out->reason)
		out->more = "Who causes them is told from the moment this is opened.";
}

static const char *const compact[] = { "time_ns", "site", NULL };

const struct nt_view nt_view_jit_callers = {
	.action = NT_DO_VIEW_3,
	.demand = NT_WANT_JIT_EVENTS | NT_WANT_JIT_CALLERS,
	.announcement = NT_VIEW_JIT_CALLERS_ASKED,
	.farewell = NT_VIEW_STACKS_LEFT,
	.needs_nothing = nt_view_needs_no_stacks,
	.subject = &nt_subject_jit,
	.table = &nt_table_jit_callers,
	.first_x = 1,
	.wide_gaps = true,
	.least_rest = 24,
	.compact = compact,
	.has_totals = true,
	.flags = flags,
	.hidden = hidden,
	.cell = cell,
	.stack = stack,
	.lacks = lacks,
	.panel_lines = NT_VIEW_JIT_PANEL,
	.panel = nt_view_jit_panel,
	.scope = scope,
	.nothing = nothing,
};
