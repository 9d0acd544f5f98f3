/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns of the screen of time: each is some whole seconds long and stands for the same time as long as it is shown, so that the picture moves on by a column at a time and nothing else of it changes. The
 * last column has the end of the newest interval.
 */
#ifndef NT_UI_TIME_AXIS_H
#define NT_UI_TIME_AXIS_H

#include "ui/state/state.h"

struct nt_time_axis {
	nt_time step;
	nt_time shift; /* a time and this is so many seconds of a clock on a wall: there columns begin at whole multiples of `step`. Modulo 2^64 */
	nt_time last; /* the number of the last column: which multiple */
	int cells;
};

/* An interval is over. */
struct nt_time_axis nt_time_axis_of(const struct nt_ui *ui);

/* When a column begins; cells may lie before the first one or behind the last. */
nt_time nt_time_axis_start(const struct nt_time_axis *axis, int cell);

/* The columns of an interval: one, that of its middle, or where it is longer than these all of which it has half or more. *from < 0: it begins before them; *to < 0: it is over before them. */
void nt_time_axis_cells(const struct nt_time_axis *axis, nt_time t0, nt_time t1, int *from, int *to);

/* So many columns lie from one time of day that is written to the next; *first: the column in which one is. */
int nt_time_axis_clocks(const struct nt_time_axis *axis, int *first);

#endif
