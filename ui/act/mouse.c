// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/mouse.h"

#include "ui/act/go.h"
#include "ui/rows/select.h"

enum { WHEEL_ROWS = 3 };

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

static unsigned click(struct nt_ui *ui, int x, int y, nt_time now)
{
	size_t tab = nt_header_tab_at(ui, x, y);
	if (tab < NT_VIEW_TABS) {
		ui->overlay = NT_OVERLAY_NONE;
		ui->page_top = 0;
		return NT_UI_REDRAW | nt_go_view(ui, tab, now);
	}
	return ui->overlay == NT_OVERLAY_NONE ? click_row(ui, y, now) : 0;
}

unsigned nt_mouse_handle(struct nt_ui *ui, nt_key key, nt_time now)
{
	unsigned effects = 0;
	if (ui->prompt != NT_PROMPT_NONE || ui->layout.too_small)
		return 0;
	enum nt_mouse kind = nt_key_mouse_kind(key);
	if (kind == NT_MOUSE_CLICK)
		return click(ui, nt_key_mouse_x(key), nt_key_mouse_y(key), now);
	for (int i = 0; i < WHEEL_ROWS; i++)
		effects |= nt_ui_handle(ui, kind == NT_MOUSE_WHEEL_UP ? NT_KEY_UP : NT_KEY_DOWN, now);
	return effects;
}
