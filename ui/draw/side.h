/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands beside the table on a wide screen: the waits beside the methods, the selected thread's stack beside the threads. */
#ifndef NT_UI_SIDE_H
#define NT_UI_SIDE_H

#include "ui/state/state.h"

/* From its title row, on line `y`, down to the context line; right of x. */
void nt_side_draw(const struct nt_ui *ui, struct nt_grid *grid, int x, int y);

#endif
