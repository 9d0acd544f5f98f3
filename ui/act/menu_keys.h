/* SPDX-License-Identifier: GPL-2.0-only */
/* What keys and clicks do in a menu. */
#ifndef NT_UI_MENU_KEYS_H
#define NT_UI_MENU_KEYS_H

#include "ui/state/state.h"

/* NT_OVERLAY_SORT, NT_OVERLAY_COLUMNS, NT_OVERLAY_WRITE or NT_OVERLAY_PROVIDERS. Returns effects. */
unsigned nt_menu_open(struct nt_ui *ui, enum nt_overlay menu);

/* False: the key is none of the menu's. */
bool nt_menu_handle(struct nt_ui *ui, enum nt_action action, nt_time now, unsigned *effects);

/* On line y of the screen: what stands there is chosen. Returns effects. */
unsigned nt_menu_click(struct nt_ui *ui, int y, nt_time now);

#endif
