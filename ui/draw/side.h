/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands beside the table on a wide screen: the waits beside the methods, the stack of the selected row beside the threads, and beside tables of places. */
#ifndef NT_UI_SIDE_H
#define NT_UI_SIDE_H

#include "ui/state/state.h"

/* From its title row, on line `y`, down to the context line; right of x. `scope`: what is said of the table's figures, where that stands here; "" = it does not. */
void nt_side_draw(const struct nt_ui *ui, const char *scope, struct nt_grid *grid, int x, int y);

/* The screen that a click beside the table leads to, and which row of it (0: none) is on that line of the screen; NT_VIEW_COUNT: nothing is there that leads anywhere. */
size_t nt_side_leads_to(const struct nt_ui *ui, int y, uint64_t *id);

#endif
