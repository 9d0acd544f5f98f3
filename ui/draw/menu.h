/* SPDX-License-Identifier: GPL-2.0-only */
/* The menu that is open, in place of the table. */
#ifndef NT_UI_MENU_H
#define NT_UI_MENU_H

#include "ui/screen/grid.h"
#include "ui/state/state.h"

void nt_menu_draw(const struct nt_ui *ui, struct nt_grid *grid);

#endif
