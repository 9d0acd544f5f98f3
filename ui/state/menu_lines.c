// SPDX-License-Identifier: GPL-2.0-only
#include "ui/state/menu_lines.h"

#include "ui/state/file_choice.h"
#include "ui/state/provider_choice.h"

const struct nt_menu *nt_menu_of(const struct nt_ui *ui)
{
	static const struct nt_menu menus[] = {
		[NT_OVERLAY_SORT] = { NT_DO_SORT_MENU, "SORT BY", "Enter sort  Esc back", false },
		[NT_OVERLAY_COLUMNS] = { NT_DO_COLUMNS, "COLUMNS OF THIS SCREEN", "Space show, hide  Esc back", true },
		[NT_OVERLAY_WRITE] = { NT_DO_WRITE, "WRITE TO A FILE", "Enter name of the file  Esc back", false },
		[NT_OVERLAY_PROVIDERS] = { NT_DO_EXPAND, "ASK FOR: " NT_PRICE_COUNTERS, "Space ask, leave out  Esc back", true },
		[NT_OVERLAY_THEMES] = { NT_DO_THEMES, "COLOURS", "Enter show in these  Esc back", true },
	};
	const struct nt_menu *menu = &menus[ui->overlay];
	return menu->title ? menu : NULL;
}

size_t nt_menu_top(const struct nt_ui *ui)
{
	size_t height = ui->layout.body_height > 0 ? (size_t)ui->layout.body_height : 1, cursor = ui->menu_cursor;
	size_t least = cursor >= height ? cursor - height + 1 : 0;
	return ui->menu_top < least ? least : ui->menu_top > cursor ? cursor : ui->menu_top;
}

size_t nt_menu_count(const struct nt_ui *ui)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	switch (ui->overlay) {
	case NT_OVERLAY_SORT:
		return nt_ui_sortable(ui, columns);
	case NT_OVERLAY_COLUMNS:
		return nt_ui_all_columns(ui, columns);
	case NT_OVERLAY_WRITE:
		return nt_file_choice_count(ui);
	case NT_OVERLAY_PROVIDERS:
		return nt_provider_count(ui);
	case NT_OVERLAY_THEMES:
		return NT_THEME_COUNT;
	default:
		return 0;
	}
}
