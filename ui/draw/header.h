/* SPDX-License-Identifier: GPL-2.0-only */
/* The header: identity, tiles, finding line, tab bar. */
#ifndef NT_UI_HEADER_H
#define NT_UI_HEADER_H

#include "ui/screen/grid.h"
#include "ui/state/state.h"

void nt_header_draw(const struct nt_ui *ui, struct nt_grid *grid);

/* Whose tab is drawn at these cells; NT_VIEW_TABS = none's. */
size_t nt_header_tab_at(const struct nt_ui *ui, int x, int y);

#endif
