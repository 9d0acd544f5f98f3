// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/ending.h"

#include "base/text.h"
#include "nettop/shorten.h"
#include "ui/state/death.h"

static void put(struct nt_grid *grid, int y, enum nt_style style, const struct nt_line *line)
{
	char cut[NT_LINE_BYTES];
	nt_grid_put(grid, 0, y, grid->width, style, nt_shorten_tail(line->text, grid->width, cut, sizeof(cut)));
}

void nt_ending_add(const struct nt_target_end *end, struct nt_line *line)
{
	const char *rest = end->message, *one;
	size_t length;
	nt_line_add_safe(line, nt_end_subject(end));
	for (bool first = true; nt_text_next_line(&rest, &one, &length); first = false) {
		char text[NT_LINE_BYTES];
		nt_text_escape(one, length, text, sizeof(text));
		nt_line_add(line, "%s%s", first ? ": " : " ", text);
	}
}

static void draw_head(const struct nt_target_end *end, struct nt_grid *grid, int y)
{
	struct nt_line line = { 0 };
	bool known = !nt_death_is_in_doubt(end);
	nt_line_add(&line, !known ? "  Exception: " : nt_end_by_exception(end) ? "  Unhandled " : "  ");
	if (known)
		nt_ending_add(end, &line);
	else
		nt_line_add_safe(&line, end->reason);
	put(grid, y, known ? NT_STYLE_ALERT : NT_STYLE_DIM, &line);
}

void nt_ending_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	const struct nt_target_end *end = nt_death_of(ui);
	int y = ui->layout.finding_y + 1, until = y + ui->layout.end_height;
	if (!end || y >= until)
		return;
	draw_head(end, grid, y++);
	int left = nt_death_stack_lines(end);
	size_t length;
	for (const char *rest = end->stack, *one; y < until && nt_text_next_line(&rest, &one, &length); y++, left--) {
		struct nt_line line = { 0 };
		char text[NT_LINE_BYTES];
		nt_text_escape(one, length, text, sizeof(text));
		if (y + 1 == until && left > 1)
			nt_line_add(&line, "    ... %d more lines", left);
		else
			nt_line_add(&line, "    %s", text);
		put(grid, y, NT_STYLE_PLAIN, &line);
	}
	if (!nt_death_is_in_doubt(end) && end->reason && y < until) {
		struct nt_line line = { 0 };
		nt_line_add(&line, "    (%s)", end->reason);
		put(grid, y, NT_STYLE_DIM, &line);
	}
}
