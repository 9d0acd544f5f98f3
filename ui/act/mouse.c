// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/mouse.h"

#include "ui/act/go_view.h"
#include "ui/draw/header.h"
#include "ui/state/select.h"

/* As drawn: below the titles, which lie below the view's panel. */
static unsigned click_row(struct nt_ui *ui, int y, nt_time now)
{
	const struct nt_table_state *table = nt_ui_table(ui);
	int line = y - ui->layout.title_y - nt_ui_panel_height(ui) - 1;
	if (line < 0 || y >= ui->layout.context_y || table->detail)
		return 0;
	size_t index = table->top + (size_t)line;
	if (index >= table->rows.count)
		return 0;
	nt_select_move(ui, (long)index - (long)table->cursor, now);
	return NT_UI_REDRAW;
}

unsigned nt_mouse_click(struct nt_ui *ui, int x, int y, nt_time now)
{
	size_t tab = nt_header_tab_at(ui, x, y);
	if (tab < NT_VIEW_TABS) {
		ui->overlay = NT_OVERLAY_NONE;
		ui->page_top = 0;
		return NT_UI_REDRAW | nt_go_tab(ui, tab, now);
	}
	return ui->overlay == NT_OVERLAY_NONE ? click_row(ui, y, now) : 0;
}
