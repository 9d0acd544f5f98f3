/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much may be sent over a slow line (9600 baud are 960 bytes a second): in no second more than NT_LINE_BYTES_PER_S. What a piece of a row costs is counted as the most that it can. Pure.
 */
#ifndef NT_UI_LINE_BUDGET_H
#define NT_UI_LINE_BUDGET_H

#include "nettop/clock.h"
#include "ui/screen/grid.h"

#include <stdbool.h>

enum {
	NT_LINE_BYTES_PER_S = 960,
	NT_LINE_SAVED_BYTES = 240,                                     /* at once, after a pause */
	NT_LINE_RATE = NT_LINE_BYTES_PER_S - NT_LINE_SAVED_BYTES - 40, /* and a little for what begins and ends a screen */
};

/* All zero: nothing may be sent yet. */
struct nt_line_budget {
	nt_time at;
	double bytes;
};

/* It is now so late. */
void nt_line_budget_pass(struct nt_line_budget *budget, nt_time now);

/*
 * Take what the cells [from, to) of a row cost, as many of them as there is enough for: returns where these end, `from` when it is not enough for one. `ascii`: each is sent as one byte. No wide character is
 * cut in two.
 */
int nt_line_budget_take(struct nt_line_budget *budget, const struct nt_grid_cell *row, int from, int to, bool ascii);

#endif
