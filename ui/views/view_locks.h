/* SPDX-License-Identifier: GPL-2.0-only */
/* What the groupings of screen 7 have in common: functions of struct nt_view. */
#ifndef NT_UI_VIEW_LOCKS_H
#define NT_UI_VIEW_LOCKS_H

#include "ui/views/view.h"

/* Why it is not known from where threads wait, and why there are no rows. */
const struct nt_why *nt_view_locks_no_stacks(const struct nt_column_context *context);
void nt_view_no_locks(const struct nt_column_context *context, struct nt_nothing *out);

#endif
