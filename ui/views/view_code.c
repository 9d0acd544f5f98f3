// SPDX-License-Identifier: GPL-2.0-only
/* The instructions of one method, and at which of them the samples were (key a). */
#include "nettop/shorten.h"
#include "ui/views/view.h"

#include <inttypes.h>

enum { NUMBER = 32, LEAST_NAME = 20 };

static const struct nt_instruction_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return of(row)->marked ? NT_ROW_MARKED : of(row)->samples ? 0 : NT_ROW_QUIET;
}

static uint64_t home(const struct nt_process_snapshot *process)
{
	return process->annotation.hottest;
}

/* jit tier1  1.2K  834 samples, 96 more in 2 other pieces of code */
static void figures_of(const struct nt_annotation *code, bool wide, struct nt_line *out)
{
	char size[NUMBER], number[NUMBER], more[NUMBER];
	const char *tier = nt_tier_name(code->tier);
	nt_line_add(out, "%s%s%s", nt_code_kind_name(code->kind), *tier ? " " : "", tier);
	if (code->end > code->start)
		nt_line_add(out, "  %s", nt_format_bytes(code->end - code->start, size, sizeof(size)));
	nt_line_add(out, "  %s samples", nt_format_whole(code->samples, number, sizeof(number)));
	if (wide && code->code_count > 1)
		nt_line_add(out, ", %s more in %zu other pieces of code",
			    nt_format_whole(code->all_samples - code->samples, more, sizeof(more)), code->code_count - 1);
}

static const struct nt_instruction_row *hottest(const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->instruction_count; i++)
		if (process->instructions[i].address == process->annotation.hottest)
			return &process->instructions[i];
	return NULL;
}

/* Where the hottest instruction is in the source, with the path as the compiler had it; or why that is not known. */
static void put_origin(const struct nt_process_snapshot *process, struct nt_grid *grid, int y)
{
	struct nt_line text = { 0 };
	const struct nt_instruction_row *row = hottest(process);
	if (row && row->file) {
		nt_line_add(&text, "Hottest in line %" PRIu32 " of ", row->line);
		nt_line_add_safe(&text, row->file);
	} else if (process->annotation.lines_reason) {
		nt_line_add(&text, "No source lines: ");
		nt_line_add_safe(&text, process->annotation.lines_reason);
	}
	nt_grid_put(grid, 1, y, grid->width - 2, NT_STYLE_DIM, text.text);
}

static void panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	const struct nt_annotation *code = &context->process->annotation;
	struct nt_line name = { 0 }, figures = { 0 };
	char cut[NT_LINE_BYTES];
	(void)row;
	if (!code->name)
		return;
	nt_line_add_safe(&name, context->raw_names && code->raw_name ? code->raw_name : code->name);
	if (code->code_count) /* else nobody has looked at its code yet, or at this time */
		figures_of(code, grid->width >= 120, &figures);
	int room = grid->width - nt_text_cells(figures.text) - 3;
	if (room >= LEAST_NAME)
		nt_grid_put_right(grid, 0, y, grid->width - 1, NT_STYLE_DIM, figures.text);
	else
		room = grid->width - 2;
	nt_shorten_method(name.text, room, cut, sizeof(cut));
	nt_grid_put(grid, 1, y, room, NT_STYLE_PLAIN, cut);
	put_origin(context->process, grid, y + 1);
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_annotation *code = &context->process->annotation;
	bool waits = code->method && !code->samples;
	out->reason = code->reason;
	out->says = context->is_span || code->reason ? "No instructions."
		    : context->is_over && !waits     ? "Nobody looked at its code then."
		    : waits                          ? "No new sample in the method's own code. Waiting for one."
						     : "Reading its code ...";
	if (context->is_span)
		out->instead =
			"Of a span it is kept which methods ran, not at which instructions. Space is live again, where they are counted.";
	else if (context->is_over)
		out->instead = "Space is live again, where it is read.";
}

static const char *const compact[] = { "self_pct", "offset", "instruction", NULL };

const struct nt_view nt_view_code = {
	.action = NT_DO_ANNOTATE,
	.tab = "Code",
	.tab_short = "Code",
	.table = &nt_table_instructions,
	.first_x = 1,
	.least_rest = 30,
	.compact = compact,
	.has_raw_names = true,
	.of_samples = true,
	.flags = flags,
	.home = home,
	.panel_lines = 2,
	.panel_stays = true,
	.panel = panel,
	.nothing = nothing,
};
