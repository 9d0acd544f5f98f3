/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said of a key that has no meaning here. */
#ifndef NT_UI_NO_KEY_H
#define NT_UI_NO_KEY_H

#include "ui/state/state.h"

/* What does what the key does elsewhere (ui/screen/habits.h), else where all keys are. NT_KEY_NONE: of whichever. Returns effects. */
unsigned nt_no_key(struct nt_ui *ui, nt_key key, nt_time now);

#endif
