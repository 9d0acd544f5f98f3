// SPDX-License-Identifier: GPL-2.0-only
/* Screen 7 by lock, and by the thread that held them (key v). */
#include "nettop/shorten.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_locks.h"
#include "ui/views/view_snapshot.h"

#include "nettop/source.h"

#include <string.h>

static const struct nt_lock_group_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(false, false, of(row)->fresh);
}

/* After a zero: nobody has waited for it since. */
static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return !of(row)->count_all && !of(row)->spent_all_ns && !of(row)->waiting_count;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	bool is_name = strcmp(column->key, "site") == 0 || strcmp(column->key, "owner_at") == 0 || strcmp(column->key, "type") == 0;
	if (is_name && !of(row)->others) {
		const struct nt_cell name = column->read(row, context);
		return name.known && nt_view_method_cell(name.text, room, out, size);
	}
	if (of(row)->others && (strcmp(column->key, "type") == 0 || strcmp(column->key, "owner") == 0)) {
		nt_shorten_tail("(all others)", room, out, size);
		return true;
	}
	return false;
}

static const struct nt_call_stack *waited_from(const struct nt_column_context *context, const void *row)
{
	(void)context;
	return of(row)->waited_from;
}

/* Where the owner waits with what others want; while it does not, where they wait. */
static const struct nt_call_stack *owner_stack(const struct nt_column_context *context, const void *row)
{
	(void)context;
	return of(row)->owner_stack ? of(row)->owner_stack : of(row)->waited_from;
}

static void lock_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	(void)wide;
	nt_line_add(out, "  by lock");
}

static void owner_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	(void)wide;
	nt_line_add(out, "  by owner");
}

static const char *const compact_lock[] = { "spent_ms_per_s", "waiting_count", "type", NULL };
static const char *const compact_owner[] = { "spent_ms_per_s", "owner_tid", "owner", NULL };

const struct nt_view nt_view_lock_objects = {
	.action = NT_DO_VIEW_7,
	.subject = &nt_subject_locks,
	.table = &nt_table_lock_objects,
	.first_x = 1,
	.least_rest = 24,
	.compact = compact_lock,
	.has_window = true,
	.demand = NT_WANT_STACKS | NT_WANT_LOOKS,
	.announcement = NT_VIEW_STACKS_ASKED,
	.farewell = NT_VIEW_STACKS_LEFT,
	.needs_nothing = nt_view_needs_no_stacks,
	.flags = flags,
	.hidden = hidden,
	.cell = cell,
	.scope = lock_scope,
	.stack = waited_from,
	.lacks = nt_view_locks_no_stacks,
	.nothing = nt_view_no_locks,
};

const struct nt_view nt_view_lock_owners = {
	.action = NT_DO_VIEW_7,
	.subject = &nt_subject_locks,
	.table = &nt_table_lock_owners,
	.first_x = 1,
	.least_rest = 12,
	.compact = compact_owner,
	.has_window = true,
	.demand = NT_WANT_STACKS | NT_WANT_LOOKS,
	.announcement = NT_VIEW_STACKS_ASKED,
	.farewell = NT_VIEW_STACKS_LEFT,
	.needs_nothing = nt_view_needs_no_stacks,
	.flags = flags,
	.hidden = hidden,
	.cell = cell,
	.scope = owner_scope,
	.stack = owner_stack,
	.lacks = nt_view_locks_no_stacks,
	.nothing = nt_view_no_locks,
};
