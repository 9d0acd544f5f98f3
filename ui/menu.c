// SPDX-License-Identifier: GPL-2.0-only
#include "ui/menu.h"

#include "ui/line.h"
#include "ui/select.h"
#include "ui/shorten.h"
#include "ui/sort.h"

struct menu {
	enum nt_action action; /* of its key */
	const char *title, *hint;
	/* Its lines. */
	size_t (*columns)(const struct nt_ui *ui, const struct nt_column *columns[NT_PLACED_MAX]);
	/* What stands before a line. */
	const char *(*mark)(const struct nt_ui *ui, const struct nt_column *column);
	void (*choose)(struct nt_ui *ui, const struct nt_column *column, nt_time now);
	bool stays; /* open after a choice; then Space chooses, too */
};

/* ---- the sort menu ---- */

static const char *sort_mark(const struct nt_ui *ui, const struct nt_column *column)
{
	return column == nt_ui_table(ui)->sort ? " * " : "   ";
}

static void sort_choose(struct nt_ui *ui, const struct nt_column *column, nt_time now)
{
	nt_sort_by(ui, column, column->ascending, now);
}

/* ---- the column menu ---- */

static size_t all_columns(const struct nt_ui *ui, const struct nt_column *columns[NT_PLACED_MAX])
{
	return nt_table_columns(nt_ui_view(ui)->table, UINT32_MAX, columns);
}

static uint32_t bit_of(const struct nt_ui *ui, const struct nt_column *column)
{
	return UINT32_C(1) << (column - nt_ui_view(ui)->table->columns);
}

static const char *column_mark(const struct nt_ui *ui, const struct nt_column *column)
{
	return nt_ui_table(ui)->columns & bit_of(ui, column) ? " [x] " : " [ ] ";
}

static void column_choose(struct nt_ui *ui, const struct nt_column *column, nt_time now)
{
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	uint32_t set = table->columns ^ bit_of(ui, column);
	if (!set) {
		nt_ui_message(ui, now, "One column has to stay");
		return;
	}
	table->columns = set;
	nt_select_refresh(ui, false, now);
}

/* ---- what they share ---- */

static const struct menu menus[] = {
	[NT_OVERLAY_SORT] = { NT_DO_SORT_MENU, "SORT BY", "Enter sort  Esc back", nt_ui_sortable, sort_mark, sort_choose, false },
	[NT_OVERLAY_COLUMNS] = { NT_DO_COLUMNS, "COLUMNS OF THIS SCREEN", "Space show, hide  Esc back", all_columns, column_mark,
				 column_choose, true },
};

static const struct menu *menu_of(const struct nt_ui *ui)
{
	return &menus[ui->overlay];
}

unsigned nt_menu_open(struct nt_ui *ui, enum nt_overlay menu)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	ui->overlay = menu;
	ui->menu_cursor = 0;
	for (size_t i = menu_of(ui)->columns(ui, columns); i > 0; i--)
		if (menu == NT_OVERLAY_SORT && columns[i - 1] == nt_ui_table(ui)->sort)
			ui->menu_cursor = i - 1;
	return NT_UI_REDRAW;
}

bool nt_menu_is_open(const struct nt_ui *ui)
{
	return ui->overlay == NT_OVERLAY_SORT || ui->overlay == NT_OVERLAY_COLUMNS;
}

enum nt_action nt_menu_action(const struct nt_ui *ui)
{
	return menu_of(ui)->action;
}

const char *nt_menu_hint(const struct nt_ui *ui)
{
	return menu_of(ui)->hint;
}

bool nt_menu_handle(struct nt_ui *ui, enum nt_action action, nt_time now)
{
	const struct menu *menu = menu_of(ui);
	const struct nt_column *columns[NT_PLACED_MAX];
	size_t count = menu->columns(ui, columns);
	bool chosen = action == NT_DO_IN || (menu->stays && action == NT_DO_PAUSE);
	if (chosen && count) {
		ui->overlay = menu->stays ? ui->overlay : NT_OVERLAY_NONE;
		menu->choose(ui, columns[ui->menu_cursor], now);
		return true;
	}
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

/* A drawing has no title: its key. */
static const char *name_of(const struct nt_column *column)
{
	return *column->title ? column->title : column->key;
}

void nt_menu_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	const struct menu *menu = menu_of(ui);
	const struct nt_column *columns[NT_PLACED_MAX];
	size_t count = menu->columns(ui, columns);
	int height = ui->layout.body_height, y = ui->layout.body_y;
	size_t top = ui->menu_cursor >= (size_t)height ? ui->menu_cursor - (size_t)height + 1 : 0;
	nt_body_title(ui, grid, menu->title);
	for (size_t i = top; i < count && i - top < (size_t)height; i++, y++) {
		struct nt_line line = { 0 };
		char cut[NT_LINE_BYTES];
		enum nt_style style = i == ui->menu_cursor ? NT_STYLE_CURSOR : NT_STYLE_PLAIN;
		nt_line_add(&line, "%s%-10s %s", menu->mark(ui, columns[i]), name_of(columns[i]), columns[i]->help);
		nt_grid_fill(grid, 0, y, grid->width, style, " ");
		nt_grid_put(grid, 0, y, grid->width, style, nt_shorten_tail(line.text, grid->width, cut, sizeof(cut)));
	}
}
