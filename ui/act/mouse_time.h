/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mouse on the screen of time: a click leads to the interval that is seen there, of a strip's column to the one with the largest value, of a finding's mark to one in which it held; in the heat map to a part of it.
 * Let go elsewhere it has chosen a span: between two cells of the heat map, or all of the columns between.
 */
#ifndef NT_UI_MOUSE_TIME_H
#define NT_UI_MOUSE_TIME_H

#include "ui/state/state.h"

/* On the cell x, y of the screen, while the screen of time is open. Return effects. */
unsigned nt_mouse_time_press(struct nt_ui *ui, int x, int y);
unsigned nt_mouse_time_release(struct nt_ui *ui, int x, int y);

#endif
