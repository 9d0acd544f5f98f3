// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/mouse.h"

#include "ui/act/go_view.h"
#include "ui/act/sort.h"
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

/* The column under whose title, or left of the gap, x is; NULL = there is none. */
static const struct nt_column *column_at(const struct nt_ui *ui, int x)
{
	const struct nt_column *found = NULL;
	int side = nt_ui_side_width(ui);
	if (side && x >= ui->layout.width - side)
		return NULL;
	for (size_t i = 0; i < ui->placement.count && ui->placement.items[i].x <= x; i++)
		found = ui->placement.items[i].column;
	return found;
}

/* As in other tables that are clicked: sort by it, and the other way round the second time. The last title takes the rest of the line, in which other things are said. */
static unsigned click_title(struct nt_ui *ui, int x, nt_time now)
{
	const struct nt_table_state *table = nt_ui_table(ui);
	const struct nt_column *column = column_at(ui, x);
	if (!column || !nt_column_sorts(column) || table->detail)
		return 0;
	return nt_sort_by(ui, column, column == table->sort ? !table->ascending : column->ascending, now);
}

unsigned nt_mouse_click(struct nt_ui *ui, int x, int y, nt_time now)
{
	size_t tab = nt_header_tab_at(ui, x, y);
	if (tab < NT_VIEW_TABS) {
		ui->overlay = NT_OVERLAY_NONE;
		ui->page_top = 0;
		return NT_UI_REDRAW | nt_go_tab(ui, tab, now);
	}
	if (ui->overlay != NT_OVERLAY_NONE)
		return 0;
	bool is_title = y == ui->layout.title_y + nt_ui_panel_height(ui);
	return is_title ? click_title(ui, x, now) : click_row(ui, y, now);
}
