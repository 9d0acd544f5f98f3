/* SPDX-License-Identifier: GPL-2.0-only */
/* The last line: keys of this place and the position; a prompt or a message takes the place of the keys. */
#ifndef NT_UI_CONTEXT_LINE_H
#define NT_UI_CONTEXT_LINE_H

#include "ui/screen/grid.h"
#include "ui/state/state.h"

void nt_context_line_draw(const struct nt_ui *ui, struct nt_grid *grid);

/* The key whose word is drawn at these cells, or stands before what is; NT_KEY_NONE = none is. */
nt_key nt_context_line_key_at(const struct nt_ui *ui, int x, int y);

#endif
