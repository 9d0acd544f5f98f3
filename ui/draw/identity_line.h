/* SPDX-License-Identifier: GPL-2.0-only */
/* Line 1: who is watched, the sources' marks, what was lost, own cost, and the state word at the right end. */
#ifndef NT_UI_IDENTITY_LINE_H
#define NT_UI_IDENTITY_LINE_H

#include "ui/screen/grid.h"
#include "ui/state/state.h"

void nt_identity_draw(const struct nt_ui *ui, struct nt_grid *grid);

#endif
