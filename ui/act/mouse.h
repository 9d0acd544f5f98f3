/* SPDX-License-Identifier: GPL-2.0-only */
/* What a click does: it selects the row, sorts by the column whose title it is on, the other way round the second time, or opens the screen whose tab it is on. (The wheel is three arrow keys.) */
#ifndef NT_UI_MOUSE_H
#define NT_UI_MOUSE_H

#include "ui/state/state.h"

/* On the cell x, y. Returns effects. */
unsigned nt_mouse_click(struct nt_ui *ui, int x, int y, nt_time now);

#endif
