// SPDX-License-Identifier: GPL-2.0-only
/* Screen 8 by thread and by reason (key v). */
#include "ui/views/view_cells.h"
#include "ui/views/view_wait_strip.h"
#include "ui/views/view_waits.h"

#include "nettop/source.h"

#include <inttypes.h>
#include <string.h>

static const struct nt_wait_sum_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(false, of(row)->ended, of(row)->fresh);
}

static bool has_waited(const struct nt_wait_sum_row *row)
{
	return row->wait.all_ns || row->runq.all_ns || row->waiting_count;
}

/* One that has ended leaves when it weighs nothing in the window any more. */
static bool hidden(const void *row, unsigned hide)
{
	static const double negligible_ns_per_s = 1e6;
	const struct nt_wait_sum_row *sum = of(row);
	(void)hide;
	return sum->quiet || !has_waited(sum) || (sum->ended && sum->wait.window + sum->runq.window < negligible_ns_per_s);
}

static bool reason_cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out,
			size_t size)
{
	(void)context;
	return strcmp(column->key, "site") == 0 && nt_view_wait_site_cell(of(row)->site, room, out, size);
}

/* A thread that does not wait is at no place. */
static bool thread_cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out,
			size_t size)
{
	bool waits = of(row)->kind != NT_WAIT_RUNS && of(row)->kind != NT_WAIT_IDLE;
	return (waits || of(row)->site) && reason_cell(column, row, context, room, out, size);
}

static void thread_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)wide;
	nt_view_wait_scope(context, "by thread", out);
}

static void reason_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)wide;
	nt_view_wait_scope(context, "by reason", out);
}

/* Threads that have waited for nothing but work. */
static void quiet_threads(const struct nt_process_snapshot *process, struct nt_line *out)
{
	uint64_t quiet = 0;
	for (size_t i = 0; i < process->wait_thread_count; i++)
		quiet += process->wait_threads[i].quiet && !process->wait_threads[i].ended;
	if (quiet)
		nt_line_add(out, "%" PRIu64 " idle folded", quiet);
	nt_view_wait_uncounted(process, out);
}

static void thread_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	if (row)
		nt_view_wait_strip(context, of(row)->tid, grid, y);
}

static void reason_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	if (row)
		nt_view_wait_strip(context, of(row)->longest_tid, grid, y);
}

/* Where the thread waits now: a number that is used again is the living thread's. */
static const struct nt_call_stack *thread_stack(const struct nt_column_context *context, const void *row)
{
	const struct nt_process_snapshot *process = context->process;
	for (size_t i = 0; i < process->thread_count && !of(row)->ended; i++)
		if (process->threads[i].tid == of(row)->tid && !process->threads[i].ended)
			return process->threads[i].wait_from;
	return NULL;
}

static const struct nt_why *no_stacks(const struct nt_column_context *context, const void *row)
{
	(void)row;
	return &context->process->interval.waits.why;
}

static const char *const compact_thread[] = { "spent_s_per_s", "tid", "site", NULL };
static const char *const compact_reason[] = { "spent_s_per_s", "for", "site", NULL };

const struct nt_view nt_view_wait_threads = {
	.action = NT_DO_VIEW_8,
	.subject = &nt_subject_waits,
	.table = &nt_table_wait_threads,
	.first_x = 1,
	.least_rest = 12,
	.compact = compact_thread,
	.has_window = true,
	.demand = NT_WANT_LOOKS | NT_WANT_SWITCHES,
	.flags = flags,
	.hidden = hidden,
	.cell = thread_cell,
	.panel_lines = NT_VIEW_STRIP_LINES,
	.panel = thread_panel,
	.scope = thread_scope,
	.beyond = quiet_threads,
	.stack = thread_stack,
	.stack_beside = true,
	.lacks = nt_view_wait_lacks,
	.no_stack = no_stacks,
	.nothing = nt_view_wait_nothing,
};

const struct nt_view nt_view_wait_reasons = {
	.action = NT_DO_VIEW_8,
	.subject = &nt_subject_waits,
	.table = &nt_table_wait_reasons,
	.first_x = 1,
	.least_rest = 12,
	.compact = compact_reason,
	.has_window = true,
	.demand = NT_WANT_LOOKS | NT_WANT_SWITCHES,
	.flags = flags,
	.hidden = hidden,
	.cell = reason_cell,
	.panel_lines = NT_VIEW_STRIP_LINES,
	.panel = reason_panel,
	.scope = reason_scope,
	.beyond = nt_view_wait_beyond,
	.lacks = nt_view_wait_lacks,
	.nothing = nt_view_wait_nothing,
};
