// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/menu.h"

#include "ui/act/write.h"
#include "ui/rows/select.h"
#include "ui/rows/sort.h"
#include "ui/screen/line.h"
#include "ui/screen/shorten.h"

struct menu {
	enum nt_action action; /* of its key */
	const char *title, *hint;
	size_t (*count)(const struct nt_ui *ui); /* its lines */
	void (*line)(const struct nt_ui *ui, size_t index, struct nt_line *out);
	void (*choose)(struct nt_ui *ui, size_t index, nt_time now);
	bool stays; /* open after a choice; then Space chooses, too */
};

/* A drawing has no title: its key. */
static void column_text(const struct nt_column *column, const char *mark, struct nt_line *out)
{
	nt_line_add(out, "%s%-10s %s", mark, *column->title ? column->title : column->key, column->help);
}

/* ---- the sort menu ---- */

static size_t sort_count(const struct nt_ui *ui)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	return nt_ui_sortable(ui, columns);
}

static void sort_line(const struct nt_ui *ui, size_t index, struct nt_line *out)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	nt_ui_sortable(ui, columns);
	column_text(columns[index], columns[index] == nt_ui_table(ui)->sort ? " * " : "   ", out);
}

static void sort_choose(struct nt_ui *ui, size_t index, nt_time now)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	nt_ui_sortable(ui, columns);
	nt_sort_by(ui, columns[index], columns[index]->ascending, now);
}

/* ---- the column menu ---- */

/* All of the screen, the one that takes the rest last. */
static size_t all_columns(const struct nt_ui *ui, const struct nt_column *columns[NT_PLACED_MAX])
{
	return nt_table_columns(nt_ui_view(ui)->table, UINT32_MAX, columns);
}

static size_t column_count(const struct nt_ui *ui)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	return all_columns(ui, columns);
}

static uint32_t bit_of(const struct nt_ui *ui, const struct nt_column *column)
{
	return UINT32_C(1) << (column - nt_ui_view(ui)->table->columns);
}

static void column_line(const struct nt_ui *ui, size_t index, struct nt_line *out)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	all_columns(ui, columns);
	column_text(columns[index], nt_ui_table(ui)->columns & bit_of(ui, columns[index]) ? " [x] " : " [ ] ", out);
}

static void column_choose(struct nt_ui *ui, size_t index, nt_time now)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	all_columns(ui, columns);
	uint32_t set = table->columns ^ bit_of(ui, columns[index]);
	if (!set) {
		nt_ui_message(ui, now, "One column has to stay");
		return;
	}
	table->columns = set;
	nt_select_refresh(ui, false, now);
}

/* ---- what they share ---- */

static const struct menu menus[] = {
	[NT_OVERLAY_SORT] = { NT_DO_SORT_MENU, "SORT BY", "Enter sort  Esc back", sort_count, sort_line, sort_choose, false },
	[NT_OVERLAY_COLUMNS] = { NT_DO_COLUMNS, "COLUMNS OF THIS SCREEN", "Space show, hide  Esc back", column_count, column_line,
				 column_choose, true },
	[NT_OVERLAY_WRITE] = { NT_DO_WRITE, "WRITE TO A FILE", "Enter name of the file  Esc back", nt_write_count, nt_write_line,
			       nt_write_choose, false },
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
	for (size_t i = menu == NT_OVERLAY_SORT ? nt_ui_sortable(ui, columns) : 0; i > 0; i--)
		if (columns[i - 1] == nt_ui_table(ui)->sort)
			ui->menu_cursor = i - 1;
	return NT_UI_REDRAW;
}

bool nt_menu_is_open(const struct nt_ui *ui)
{
	return ui->overlay == NT_OVERLAY_SORT || ui->overlay == NT_OVERLAY_COLUMNS || ui->overlay == NT_OVERLAY_WRITE;
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
	size_t count = menu->count(ui);
	bool chosen = action == NT_DO_IN || (menu->stays && action == NT_DO_PAUSE);
	if (chosen && count) {
		ui->overlay = menu->stays ? ui->overlay : NT_OVERLAY_NONE;
		menu->choose(ui, ui->menu_cursor, now);
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

void nt_menu_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	const struct menu *menu = menu_of(ui);
	size_t count = menu->count(ui);
	int height = ui->layout.body_height, y = ui->layout.body_y;
	size_t top = ui->menu_cursor >= (size_t)height ? ui->menu_cursor - (size_t)height + 1 : 0;
	nt_body_title(ui, grid, menu->title);
	for (size_t i = top; i < count && i - top < (size_t)height; i++, y++) {
		struct nt_line line = { 0 };
		char cut[NT_LINE_BYTES];
		enum nt_style style = i == ui->menu_cursor ? NT_STYLE_CURSOR : NT_STYLE_PLAIN;
		menu->line(ui, i, &line);
		nt_grid_fill(grid, 0, y, grid->width, style, " ");
		nt_grid_put(grid, 0, y, grid->width, style, nt_shorten_tail(line.text, grid->width, cut, sizeof(cut)));
	}
}
