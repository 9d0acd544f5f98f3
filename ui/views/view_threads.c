// SPDX-License-Identifier: GPL-2.0-only
/* Screen 4: the thread pool and the threads. */
#include "base/text.h"
#include "nettop/shorten.h"
#include "ui/views/pool_panel.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER = 32 };

static const struct nt_thread_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(of(row)->marked, of(row)->ended, of(row)->fresh);
}

static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return of(row)->folded && !of(row)->marked;
}

/* The last `parts` parts of a method's name, or all, without arguments. */
static void add_method(struct nt_line *line, const char *name, unsigned parts)
{
	int end = (int)strcspn(name, "("), start = end;
	while (start > 0 && !(name[start - 1] == '.' && --parts == 0))
		start--;
	char text[NT_LINE_BYTES];
	snprintf(text, sizeof(text), "%.*s", end - start, name + start);
	nt_line_add_safe(line, text);
}

/* The method that called the one that waits; NULL = not known. */
static const char *caller_of_site(const struct nt_thread_row *row)
{
	const struct nt_call_stack *stack = row->wait_from;
	bool seen = false;
	for (uint32_t i = 0; stack && i < stack->count; i++) {
		if (seen && !stack->frames[i].native)
			return stack->frames[i].name;
		seen |= stack->frames[i].name == row->wait_at;
	}
	return NULL;
}

/* Task.Wait < Shop.Cart.Total < Shop.Api.Checkout */
static bool wait_cell(const struct nt_thread_row *row, int room, char *out, size_t size)
{
	enum { ALL = 1 << 10, TYPE_AND_METHOD = 2 };
	struct nt_line line = { 0 };
	const char *caller = caller_of_site(row);
	if (row->lock_owner_tid)
		nt_line_add(&line, "lock of t%" PRIu32 " < ", row->lock_owner_tid);
	else if (row->wait_means)
		add_method(&line, row->wait_means, TYPE_AND_METHOD);
	if (row->wait_means && !row->lock_owner_tid)
		nt_line_add(&line, " < ");
	add_method(&line, row->wait_at, ALL);
	if (caller) {
		nt_line_add(&line, " < ");
		add_method(&line, caller, ALL);
	}
	char several[NUMBER] = "";
	if (row->alike.count > 1)
		snprintf(several, sizeof(several), "  x%" PRIu32, row->alike.count);
	int left = room - (int)strlen(several);
	if (left < 1)
		return false;
	nt_shorten_tail(line.text, left, out, size);
	size_t used = strlen(out);
	snprintf(out + used, size - used, "%s", several);
	return true;
}

/* Is it said where it waits, and behind that for how many others, too? One that waits for work, or at a place that nobody knows, has no such text. */
static bool has_wait_cell(const struct nt_thread_row *row)
{
	return row->waits && row->wait != NT_WAIT_IDLE && row->wait_at;
}

/* A thread that waits for a lock runs nowhere: there is room for who holds it. */
static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	if (strcmp(column->key, "name") == 0 && of(row)->alike.count > 1 && !has_wait_cell(of(row))) {
		snprintf(out, size, "%" PRIu32 " %s", of(row)->alike.count, of(row)->name);
		return true;
	}
	if (strcmp(column->key, "at") != 0)
		return false;
	if (has_wait_cell(of(row)))
		return wait_cell(of(row), room, out, size);
	if (of(row)->lock_ns.known && of(row)->lock_owner_tid) {
		snprintf(out, size, "lock of t%" PRIu32, of(row)->lock_owner_tid);
		return true;
	}
	struct nt_cell at = column->read(row, context);
	return nt_view_method_cell(at.known ? at.text : "", room, out, size);
}

static bool part(const void *row, enum nt_part part, struct nt_restriction *out)
{
	*out = nt_restriction_to_thread(row);
	out->alike = of(row)->alike.count; /* where rows fold, this one is what Enter takes of them */
	return part == NT_PART_THREAD;
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_source_row *procfs = nt_snapshot_source(context->snapshot, NT_SOURCE_PROCFS);
	out->says = "No threads are known.";
	if (procfs) {
		out->reason = procfs->reason;
		out->fix = procfs->fix;
	}
}

static const char *const compact[] = { "cpu_pct", "tid", "state", "name", NULL };

const struct nt_view nt_view_threads = {
	.action = NT_DO_VIEW_4,
	.subject = &nt_subject_threads,
	.table = &nt_table_threads,
	.first_x = 1,
	.wide_gaps = true,
	.least_rest = 24,
	.compact = compact,
	.enter = NT_PART_THREAD,
	.demand = NT_WANT_LOOKS,
	.flags = flags,
	.hidden = hidden,
	.part = part,
	.cell = cell,
	.panel_lines = NT_POOL_PANEL_LINES,
	.panel = nt_pool_panel,
	.nothing = nothing,
};
