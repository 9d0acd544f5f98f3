/* SPDX-License-Identifier: GPL-2.0-only */
/* Key w: what of the present screen can become a file, and under which name. Nothing is written before a name was confirmed. */
#ifndef NT_UI_WRITE_H
#define NT_UI_WRITE_H

#include "ui/screen/line.h"
#include "ui/state/state.h"

/* How many lines the menu has here, and one of them. */
size_t nt_write_count(const struct nt_ui *ui);
void nt_write_line(const struct nt_ui *ui, size_t index, struct nt_line *out);

/* A line of the menu was chosen: asks for the name, or says what that comes with. */
void nt_write_choose(struct nt_ui *ui, size_t index, nt_time now);

/* The name was confirmed. Returns effects. */
unsigned nt_write_named(struct nt_ui *ui, nt_time now);

#endif
