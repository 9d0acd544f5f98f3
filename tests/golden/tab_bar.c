// SPDX-License-Identifier: GPL-2.0-only
#include "tab_bar.h"

#include "rows.h"
#include "ui/state/state.h"

#include <string.h>

enum { ROW_BYTES = 1024 };

bool tab_bar_stands_in(const struct nt_ui *ui, const struct nt_grid *grid, int y, FILE *out)
{
	char text[ROW_BYTES];
	if (ui->layout.too_small || y != ui->layout.tabs_y)
		return false;
	const char *selected = strchr(nt_grid_row_text(grid, y, text, sizeof(text)), '[');
	fprintf(out, "(tab bar%s%.*s)\n", selected ? ": " : "", selected ? (int)strcspn(selected, "]") + 1 : 0, selected ? selected : "");
	return true;
}

static void write_all(struct nt_ui *ui, int width, enum form form, nt_time now, FILE *out)
{
	struct nt_grid grid;
	nt_grid_init(&grid, 1, 1);
	nt_ui_resize(ui, width, ui->layout.height);
	for (size_t i = 0; i < NT_VIEW_TABS; i++) {
		nt_ui_render(ui, &grid);
		write_row(&grid, ui->layout.tabs_y, form, out);
		nt_ui_handle(ui, NT_KEY_TAB, now); /* after the last one to the first */
	}
	nt_grid_fini(&grid);
}

void tab_bar_write(struct nt_ui *ui, nt_time now, FILE *out)
{
	static const int widths[] = { 200, 120, 119, 80, 60, 50 };
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		fprintf(out, "%d cells\n", widths[i]);
		write_all(ui, widths[i], TEXT, now, out);
	}
	fprintf(out, "80 cells: styles\n");
	write_all(ui, 80, STYLES, now, out);
	fprintf(out, "80 cells: without UTF-8\n");
	write_all(ui, 80, ASCII, now, out);
}
