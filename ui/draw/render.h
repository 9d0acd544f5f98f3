/* SPDX-License-Identifier: GPL-2.0-only */
/* Room ui/draw: state -> cells; changes nothing. */
/* The whole screen, drawn from its state, which stays as it is. */
#ifndef NT_UI_RENDER_H
#define NT_UI_RENDER_H

#include "ui/screen/grid.h"

struct nt_ui;

/* Draw everything. The grid takes the size given to nt_ui_resize(). Depends on nothing but what this ui was told. */
void nt_ui_render(const struct nt_ui *ui, struct nt_grid *grid);

#endif
