/* SPDX-License-Identifier: GPL-2.0-only */
/* What the groupings of screen 4 have in common: the lines about the thread pool. */
#ifndef NT_UI_POOL_PANEL_H
#define NT_UI_POOL_PANEL_H

#include "ui/views/view.h"

enum { NT_POOL_PANEL_LINES = 3, NT_POOL_PANEL_LABEL = 7 /* cells before what a line says */ };

/* Workers and what waits; the queue over time; what the pool decided lately: `panel` of struct nt_view. */
void nt_pool_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y);

#endif
