// SPDX-License-Identifier: GPL-2.0-only
/* What of a call tree is open, and where its top is. Its rows are made in call_rows.c. */
#include "ui/calls/calls.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void free_texts(char *texts[NT_CALLS_TEXTS])
{
	for (size_t i = 0; i < NT_CALLS_TEXTS; i++)
		free(texts[i]);
}

/* Let `to` be `from`, with copies of its texts. */
static void keep(struct nt_stack_frame *to, char *texts[NT_CALLS_TEXTS], const struct nt_stack_frame *from)
{
	const char **const fields[NT_CALLS_TEXTS] = { &to->name, &to->raw_name, &to->module, &to->reason };
	char *before[NT_CALLS_TEXTS];
	memcpy(before, texts, sizeof(before)); /* which `from` may refer to */
	*to = *from;
	for (size_t i = 0; i < NT_CALLS_TEXTS; i++)
		*fields[i] = texts[i] = nt_strdup(*fields[i]);
	free_texts(before);
}

void nt_calls_fini(struct nt_calls *calls)
{
	free_texts(calls->method_texts);
	free_texts(calls->top_texts);
	free(calls->rows);
	nt_index_fini(&calls->open);
	*calls = (struct nt_calls){ 0 };
}

static void begin(struct nt_calls *calls)
{
	nt_index_fini(&calls->open);
	calls->begun = false;
	calls->opening = 0;
	calls->zoomed = 0;
	calls->narrowed = false;
	keep(&calls->top, calls->top_texts, &calls->method);
}

void nt_calls_enter(struct nt_calls *calls, const struct nt_method_row *method, const struct nt_restriction *restricted)
{
	const struct nt_stack_frame frame = { .sort = NT_FRAME_CODE,
					      .id = method->id,
					      .name = method->name,
					      .raw_name = method->raw_name,
					      .module = method->module,
					      .reason = method->reason,
					      .kind = method->kind,
					      .tier = method->tier,
					      .own = method->own };
	keep(&calls->method, calls->method_texts, &frame);
	calls->callers = calls->unfolded = false;
	calls->fresh = true;
	calls->restricted = calls->entered = *restricted;
	begin(calls);
}

void nt_calls_turn(struct nt_calls *calls)
{
	calls->callers = !calls->callers;
	calls->fresh = false;
	begin(calls);
}

void nt_calls_widen(struct nt_calls *calls)
{
	calls->restricted = calls->entered;
	begin(calls);
}

void nt_calls_restrict(struct nt_calls *calls, const struct nt_restriction *restricted)
{
	calls->restricted = *restricted;
	calls->begun = false;
	calls->narrowed = true;
}

void nt_calls_open(struct nt_calls *calls, const struct nt_call_row *row, bool open)
{
	if (open)
		nt_index_put(&calls->open, row->id, 1);
	else
		nt_index_remove(&calls->open, row->id);
}

/* The row after the last one below this. */
static const struct nt_call_row *end_of_branch(const struct nt_calls *calls, const struct nt_call_row *row)
{
	const struct nt_call_row *end = row + 1;
	while (end < calls->rows + calls->count && end->depth > row->depth)
		end++;
	return end;
}

void nt_calls_toggle_branch(struct nt_calls *calls, const struct nt_call_row *row)
{
	const struct nt_call_row *end = end_of_branch(calls, row);
	bool all_open = true;
	for (const struct nt_call_row *at = row; at < end; at++)
		all_open &= at->open || !at->has_children;
	calls->opening = all_open ? 0 : row->id;
	for (const struct nt_call_row *at = row; all_open && at < end; at++)
		nt_calls_open(calls, at, false);
}

/* ---- the top ---- */

/* The row above this one, NULL = it is at the top. */
static const struct nt_call_row *parent_of(const struct nt_call_row *row)
{
	uint32_t depth = row->depth;
	if (!depth)
		return NULL;
	while (row->depth >= depth)
		row--;
	return row;
}

bool nt_calls_zoom(struct nt_calls *calls, const struct nt_call_row *row)
{
	size_t levels = calls->zoomed + row->depth;
	if (levels > NT_CALLS_ZOOM)
		return false;
	keep(&calls->top, calls->top_texts, row->frame);
	nt_calls_open(calls, row, true);
	calls->zoomed = levels;
	calls->narrowed = true;
	for (const struct nt_call_row *at = row; at->depth; at = parent_of(at))
		calls->zoom[--levels] = at->id;
	return true;
}
