/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a click does: it selects the row, twice on one it is Enter; it sorts by the column whose title it is on, the other way round the second time; it chooses what stands in a menu; it opens the screen whose tab or tile it
 * is on, or that of the finding; to a row that stands beside the table it goes. (The wheel is three arrow keys, and a key's word in the last line or in a page that key: ui/act/handle.c.)
 */
#ifndef NT_UI_MOUSE_H
#define NT_UI_MOUSE_H

#include "ui/state/state.h"

/* On the cell x, y. Returns effects. */
unsigned nt_mouse_click(struct nt_ui *ui, int x, int y, nt_time now);

#endif
