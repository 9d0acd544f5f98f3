/* SPDX-License-Identifier: GPL-2.0-only */
/* Menus over the body: a line for each column, by which to sort (key s) or which to show (key C); a line for all that can be written (key w). */
#ifndef NT_UI_MENU_H
#define NT_UI_MENU_H

#include "ui/state/state.h"

/* NT_OVERLAY_SORT, NT_OVERLAY_COLUMNS or NT_OVERLAY_WRITE. Returns effects. */
unsigned nt_menu_open(struct nt_ui *ui, enum nt_overlay menu);
bool nt_menu_is_open(const struct nt_ui *ui);

/* Of the menu that is open: the key that opened it, and its line of keys. */
enum nt_action nt_menu_action(const struct nt_ui *ui);
const char *nt_menu_hint(const struct nt_ui *ui);

/* False: the key is none of the menu's. */
bool nt_menu_handle(struct nt_ui *ui, enum nt_action action, nt_time now);

void nt_menu_draw(const struct nt_ui *ui, struct nt_grid *grid);

#endif
