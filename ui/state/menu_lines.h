/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Menus over the body: a line for each column, by which to sort (key s) or which to show (key C), for each theme (key Z); a line for all that can be written (key w); for each
 * provider of counters (key +).
 */
#ifndef NT_UI_MENU_LINES_H
#define NT_UI_MENU_LINES_H

#include "ui/state/state.h"

struct nt_menu {
	enum nt_action action; /* of the key that opens it */
	const char *title, *hint;
	bool stays; /* open after a choice; then Space chooses, too */
};

/* The one that is open; NULL = none is. */
const struct nt_menu *nt_menu_of(const struct nt_ui *ui);

/* Its lines. */
size_t nt_menu_count(const struct nt_ui *ui);

/* The first line that is on the screen: that of the cursor always is. */
size_t nt_menu_top(const struct nt_ui *ui);

#endif
