/* SPDX-License-Identifier: GPL-2.0-only */
/* What the groupings of screen 8 have in common. */
#ifndef NT_UI_VIEW_WAITS_H
#define NT_UI_VIEW_WAITS_H

#include "ui/views/view.h"

/* The place that waits in a cell, or that nobody said which. As nt_view.cell(). */
bool nt_view_wait_site_cell(const char *site, int room, char *out, size_t size);

/* By which grouping, and in what way waits are known; is added to the title row. `grouping`: "by thread"; NULL = the usual one. */
void nt_view_wait_scope(const struct nt_column_context *context, const char *grouping, struct nt_line *out);

/* Why they are not known, or not exactly. As nt_view.lacks(). */
const struct nt_why *nt_view_wait_lacks(const struct nt_column_context *context);

/* Threads that are too many to have their waits counted; is added to what is in no row. */
void nt_view_wait_uncounted(const struct nt_process_snapshot *process, struct nt_line *out);

/* The same with threads that wait for work now. As nt_view.beyond(). */
void nt_view_wait_beyond(const struct nt_process_snapshot *process, struct nt_line *out);

/* Why there is no row. */
void nt_view_wait_nothing(const struct nt_column_context *context, struct nt_nothing *out);

#endif
