// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/render.h"

#include "ui/draw/body.h"
#include "ui/draw/context_line.h"
#include "ui/draw/header.h"
#include "ui/state/state.h"

void nt_ui_render(const struct nt_ui *ui, struct nt_grid *grid)
{
	nt_grid_resize(grid, ui->layout.width, ui->layout.height);
	if (ui->layout.too_small) {
		nt_grid_printf(grid, 0, 0, grid->width, NT_STYLE_PLAIN, "nettop needs %dx%d, this is %dx%d", NT_LEAST_WIDTH,
			       NT_LEAST_HEIGHT, ui->layout.width, ui->layout.height);
		return;
	}
	nt_header_draw(ui, grid);
	nt_body_draw(ui, grid);
	nt_context_line_draw(ui, grid);
}
