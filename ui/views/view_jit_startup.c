// SPDX-License-Identifier: GPL-2.0-only
/* Screen 3 at the start of the process (key v): in order, and by cause with what would have spared it. */
#include "nettop/shorten.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_jit.h"

#include "nettop/source.h"

#include <inttypes.h>
#include <string.h>

enum { NUMBER = 32, PANEL_LINES = 3 };

static const struct nt_jit_startup_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(false, false, of(row)->fresh);
}

static unsigned no_flags(const void *row)
{
	(void)row;
	return nt_row_flags(false, false, false);
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "name") == 0)
		return nt_view_method_cell(of(row)->name, room, out, size);
	if (strcmp(column->key, "module") == 0)
		return nt_view_module_cell(of(row)->module, room, out, size);
	return false;
}

static bool module_cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out,
			size_t size)
{
	(void)context;
	return strcmp(column->key, "module") == 0 && nt_view_module_cell(((const struct nt_jit_cause_row *)row)->module, room, out, size);
}

static void order_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	(void)wide;
	nt_line_add(out, ", first 10 s");
}

static void cause_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	nt_line_add(out, wide ? ", first 10 s by cause, spared: at most" : ", first 10 s by cause");
}

/* What each thing would have spared of the start, at most. */
static void spared_text(const struct nt_jit_startup_rows *rows, struct nt_line *out)
{
	for (enum nt_jit_cause cause = 0; cause < NT_JIT_CAUSE_COUNT; cause++) {
		uint64_t ns = 0;
		for (size_t i = 0; i < rows->cause_count; i++)
			ns += rows->causes[i].cause == cause ? rows->causes[i].self_ns : 0;
		if (ns && nt_jit_cause_remedy(cause))
			nt_line_add(out, "%s by %s %.1f ms", out->used ? "," : "spared at most", nt_jit_cause_remedy(cause),
				    (double)ns / (double)NT_NS_PER_MS);
	}
	if (!out->used)
		nt_line_add(out, "nothing that nettop knows of would have spared any of it");
}

static void startup_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	const struct nt_jit_startup_rows *rows = &context->process->jit_startup;
	struct nt_line sums = { 0 }, spared = { 0 };
	char number[NUMBER], setting[NT_JIT_SETTING_TEXT];
	uint64_t ns = 0;
	(void)row;
	if (!rows->seen)
		return;
	for (size_t i = 0; i < rows->cause_count; i++)
		ns += rows->causes[i].self_ns;
	nt_line_add(&sums, "start  %s compilations, %.1f ms by the clock", nt_format_whole(rows->count, number, sizeof(number)),
		    (double)ns / (double)NT_NS_PER_MS);
	if (rows->beyond_count)
		nt_line_add(&sums, ", %" PRIu64 " more are not in it", rows->beyond_count);
	spared_text(rows, &spared);
	nt_grid_put(grid, 1, y, grid->width - 1, NT_STYLE_PLAIN, sums.text);
	nt_grid_put(grid, 1, y + 1, grid->width - 1, NT_STYLE_PLAIN, spared.text);
	nt_grid_put(grid, 1, y + 2, grid->width - 1, NT_STYLE_PLAIN, nt_jit_setting_sentence(&rows->setting, false, setting));
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_process_snapshot *process = context->process;
	if (process->jit_startup.seen) {
		out->says = "Nothing was compiled at the start so far.";
		return;
	}
	out->says = "The start of this process was not seen.";
	out->more = "What it compiled then, and in which order, is not known.";
	out->start = "It is told of a program that nettop starts: nettop jit -- COMMAND, or nettop run.";
}

static const char *const compact[] = { "at_ns", "cause", "name", NULL };
static const char *const compact_causes[] = { "self_ns", "cause", "module", NULL };

#define STARTUP(table_, scope_, compact_, flags_, cell_)                                                                                   \
	{                                                                                                                                  \
		.action = NT_DO_VIEW_3, .demand = NT_WANT_JIT_EVENTS, .subject = &nt_subject_jit, .table = table_, .first_x = 1,           \
		.wide_gaps = true, .least_rest = 20, .compact = compact_, .flags = flags_, .cell = cell_, .panel_lines = PANEL_LINES,      \
		.panel = startup_panel, .scope = scope_, .nothing = nothing                                                                \
	}

const struct nt_view nt_view_jit_startup = STARTUP(&nt_table_jit_startup, order_scope, compact, flags, cell);
const struct nt_view nt_view_jit_causes = STARTUP(&nt_table_jit_causes, cause_scope, compact_causes, no_flags, module_cell);
