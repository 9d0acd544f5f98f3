/* SPDX-License-Identifier: GPL-2.0-only */
/* The one line above the list of processes: when, how many, and whether it goes on. */
#ifndef NT_UI_LIST_HEADER_H
#define NT_UI_LIST_HEADER_H

#include "ui/screen/grid.h"
#include "ui/state/state.h"

void nt_list_header_draw(const struct nt_ui *ui, struct nt_grid *grid);

#endif
