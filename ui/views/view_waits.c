// SPDX-License-Identifier: GPL-2.0-only
/* Screen 8: blocked time, by the place that waits and what it waits for. */
#include "nettop/shorten.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"
#include "ui/views/view_wait_strip.h"
#include "ui/views/view_waits.h"

#include "nettop/source.h"

#include <inttypes.h>
#include <string.h>

static const struct nt_wait_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(of(row)->marked, false, of(row)->fresh);
}

/* Waits for work are only counted. After a zero: nobody has waited there since. */
static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return of(row)->idle || (!of(row)->count_all && !of(row)->spent_all_ns && !of(row)->waiting_count);
}

/* t4790 Audit.Flush(), or t4790 .NET TP Worker */
static bool waker_cell(const struct nt_wait_row *row, int room, char *out, size_t size)
{
	struct nt_line line = { 0 };
	char at[NT_LINE_BYTES];
	if (row->waker_tid)
		nt_line_add(&line, "t%" PRIu32 " ", row->waker_tid);
	if (row->waker_at)
		nt_view_method_cell(row->waker_at, room > (int)strlen(line.text) ? room - (int)strlen(line.text) : 0, at, sizeof(at));
	nt_line_add_safe(&line, row->waker_at ? at : row->waker_name);
	nt_shorten_tail(line.text, room, out, size);
	return true;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "site") == 0)
		return nt_view_wait_site_cell(of(row)->site, room, out, size);
	return strcmp(column->key, "waker") == 0 && waker_cell(of(row), room, out, size);
}

static const struct nt_call_stack *stack(const struct nt_column_context *context, const void *row)
{
	(void)context;
	return of(row)->waited_from;
}

static const struct nt_why *no_stacks(const struct nt_column_context *context, const void *row)
{
	(void)row;
	return &context->process->interval.waits.why;
}

bool nt_view_wait_site_cell(const char *site, int room, char *out, size_t size)
{
	if (site)
		return nt_view_method_cell(site, room, out, size);
	nt_shorten_tail("(not told where)", room, out, size);
	return true;
}

void nt_view_wait_scope(const struct nt_column_context *context, const char *grouping, struct nt_line *out)
{
	if (grouping)
		nt_line_add(out, ", %s", grouping);
	const struct nt_wait_figures *waits = &context->process->interval.waits;
	if (waits->method && waits->less)
		nt_line_add(out, "  %s: %s", waits->method, waits->less); /* a part of its own: it stays longer than the rest */
	else if (waits->method)
		nt_line_add(out, ", %s", waits->method);
}

const struct nt_why *nt_view_wait_lacks(const struct nt_column_context *context)
{
	const struct nt_wait_figures *waits = &context->process->interval.waits;
	return waits->why.reason ? &waits->why : &waits->less_why;
}

static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)wide;
	nt_view_wait_scope(context, NULL, out);
}

void nt_view_wait_uncounted(const struct nt_process_snapshot *process, struct nt_line *out)
{
	const struct nt_wait_figures *waits = &process->interval.waits;
	if (waits->uncounted_count.known && waits->uncounted_count.v)
		nt_line_add(out, "%s%" PRIu64 "%s threads not counted", out->used ? ", " : "", waits->uncounted_count.v,
			    waits->uncounted_at_least ? "+" : "");
}

void nt_view_wait_beyond(const struct nt_process_snapshot *process, struct nt_line *out)
{
	const struct nt_u64 *idle = &process->interval.waits.idle_count;
	if (idle->known && idle->v)
		nt_line_add(out, "%" PRIu64 " idle folded", idle->v);
	nt_view_wait_uncounted(process, out);
}

void nt_view_wait_nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_why *why = &context->process->interval.waits.why;
	nt_nothing_by(why, "No thread waits for anything but work.", "No waits.", out);
}

static void panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	if (row)
		nt_view_wait_strip(context, of(row)->longest_tid, grid, y);
}

static const char *const compact[] = { "spent_s_per_s", "for", "site", NULL };

const struct nt_view nt_view_waits = {
	.action = NT_DO_VIEW_8,
	.subject = &nt_subject_waits,
	.table = &nt_table_waits,
	.first_x = 1,
	.least_rest = 12,
	.compact = compact,
	.has_window = true,
	.demand = NT_WANT_LOOKS | NT_WANT_SWITCHES,
	.flags = flags,
	.hidden = hidden,
	.cell = cell,
	.panel_lines = NT_VIEW_STRIP_LINES,
	.panel = panel,
	.scope = scope,
	.beyond = nt_view_wait_beyond,
	.stack = stack,
	.stack_beside = true,
	.lacks = nt_view_wait_lacks,
	.no_stack = no_stacks,
	.nothing = nt_view_wait_nothing,
};
