/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row that is what is shown, moved to the left by a cell, as a picture of the last minutes is with each interval. A terminal moves it in a few bytes (delete character), but curses looks only at what is left
 * and right of a change, and sends all of the row. Pure.
 */
#ifndef NT_UI_ROW_SHIFT_H
#define NT_UI_ROW_SHIFT_H

#include "ui/screen/grid.h"

/* The cell that has to go from what is shown, so that less is left to be sent; -1: none, or that saves next to nothing. A row in which a wide character moves is none. */
int nt_row_shift(const struct nt_grid_cell *row, const struct nt_grid_cell *shown, int width);

/* What the terminal makes of it: the cells right of `at` move to the left, and the last one is blank. */
void nt_row_shift_apply(struct nt_grid_cell *shown, int at, int width);

#endif
