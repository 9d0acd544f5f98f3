// SPDX-License-Identifier: GPL-2.0-only
/* Screen 6: exceptions by type, and where they are thrown. */
#include "nettop/shorten.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

#include "nettop/source.h"

#include <string.h>

static const struct nt_exception_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(of(row)->marked, false, of(row)->fresh);
}

/* After a zero: not thrown since. */
static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return !of(row)->count_all;
}

/* Of a type the last part tells most. */
static bool type_cell(const char *type, int room, char *out, size_t size)
{
	struct nt_line safe = { 0 };
	nt_line_add_safe(&safe, type);
	nt_shorten_type(safe.text, room, out, size);
	return true;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "thrown_at") == 0)
		return nt_view_method_cell(of(row)->thrown_at, room, out, size);
	return strcmp(column->key, "type") == 0 && type_cell(of(row)->type, room, out, size);
}

static const struct nt_call_stack *stack(const struct nt_column_context *context, const void *row)
{
	(void)context;
	return of(row)->thrown_from;
}

static const struct nt_why *no_stacks(const struct nt_column_context *context)
{
	return &context->process->interval.exceptions.stack_why;
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	nt_nothing_by(&context->process->interval.exceptions.why, "No exception was thrown.", "No exceptions.", out);
}

static const char *const compact[] = { "count", "type", NULL };

const struct nt_view nt_view_exceptions = {
	.action = NT_DO_VIEW_6,
	.subject = &nt_subject_exceptions,
	.table = &nt_table_exceptions,
	.first_x = 1,
	.least_rest = 16,
	.compact = compact,
	.has_totals = true,
	.demand = NT_WANT_STACKS,
	.announcement = NT_VIEW_STACKS_ASKED,
	.farewell = NT_VIEW_STACKS_LEFT,
	.needs_nothing = nt_view_needs_no_stacks,
	.flags = flags,
	.hidden = hidden,
	.cell = cell,
	.stack = stack,
	.lacks = no_stacks,
	.nothing = nothing,
};
