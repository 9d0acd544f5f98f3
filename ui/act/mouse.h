/* SPDX-License-Identifier: GPL-2.0-only */
/* What the mouse does: a click selects the row or opens the screen whose tab it is on, the wheel is three arrow keys. */
#ifndef NT_UI_MOUSE_H
#define NT_UI_MOUSE_H

#include "ui/state/state.h"

/* `key` is one of nt_key_mouse(). Returns effects. A prompt is left alone. */
unsigned nt_mouse_handle(struct nt_ui *ui, nt_key key, nt_time now);

#endif
