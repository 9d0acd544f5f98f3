/* SPDX-License-Identifier: GPL-2.0-only */
/* The call tree as a screen: in, out, and the keys that only it has. Each returns effects. */
#ifndef NT_UI_GO_CALLS_H
#define NT_UI_GO_CALLS_H

#include "ui/state/state.h"

/* To the call tree of a method. */
unsigned nt_go_calls(struct nt_ui *ui, const struct nt_method_row *row, nt_time now);

/* One step out: to the tree as it was entered, then to the methods. */
unsigned nt_go_out_of_calls(struct nt_ui *ui, nt_time now);

/* Key x, then this letter. */
unsigned nt_go_restrict_calls(struct nt_ui *ui, nt_key letter, nt_time now);

/* Open, close, callers or callees, the runtime's own. On another screen: "no such key here". */
unsigned nt_go_calls_key(struct nt_ui *ui, enum nt_action action, nt_time now);

#endif
