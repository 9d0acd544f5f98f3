// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/menu.h"

#include "nettop/shorten.h"
#include "ui/draw/body_page.h"
#include "ui/screen/line.h"
#include "ui/state/file_choice.h"
#include "ui/state/menu_lines.h"
#include "ui/state/provider_choice.h"

/* A drawing has no title: its key. */
static void add_column(const struct nt_column *column, const char *mark, struct nt_line *out)
{
	nt_line_add(out, "%s%-10s %s", mark, *column->title ? column->title : column->key, column->help);
}

static void add_file(const struct nt_file_choice *choice, struct nt_line *out)
{
	nt_line_add(out, " %-13s %s", choice->word, choice->help);
}

static void add_provider(const struct nt_ui *ui, size_t index, struct nt_line *out)
{
	struct nt_provider_line line;
	nt_provider_at(ui, index, &line);
	nt_line_add(out, "%s%-37s ", line.is_another ? "     " : line.on ? " [x] " : " [ ] ", line.name);
	nt_line_add(out, "%s", line.says);
}

static void add_line(const struct nt_ui *ui, size_t index, struct nt_line *out)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	switch (ui->overlay) {
	case NT_OVERLAY_SORT:
		nt_ui_sortable(ui, columns);
		add_column(columns[index], columns[index] == nt_ui_table(ui)->sort ? " * " : "   ", out);
		break;
	case NT_OVERLAY_COLUMNS:
		nt_ui_all_columns(ui, columns);
		add_column(columns[index], nt_ui_table(ui)->columns & nt_ui_column_bit(ui, columns[index]) ? " [x] " : " [ ] ", out);
		break;
	case NT_OVERLAY_PROVIDERS:
		add_provider(ui, index, out);
		break;
	case NT_OVERLAY_THEMES:
		nt_line_add(out, "%s%-10s %s", index == (size_t)ui->settings.theme ? " * " : "   ", nt_theme_name((unsigned)index),
			    nt_theme_words((unsigned)index));
		break;
	default:
		add_file(nt_file_choice_at(ui, index), out);
	}
}

void nt_menu_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	size_t count = nt_menu_count(ui);
	int height = ui->layout.body_height, y = ui->layout.body_y;
	size_t top = nt_menu_top(ui);
	nt_body_title(ui, grid, nt_menu_of(ui)->title);
	for (size_t i = top; i < count && i - top < (size_t)height; i++, y++) {
		struct nt_line line = { 0 };
		char cut[NT_LINE_BYTES];
		enum nt_style style = i == ui->menu_cursor ? NT_STYLE_CURSOR : NT_STYLE_PLAIN;
		add_line(ui, i, &line);
		nt_grid_fill(grid, 0, y, grid->width, style, " ");
		nt_grid_put(grid, 0, y, grid->width, style, nt_shorten_tail(line.text, grid->width, cut, sizeof(cut)));
	}
}
