/* SPDX-License-Identifier: GPL-2.0-only */
/* To another screen, and what is said when the target does something for it alone. Each returns effects. */
#ifndef NT_UI_GO_VIEW_H
#define NT_UI_GO_VIEW_H

#include "ui/state/state.h"

unsigned nt_go_view(struct nt_ui *ui, size_t view, nt_time now);

/* To the screen that this key's action opens. */
/* To the screen of a tab: the grouping of its rows that was kept. */
unsigned nt_go_tab(struct nt_ui *ui, size_t tab, nt_time now);

unsigned nt_go_view_of(struct nt_ui *ui, enum nt_action action, nt_time now);

/* On a screen that has groupings: to the next one, or with a direction of -1 to the one before. */
unsigned nt_go_grouping(struct nt_ui *ui, int direction, nt_time now);

#endif
