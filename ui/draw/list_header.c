// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/list_header.h"

#include "nettop/process_row.h"
#include "nettop/shorten.h"
#include "ui/screen/line.h"

static void count(const struct nt_snapshot *snapshot, size_t *there, size_t *closed)
{
	*there = *closed = 0;
	for (size_t i = 0; i < snapshot->listed_count; i++) {
		const struct nt_process_row *row = &snapshot->listed[i];
		bool is_there = row->ended_at == NT_TIME_UNKNOWN && row->kind == NT_PROCESS_ROW;
		*there += is_there;
		*closed += is_there && row->closed;
	}
}

static struct nt_line left_line(const struct nt_ui *ui)
{
	struct nt_line line = { 0 };
	char clock[32];
	size_t there, closed;
	nt_line_add(&line, "nettop");
	if (!ui->shown)
		return line;
	count(ui->shown, &there, &closed);
	if (!ui->layout.compact)
		nt_line_add(&line, "  %s", nt_ui_clock(ui, ui->shown->t1, clock, sizeof(clock)));
	nt_line_add(&line, "  %zu .NET process%s", there, there == 1 ? "" : "es");
	if (closed)
		nt_line_add(&line, ", %zu of other users%s", closed, ui->layout.compact ? "" : ": root needed");
	if (ui->shown->self_pct.known && !ui->layout.compact)
		nt_line_add(&line, "  self %.1f%%", ui->shown->self_pct.v);
	return line;
}

void nt_list_header_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	const char *state = ui->paused ? "PAUSED" : "LIVE";
	struct nt_line left = left_line(ui);
	char cut[NT_LINE_BYTES];
	int room = grid->width - nt_text_cells(state) - 1;
	nt_grid_put(grid, 0, 0, room, NT_STYLE_PLAIN, nt_shorten_tail(left.text, room, cut, sizeof(cut)));
	nt_grid_put_right(grid, 0, 0, grid->width, ui->paused ? NT_STYLE_STATE : NT_STYLE_PLAIN, state);
}
