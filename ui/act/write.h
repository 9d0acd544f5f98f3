/* SPDX-License-Identifier: GPL-2.0-only */
/* Key w: a file of the present screen, and under which name. Nothing is written before a name was confirmed. */
#ifndef NT_UI_WRITE_H
#define NT_UI_WRITE_H

#include "ui/state/state.h"

/* A line of the menu was chosen: asks for the name, where it needs one. Returns effects. */
unsigned nt_write_choose(struct nt_ui *ui, size_t index, nt_time now);

/* The name was confirmed. Returns effects. */
unsigned nt_write_named(struct nt_ui *ui, nt_time now);

#endif
