/* SPDX-License-Identifier: GPL-2.0-only */
/* What the groupings of screen 5 have in common. */
#ifndef NT_UI_VIEW_ALLOC_H
#define NT_UI_VIEW_ALLOC_H

#include "nettop/source.h"
#include "ui/views/view.h"

#define NT_VIEW_ALLOC_DEMAND (NT_WANT_ALLOC_SAMPLES | NT_WANT_GC_HISTORIES) /* of the histories the budget */
#define NT_VIEW_ALLOC_ASKED  "The target is asked to sample its allocations as long as this screen is open"
#define NT_VIEW_ALLOC_LEFT   "Allocations are no longer sampled"

enum { NT_VIEW_ALLOC_LINES = 2 };

/* As the functions of struct nt_view: the lines above, and why there are no rows. */
void nt_view_alloc_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y);
void nt_view_no_allocations(const struct nt_column_context *context, struct nt_nothing *out);

/* As the functions of struct nt_view, for rows by type and by place: after a zero those are hidden of which nothing came since. */
unsigned nt_view_alloc_flags(const void *row);
bool nt_view_alloc_hidden(const void *row, unsigned hide);
const struct nt_call_stack *nt_view_alloc_stack(const struct nt_column_context *context, const void *row);
const struct nt_why *nt_view_alloc_no_stacks(const struct nt_column_context *context);

/* Can the runtime not sample at all? Then it is asked for nothing. */
bool nt_view_no_samples_to_be_had(const struct nt_snapshot *snapshot);

#endif
