/* SPDX-License-Identifier: GPL-2.0-only */
/* Leaving what lies over the table, by a key or a click. */
#ifndef NT_UI_LEAVE_H
#define NT_UI_LEAVE_H

#include "ui/state/state.h"

/* Returns the effects of that: a look at the heap ends with its page, and a dump is not begun any more. */
unsigned nt_leave_overlay(struct nt_ui *ui);

#endif
