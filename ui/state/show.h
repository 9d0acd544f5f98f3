/* SPDX-License-Identifier: GPL-2.0-only */
/* What is shown: which snapshot, which part of it, and how the screen is laid out for it. */
#ifndef NT_UI_SHOW_H
#define NT_UI_SHOW_H

#include "ui/state/state.h"

/* Put a snapshot, which is retained, in the place of another. */
void nt_ui_hold(struct nt_snapshot **place, struct nt_snapshot *snapshot);

/* Show this snapshot. */
void nt_ui_show(struct nt_ui *ui, struct nt_snapshot *snapshot, nt_time now);

/* `process` or the restriction is another. */
void nt_ui_restrict(struct nt_ui *ui);

/* Make the layout again: of the same size, with another header or other marked tiles. */
void nt_ui_relayout(struct nt_ui *ui);

#endif
