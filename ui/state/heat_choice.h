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

/* Lines of the screen of time before the heat map, and those around it. */
enum { NT_HEAT_ABOVE = 10, NT_HEAT_BELOW = 1 };

/* All zero: no cell is looked at, and nothing is chosen. The column is always that of the interval that is shown. */
struct nt_heat_choice {
	bool on;
	unsigned part;   /* the row's first, of NT_INTERVAL_PARTS */
	bool marked;     /* a span begins in a cell, or ends: */
	bool mark_whole; /* with all of an interval: no cell was looked at then */
	uint64_t mark;   /* the interval of that: sequence */
	unsigned mark_part;
};

/* Rows of the heat map, of equally many parts each; 0: there is no room for it. */
unsigned nt_heat_rows(const struct nt_ui *ui);

/* The interval that is shown, as the timeline has it; NULL: it is too long ago. `back`: its place there, may be NULL. */
const struct nt_timeline_moment *nt_heat_shown(const struct nt_ui *ui, size_t *back);

/* The span that is chosen: from what is marked to the cell that is looked at, or to the end of the interval where none is; or that cell alone. False: none is. */
bool nt_heat_span(const struct nt_ui *ui, nt_time *from, nt_time *to);

#endif
