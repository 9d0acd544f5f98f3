/* SPDX-License-Identifier: GPL-2.0-only */
/* By what the rows of the present screen are sorted. */
#ifndef NT_UI_SORT_H
#define NT_UI_SORT_H

#include "ui/state/state.h"

/* Returns effects. */
unsigned nt_sort_by(struct nt_ui *ui, const struct nt_column *column, bool ascending, nt_time now);

/* By the column to the left (-1) or right (+1), in its natural direction. Returns effects. */
unsigned nt_sort_step(struct nt_ui *ui, int direction, nt_time now);

/* By the column that is its CPU, its memory or its time, which is shown then; says so where there is none. Returns effects. */
unsigned nt_sort_by_key(struct nt_ui *ui, enum nt_sort_key sort_key, nt_time now);

#endif
