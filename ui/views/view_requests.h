/* SPDX-License-Identifier: GPL-2.0-only */
/* What both groupings of screen R have in common. */
#ifndef NT_UI_VIEW_REQUESTS_H
#define NT_UI_VIEW_REQUESTS_H

#include "ui/views/view.h"

/* The price is that of NT_PRICE_REQUEST, twice. */
#define NT_VIEW_REQUESTS_ASKED "Each request is told while this screen is open, for 5 us or more of the target's CPU time"
#define NT_VIEW_REQUESTS_LEFT  "Single requests are no longer told"

/* The same, and as often as a thread takes one up or puts it down NT_PRICE_ACTIVITY. */
#define NT_VIEW_REQUEST_TIMES_ASKED "Each request and its turns on threads are told while this is open, for 10 us or more of CPU time"

/* What single requests come to in a line, or why they are not told. */
enum { NT_VIEW_REQUESTS_PANEL = 1 };
void nt_view_requests_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y);

/* Is there nothing in the program that serves? It is not asked for single requests then. */
bool nt_view_has_no_requests(const struct nt_snapshot *snapshot);

#endif
