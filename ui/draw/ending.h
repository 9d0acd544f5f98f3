/* SPDX-License-Identifier: GPL-2.0-only */
/* Of what the target died: the exception that nobody caught, its message and stack, below the line that says that it ended. */
#ifndef NT_UI_ENDING_H
#define NT_UI_ENDING_H

#include "ui/screen/grid.h"
#include "ui/screen/line.h"
#include "ui/state/state.h"

/* Type and message, in one line. */
void nt_ending_add(const struct nt_target_end *end, struct nt_line *line);

void nt_ending_draw(const struct nt_ui *ui, struct nt_grid *grid);

#endif
