// SPDX-License-Identifier: GPL-2.0-only
/* Behind a row of screen 1: the call tree of the method, to its callees or to its callers. */
#include "nettop/call_row.h"
#include "nettop/source.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"

#include <stdio.h>
#include <string.h>

enum { COMPACT_KIND = 4, PER_LEVEL = 2, LEAST_NAME = 16, MODULE = 16 };

static const struct nt_call_row *of(const void *row)
{
	return row;
}

/* The lines that lead to a row, and whether it can be opened. Deep rows lose the lines of their uppermost levels. */
static void draw_rails(const struct nt_call_row *row, int room, struct nt_line *out)
{
	int levels = (int)row->depth, most = (room - LEAST_NAME) / PER_LEVEL;
	if (levels > most)
		levels = most > 0 ? most : 0;
	if (levels)
		nt_line_add(out, "  ");
	for (int i = levels - 1; i > 0; i--)
		nt_line_add(out, "%s", i < 64 && row->rails >> i & 1 ? "│ " : "  ");
	if (levels)
		nt_line_add(out, "%s", row->rails & 1 ? "├ " : "└ ");
	nt_line_add(out, "%s", !row->has_children ? "  " : row->open ? "- " : "+ ");
}

/* A thread by its number; of native code the library, which one goes by there. */
static void add_owner(const struct nt_stack_frame *frame, struct nt_line *out)
{
	if (frame->sort == NT_FRAME_THREAD) {
		nt_line_add(out, "t%u ", frame->tid);
	} else if (frame->kind == NT_CODE_NATIVE && frame->module && strncmp(frame->name, frame->module, strlen(frame->module)) != 0) {
		char module[NT_LINE_BYTES];
		nt_view_module_cell(frame->module, MODULE, module, sizeof(module));
		nt_line_add(out, "%s ", module);
	}
}

static void name_cell(const struct nt_call_row *row, bool raw, int room, char *out, size_t size)
{
	const struct nt_stack_frame *frame = row->frame;
	struct nt_line before = { 0 };
	char name[NT_LINE_BYTES];
	draw_rails(row, room, &before);
	add_owner(frame, &before);
	nt_view_name_and_reason(raw && frame->raw_name ? frame->raw_name : frame->name, frame->reason, room - nt_text_cells(before.text),
				name, sizeof(name));
	snprintf(out, size, "%s%s", before.text, name);
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	if (strcmp(column->key, "module") == 0)
		return nt_view_module_cell(of(row)->frame->module, room, out, size);
	if (strcmp(column->key, "kind") == 0 && room <= COMPACT_KIND && of(row)->frame->sort == NT_FRAME_CODE)
		snprintf(out, size, "%s", nt_view_short_kind(of(row)->frame->kind));
	else if (strcmp(column->key, "name") == 0)
		name_cell(of(row), context->raw_names, room, out, size);
	else
		return false;
	return true;
}

static bool part(const void *row, enum nt_part part, struct nt_restriction *out)
{
	const struct nt_stack_frame *frame = of(row)->frame;
	*out = (struct nt_restriction){ .part = part, .kind = frame->kind };
	nt_restriction_name(out, frame->module);
	return frame->sort == NT_FRAME_CODE && (part == NT_PART_MODULE || part == NT_PART_KIND);
}

static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	struct nt_f64 complete = context->process->window_complete_pct, cut = context->process->window_cut_pct;
	(void)wide;
	if (complete.known)
		nt_line_add(out, "  chains %.1f%%", complete.v);
	if (cut.known && cut.v >= 1)
		nt_line_add(out, "  %.0f%% cut", cut.v);
}

/* There is always a row, that of the method: this stands below it. */
static const struct nt_why *no_stacks(const struct nt_column_context *context)
{
	static const struct nt_why none = { NULL, NULL },
				   soon = { "call stacks are kept while this screen is open: they come with the next interval", NULL },
				   no_samples = { "no samples have come since this screen was opened", NULL },
				   not_it = { "the method is in no call stack since this screen was opened", NULL },
				   not_kept = { "the CPU samples of this time were not kept", NULL },
				   none_then = { "there are no samples of this time", NULL },
				   not_then = { "the method is in no call stack of this time", NULL };
	const struct nt_process_snapshot *process = context->process;
	if (process->stacks.wanted == NT_STACKS_NONE)
		return context->is_over ? &not_kept : &soon;
	if (!process->stacks.node_count)
		return context->is_over ? &none_then : &no_samples;
	if (process->call_count != 1 || process->calls->total)
		return &none;
	return context->is_over ? &not_then : &not_it;
}

static uint64_t method(const void *row)
{
	const struct nt_stack_frame *frame = of(row)->frame;
	return frame->sort == NT_FRAME_CODE && frame->kind != NT_CODE_KERNEL ? frame->id : 0;
}

static const char *const compact[] = { "total_pct", "kind", "name", NULL };

const struct nt_view nt_view_calls = {
	.tab = "Calls",
	.tab_short = "Calls",
	.table = &nt_table_calls,
	.first_x = 1,
	.wide_gaps = true,
	.least_rest = 40,
	.compact = compact,
	.has_window = true,
	.of_samples = true,
	.has_raw_names = true,
	.demand = NT_WANT_CALL_STACKS,
	.part = part,
	.cell = cell,
	.scope = scope,
	.lacks = no_stacks,
	.method = method,
};
