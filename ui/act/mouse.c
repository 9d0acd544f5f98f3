// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/mouse.h"

#include "ui/act/go.h"
#include "ui/act/go_view.h"
#include "ui/act/leave.h"
#include "ui/act/menu_keys.h"
#include "ui/act/mouse_time.h"
#include "ui/act/sort.h"
#include "ui/draw/header.h"
#include "ui/draw/header_tiles.h"
#include "ui/draw/side.h"
#include "ui/state/menu_lines.h"
#include "ui/state/select.h"

/* From the first click of two to the second. */
#define TWICE_NS (400 * NT_NS_PER_MS)

/* Cells of the table. */
static int table_width(const struct nt_ui *ui)
{
	int side = nt_ui_side_width(ui);
	return side ? ui->layout.width - side - 1 : ui->layout.width;
}

/* As drawn: below the titles, which lie below the view's panel. */
static unsigned click_row(struct nt_ui *ui, int x, int y, nt_time now)
{
	const struct nt_table_state *table = nt_ui_table(ui);
	int line = y - ui->layout.title_y - nt_ui_panel_height(ui) - 1;
	if (line < 0 || y >= ui->layout.context_y || x >= table_width(ui) || table->detail)
		return 0;
	size_t index = table->top + (size_t)line;
	if (index >= table->rows.count)
		return 0;
	uint64_t id = table->rows.refs[index].id;
	bool twice = ui->clicked.at && ui->clicked.id == id && now < ui->clicked.at + TWICE_NS;
	ui->clicked = (struct nt_click){ .at = twice ? 0 : now, .id = id };
	nt_select_move(ui, (long)index - (long)table->cursor, now);
	return NT_UI_REDRAW | (twice ? nt_go_in(ui, now) : 0);
}

/* To the row itself, on its own screen. */
static unsigned click_beside(struct nt_ui *ui, int y, nt_time now)
{
	uint64_t id;
	size_t view = nt_side_leads_to(ui, y, &id);
	if (view == NT_VIEW_COUNT)
		return 0;
	unsigned effects = nt_go_view(ui, view, now);
	if (id)
		nt_select_id(ui, id, now);
	return effects;
}

/* The column under whose title, or left of the gap, x is; NULL = there is none. */
static const struct nt_column *column_at(const struct nt_ui *ui, int x)
{
	const struct nt_column *found = NULL;
	for (size_t i = 0; i < ui->placement.count && ui->placement.items[i].x <= x && x < table_width(ui); i++)
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

/* What is above the table leads to other screens, whatever lies over this one. 0: it is something else. */
static unsigned click_header(struct nt_ui *ui, int x, int y, nt_time now)
{
	size_t tab = nt_header_tab_at(ui, x, y);
	enum nt_subject_id tile = nt_header_tile_at(ui, x, y);
	bool finding = ui->layout.finding_y >= 0 && y == ui->layout.finding_y && !ui->config.list;
	if (tab < NT_VIEW_TABS)
		return NT_UI_REDRAW | nt_leave_overlay(ui) | nt_go_tab(ui, tab, now);
	if (tile < NT_SUBJECT_COUNT)
		return NT_UI_REDRAW | nt_leave_overlay(ui) | nt_go_view_of(ui, nt_key_action((nt_key)nt_subjects[tile]->screen[0]), now);
	return finding ? NT_UI_REDRAW | nt_leave_overlay(ui) | nt_go_finding(ui, now) : 0;
}

unsigned nt_mouse_click(struct nt_ui *ui, int x, int y, nt_time now)
{
	unsigned effects = click_header(ui, x, y, now);
	if (effects)
		return effects;
	if (nt_menu_of(ui))
		return nt_menu_click(ui, y, now);
	if (ui->overlay == NT_OVERLAY_TIME)
		return nt_mouse_time_press(ui, x, y);
	if (ui->overlay != NT_OVERLAY_NONE)
		return 0;
	if (x > table_width(ui) && !nt_ui_table(ui)->detail)
		return click_beside(ui, y, now);
	bool is_title = y == ui->layout.title_y + nt_ui_panel_height(ui);
	return is_title ? click_title(ui, x, now) : click_row(ui, x, y, now);
}
