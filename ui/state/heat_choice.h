/* SPDX-License-Identifier: GPL-2.0-only */
/* The heat map on the screen of time: how many rows there are, which cell is looked at, and from which on a span is chosen. */
#ifndef NT_UI_HEAT_CHOICE_H
#define NT_UI_HEAT_CHOICE_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_ui;
struct nt_timeline_moment;

/* Cells of the screen of time before its columns, and after them; the columns. */
enum { NT_TIME_LABEL = 10, NT_TIME_LARGEST = 14, NT_TIME_LEAST_CELLS = 10, NT_TIME_MOST_CELLS = 400 };

/* Lines of the screen of time before the heat map, and those around it. */
enum { NT_HEAT_ABOVE = 10, NT_HEAT_BELOW = 1 };

/* Where something is on the screen of time: intervals by their sequence. */
struct nt_time_place {
	uint64_t first, last; /* those of its column; in the heat map it is one */
	uint64_t meant;       /* the one that is looked for there */
	bool in_heat;         /* a cell of the heat map: */
	unsigned part;        /* the row's first, of NT_INTERVAL_PARTS */
};

/* All zero: no cell is looked at, and nothing is chosen. The column is always that of the interval that is shown. */
struct nt_heat_choice {
	bool on;
	unsigned part;   /* the row's first, of NT_INTERVAL_PARTS */
	bool marked;     /* a span begins in a cell, or ends: */
	bool dragged;    /* by the mouse: the next click begins anew */
	bool mark_whole; /* with all of an interval: no cell was looked at then */
	uint64_t mark;   /* the interval of that: sequence */
	unsigned mark_part;
};

/* Rows of the heat map, of equally many parts each; 0: there is no room for it. */
unsigned nt_heat_rows(const struct nt_ui *ui);

/* Columns of the screen of time; in the heat map one is an interval. */
int nt_time_columns(const struct nt_ui *ui);

/* Another interval is shown: the heat map moves as little as it has to, so that it has a column for it. */
void nt_heat_follow(struct nt_ui *ui);

/* The interval that is shown, as the timeline has it; NULL: it is too long ago. `back`: its place there, may be NULL. */
const struct nt_timeline_moment *nt_heat_shown(const struct nt_ui *ui, size_t *back);

/* The place there of the heat map's last column; false: there is none. */
bool nt_heat_last(const struct nt_ui *ui, size_t *back);

/* The span that is chosen: from what is marked to the cell that is looked at, or to the end of the interval where none is; or that cell alone. False: none is. */
bool nt_heat_span(const struct nt_ui *ui, nt_time *from, nt_time *to);

#endif
