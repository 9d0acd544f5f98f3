/* SPDX-License-Identifier: GPL-2.0-only */
/* What the groupings of screen 3 have in common. */
#ifndef NT_UI_VIEW_JIT_H
#define NT_UI_VIEW_JIT_H

#include "ui/views/view.h"

enum { NT_VIEW_JIT_PANEL = 2 };

/* The price is that of NT_PRICE_EVENTPIPE_STACK, with the frames that such a stack has. */
#define NT_VIEW_JIT_CALLERS_ASKED "The target is asked where each compilation comes from while this is open, for 5 us or more of each"

/* What the JIT compiles now, and what it did lately: `panel` of struct nt_view. */
void nt_view_jit_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y);

/* Why there is no row: `nothing` of struct nt_view. */
void nt_view_jit_nothing(const struct nt_column_context *context, struct nt_nothing *out);

#endif
