/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of the present screen and the cursor among them. The cursor knows its row by id: it stays on it while rows come, go and move. */
#ifndef NT_UI_SELECT_H
#define NT_UI_SELECT_H

#include "ui/state/state.h"

/* Make the rows of the present screen again. anew: their order is not to be kept. */
void nt_select_refresh(struct nt_ui *ui, bool anew, nt_time now);

/* Move the cursor by this many rows, to the first, to the last. */
void nt_select_move(struct nt_ui *ui, long rows, nt_time now);
void nt_select_first(struct nt_ui *ui, nt_time now);
void nt_select_last(struct nt_ui *ui, nt_time now);

/* Put the cursor on this row, and take away what hides it. False when there is no such row. */
bool nt_select_id(struct nt_ui *ui, uint64_t id, nt_time now);

/* Show the rows that match. */
void nt_select_filter(struct nt_ui *ui, const char *text, nt_time now);

/*
 * To the next (+1) or previous (-1) match, around the end: any row while a filter is active, else a row out of its range. False when there is
 * none.
 */
bool nt_select_match(struct nt_ui *ui, int direction, nt_time now);

#endif
