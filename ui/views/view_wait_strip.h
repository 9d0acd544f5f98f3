/* SPDX-License-Identifier: GPL-2.0-only */
/* The line above the rows of screen 8: what one thread did in the last seconds. */
#ifndef NT_UI_VIEW_WAIT_STRIP_H
#define NT_UI_VIEW_WAIT_STRIP_H

#include "ui/views/view.h"

enum { NT_VIEW_STRIP_LINES = 1 };

/* Of the thread `tid`; 0 = nobody knows one of that row, and the line says so. */
void nt_view_wait_strip(const struct nt_column_context *context, uint32_t tid, struct nt_grid *grid, int y);

#endif
