// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/menu_keys.h"

#include "ui/act/providers.h"
#include "ui/act/sort.h"
#include "ui/act/write.h"
#include "ui/state/menu_lines.h"
#include "ui/state/message.h"
#include "ui/state/select.h"

unsigned nt_menu_open(struct nt_ui *ui, enum nt_overlay menu)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	ui->overlay = menu;
	ui->menu_cursor = ui->menu_top = 0;
	for (size_t i = menu == NT_OVERLAY_SORT ? nt_ui_sortable(ui, columns) : 0; i > 0; i--)
		if (columns[i - 1] == nt_ui_table(ui)->sort)
			ui->menu_cursor = i - 1;
	if (menu == NT_OVERLAY_THEMES)
		ui->menu_cursor = (size_t)ui->settings.theme;
	return NT_UI_REDRAW;
}

static void choose_sort(struct nt_ui *ui, size_t index, nt_time now)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	nt_ui_sortable(ui, columns);
	nt_sort_by(ui, columns[index], columns[index]->ascending, now);
}

static void choose_column(struct nt_ui *ui, size_t index, nt_time now)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	nt_ui_all_columns(ui, columns);
	uint64_t set = table->columns ^ nt_ui_column_bit(ui, columns[index]);
	if (!set) {
		nt_ui_message(ui, now, "One column has to stay");
		return;
	}
	table->columns = set;
	nt_select_refresh(ui, false, now);
}

static unsigned choose(struct nt_ui *ui, enum nt_overlay menu, nt_time now)
{
	if (menu == NT_OVERLAY_PROVIDERS)
		return nt_providers_choose(ui, ui->menu_cursor, now);
	if (menu == NT_OVERLAY_THEMES) {
		ui->settings.theme = (enum nt_theme)ui->menu_cursor;
		return NT_UI_THEME;
	}
	if (menu == NT_OVERLAY_SORT)
		choose_sort(ui, ui->menu_cursor, now);
	else if (menu == NT_OVERLAY_COLUMNS)
		choose_column(ui, ui->menu_cursor, now);
	else
		return nt_write_choose(ui, ui->menu_cursor, now);
	return 0;
}

static unsigned choose_and_go_on(struct nt_ui *ui, nt_time now)
{
	enum nt_overlay which = ui->overlay;
	ui->overlay = nt_menu_of(ui)->stays ? which : NT_OVERLAY_NONE;
	return choose(ui, which, now);
}

static bool move(struct nt_ui *ui, enum nt_action action, size_t count)
{
	switch (action) {
	case NT_DO_UP:
		ui->menu_cursor -= ui->menu_cursor > 0;
		return true;
	case NT_DO_DOWN:
		ui->menu_cursor += ui->menu_cursor + 1 < count;
		return true;
	case NT_DO_FIRST:
	case NT_DO_PAGE_UP:
		ui->menu_cursor = 0;
		return true;
	case NT_DO_LAST:
	case NT_DO_PAGE_DOWN:
		ui->menu_cursor = count ? count - 1 : 0;
		return true;
	default:
		return false;
	}
}

bool nt_menu_handle(struct nt_ui *ui, enum nt_action action, nt_time now, unsigned *effects)
{
	size_t count = nt_menu_count(ui);
	bool chosen = action == NT_DO_IN || (nt_menu_of(ui)->stays && action == NT_DO_PAUSE);
	if (chosen && count) {
		*effects = choose_and_go_on(ui, now);
		return true;
	}
	bool moved = move(ui, action, count);
	ui->menu_top = nt_menu_top(ui);
	return moved;
}

unsigned nt_menu_click(struct nt_ui *ui, int y, nt_time now)
{
	int line = y - ui->layout.body_y;
	size_t top = nt_menu_top(ui);
	if (line < 0 || line >= ui->layout.body_height || top + (size_t)line >= nt_menu_count(ui))
		return 0;
	ui->menu_top = top;
	ui->menu_cursor = top + (size_t)line;
	return NT_UI_REDRAW | choose_and_go_on(ui, now);
}
