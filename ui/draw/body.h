/* SPDX-License-Identifier: GPL-2.0-only */
/* The title row and the body: the table, or what is laid over it (detail, help, menu, the reason of an empty panel). */
#ifndef NT_UI_BODY_H
#define NT_UI_BODY_H

#include "ui/screen/grid.h"
#include "ui/state/state.h"

void nt_body_draw(const struct nt_ui *ui, struct nt_grid *grid);

#endif
