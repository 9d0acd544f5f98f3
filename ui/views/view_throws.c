// SPDX-License-Identifier: GPL-2.0-only
/* Screen 6 by the place that throws, and the last exceptions one by one (key v). */
#include "nettop/shorten.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

#include "nettop/source.h"

#include <string.h>

static const struct nt_throw_site_row *site_of(const void *row)
{
	return row;
}

static const struct nt_thrown_row *of(const void *row)
{
	return row;
}

static bool type_cell(const char *type, int room, char *out, size_t size)
{
	struct nt_line safe = { 0 };
	nt_line_add_safe(&safe, type);
	nt_shorten_type(safe.text, room, out, size);
	return true;
}

static const struct nt_why *no_stacks(const struct nt_column_context *context)
{
	return &context->process->interval.exceptions.stack_why;
}

/* ---- by place ---- */

static unsigned site_flags(const void *row)
{
	return nt_row_flags(false, false, site_of(row)->fresh);
}

/* After a zero: nothing was thrown there since. */
static bool site_hidden(const void *row, unsigned hide)
{
	(void)hide;
	return !site_of(row)->count_all;
}

static bool site_cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out,
		      size_t size)
{
	(void)context;
	if (strcmp(column->key, "site") == 0)
		return nt_view_method_cell(site_of(row)->site, room, out, size);
	return strcmp(column->key, "type") == 0 && type_cell(site_of(row)->type, room, out, size);
}

static const struct nt_call_stack *site_stack(const struct nt_column_context *context, const void *row)
{
	(void)context;
	return site_of(row)->thrown_from;
}

static void no_site(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_exception_figures *figures = &context->process->interval.exceptions;
	nt_nothing_by(figures->why.reason ? &figures->why : &figures->stack_why, "No exception was thrown while its place is told.",
		      "No places that throw.", out);
}

static void site_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	nt_line_add(out, wide ? "  by place, while told with stacks" : "  by place");
}

static const char *const compact_site[] = { "count", "site", NULL };

const struct nt_view nt_view_throw_sites = {
	.action = NT_DO_VIEW_6,
	.subject = &nt_subject_exceptions,
	.table = &nt_table_throw_sites,
	.first_x = 1,
	.least_rest = 16,
	.compact = compact_site,
	.has_totals = true,
	.demand = NT_WANT_STACKS,
	.announcement = NT_VIEW_STACKS_ASKED,
	.farewell = NT_VIEW_STACKS_LEFT,
	.needs_nothing = nt_view_needs_no_stacks,
	.flags = site_flags,
	.hidden = site_hidden,
	.cell = site_cell,
	.scope = site_scope,
	.stack = site_stack,
	.stack_beside = true,
	.lacks = no_stacks,
	.nothing = no_site,
};

/* ---- one by one ---- */

static unsigned flags(const void *row)
{
	(void)row;
	return 0;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "thrown_at") == 0)
		return nt_view_method_cell(of(row)->thrown_at, room, out, size);
	if (strcmp(column->key, "caught_at") == 0)
		return nt_view_method_cell(of(row)->caught_at, room, out, size);
	return strcmp(column->key, "type") == 0 && type_cell(of(row)->type, room, out, size);
}

static const struct nt_call_stack *stack(const struct nt_column_context *context, const void *row)
{
	(void)context;
	return of(row)->thrown_from;
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	nt_nothing_by(&context->process->interval.exceptions.why, "No exception was thrown.", "No exceptions.", out);
}

static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	nt_line_add(out, wide ? "the last 1000, one by one" : "the last 1000");
}

static const char *const compact[] = { "ago_ns", "type", NULL };

const struct nt_view nt_view_thrown = {
	.action = NT_DO_VIEW_6,
	.subject = &nt_subject_exceptions,
	.table = &nt_table_thrown,
	.first_x = 1,
	.least_rest = 16,
	.compact = compact,
	.demand = NT_WANT_STACKS | NT_WANT_CATCHES,
	.announcement = "While this list is open an exception costs the target " NT_PRICE_CATCHES " more",
	.farewell = NT_VIEW_STACKS_LEFT,
	.flags = flags,
	.cell = cell,
	.scope = scope,
	.stack = stack,
	.lacks = no_stacks,
	.nothing = nothing,
};
