// SPDX-License-Identifier: GPL-2.0-only
/* Screen 5 by the place that allocates, and by thread (key v). */
#include "nettop/alloc_figures.h"
#include "ui/views/view_alloc.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

#include <string.h>

/* ---- by place ---- */

static const struct nt_alloc_row *of(const void *row)
{
	return row;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	bool is_name = strcmp(column->key, "site") == 0 || strcmp(column->key, "type") == 0;
	return is_name && nt_view_method_cell(strcmp(column->key, "site") == 0 ? of(row)->site : of(row)->type, room, out, size);
}

static void site_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	(void)wide;
	nt_line_add(out, "  by place");
}

/* Samples may come without a place: over LTTng they do. */
static void no_site(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_why *why = nt_view_alloc_no_stacks(context);
	nt_view_no_allocations(context, out);
	if (context->process->allocation_count && why->reason)
		nt_nothing_by(why, "", "No places that allocate.", out);
}

static const char *const compact_site[] = { "bytes_per_s", "share_pct", "site", NULL };

const struct nt_view nt_view_allocation_sites = {
	.action = NT_DO_VIEW_5,
	.subject = &nt_subject_alloc,
	.table = &nt_table_allocation_sites,
	.first_x = 1,
	.least_rest = 16,
	.compact = compact_site,
	.has_window = true,
	.has_totals = true,
	.demand = NT_VIEW_ALLOC_DEMAND,
	.announcement = NT_VIEW_ALLOC_ASKED,
	.farewell = NT_VIEW_ALLOC_LEFT,
	.needs_nothing = nt_view_no_samples_to_be_had,
	.flags = nt_view_alloc_flags,
	.hidden = nt_view_alloc_hidden,
	.cell = cell,
	.scope = site_scope,
	.stack = nt_view_alloc_stack,
	.stack_beside = true,
	.lacks = nt_view_alloc_no_stacks,
	.panel_lines = NT_VIEW_ALLOC_LINES,
	.panel = nt_view_alloc_panel,
	.nothing = no_site,
};

/* ---- by thread ---- */

static const struct nt_thread_row *thread_of(const void *row)
{
	return row;
}

static unsigned thread_flags(const void *row)
{
	return nt_row_flags(false, thread_of(row)->ended, thread_of(row)->fresh);
}

/* One that runs no managed code allocates no objects. */
static bool thread_hidden(const void *row, unsigned hide)
{
	(void)hide;
	return !thread_of(row)->allocated_bytes.known;
}

static bool part(const void *row, enum nt_part part, struct nt_restriction *out)
{
	*out = nt_restriction_to_thread(row);
	return part == NT_PART_THREAD;
}

static void thread_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	nt_line_add(out, wide ? "by thread, exact, read from outside" : "by thread");
}

static void no_thread(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_source_row *runtime = nt_snapshot_source(context->snapshot, NT_SOURCE_RUNTIME);
	out->says = "What threads allocate is not known.";
	out->more = "It is read in the memory of a runtime that describes its data: .NET 10.";
	if (runtime) {
		out->reason = runtime->reason;
		out->fix = runtime->fix;
	}
}

static const char *const compact_thread[] = { "bytes_per_s", "tid", "name", NULL };

const struct nt_view nt_view_allocation_threads = {
	.action = NT_DO_VIEW_5,
	.subject = &nt_subject_alloc,
	.table = &nt_table_allocation_threads,
	.first_x = 1,
	.least_rest = 12,
	.compact = compact_thread,
	.enter = NT_PART_THREAD,
	.demand = NT_WANT_LOOKS,
	.flags = thread_flags,
	.hidden = thread_hidden,
	.part = part,
	.scope = thread_scope,
	.nothing = no_thread,
};
