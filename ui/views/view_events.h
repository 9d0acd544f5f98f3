/* SPDX-License-Identifier: GPL-2.0-only */
/* What both groupings of screen 9 have in common. */
#ifndef NT_UI_VIEW_EVENTS_H
#define NT_UI_VIEW_EVENTS_H

#include "ui/views/view.h"

/* The price is that of NT_PRICE_EVENTPIPE, and of NT_PRICE_EVENTPIPE_STACK. */
#define NT_VIEW_EVENTS_PRICE "each costs the target some 2 us, 5 with stacks"
#define NT_VIEW_EVENTS_ASKED "Asked for while this screen is open: some 2 us each, 5 with stacks"
#define NT_VIEW_EVENTS_LEFT  "The target is no longer asked for events"

/* Which events are shown, and how many there are, in a line. */
enum { NT_VIEW_EVENTS_PANEL = 1 };
void nt_view_events_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y);

/* Why there is none. */
void nt_view_events_nothing(const struct nt_column_context *context, struct nt_nothing *out);

#endif
