// SPDX-License-Identifier: GPL-2.0-only
/* Screen 7: waits for locks, by the place that waits. */
#include "nettop/shorten.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_locks.h"
#include "ui/views/view_snapshot.h"

#include "nettop/source.h"

#include <inttypes.h>
#include <string.h>

static const struct nt_lock_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(of(row)->marked, false, of(row)->fresh);
}

/* After a zero: nobody has waited there since. */
static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return !of(row)->count_all && !of(row)->spent_all_ns && !of(row)->waiting_count;
}

/* t4811 .NET TP Worker */
static bool owner_cell(const struct nt_lock_row *row, int room, char *out, size_t size)
{
	struct nt_line line = { 0 };
	if (row->owner_tid)
		nt_line_add(&line, "t%" PRIu32 " ", row->owner_tid);
	nt_line_add_safe(&line, row->owner_name);
	nt_shorten_tail(line.text, room, out, size);
	return true;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "site") == 0 && !of(row)->site) {
		nt_shorten_tail("(not told where)", room, out, size);
		return true;
	}
	if (strcmp(column->key, "site") == 0)
		return nt_view_method_cell(of(row)->site, room, out, size);
	return strcmp(column->key, "held_by") == 0 && owner_cell(of(row), room, out, size);
}

static const struct nt_call_stack *stack(const struct nt_column_context *context, const void *row)
{
	(void)context;
	return of(row)->waited_from;
}

const struct nt_why *nt_view_locks_no_stacks(const struct nt_column_context *context)
{
	return &context->process->interval.locks.stack_why;
}

void nt_view_no_locks(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_why *why = &context->process->interval.locks.why;
	nt_nothing_by(why, "No thread has begun to wait for a lock since nettop came.", "No waits for locks.", out);
	if (!why->reason)
		out->more = "Earlier waits are not known: the runtime tells of one when it begins.";
}

static const char *const compact[] = { "spent_ms_per_s", "waiting_count", "site", NULL };

const struct nt_view nt_view_locks = {
	.action = NT_DO_VIEW_7,
	.subject = &nt_subject_locks,
	.table = &nt_table_locks,
	.first_x = 1,
	.least_rest = 12,
	.compact = compact,
	.has_window = true,
	.demand = NT_WANT_STACKS,
	.announcement = NT_VIEW_STACKS_ASKED,
	.farewell = NT_VIEW_STACKS_LEFT,
	.needs_nothing = nt_view_needs_no_stacks,
	.flags = flags,
	.hidden = hidden,
	.cell = cell,
	.stack = stack,
	.stack_beside = true,
	.lacks = nt_view_locks_no_stacks,
	.nothing = nt_view_no_locks,
};
