/* SPDX-License-Identifier: GPL-2.0-only */
/* The last quarter of an hour on one axis (key m): strips of a few figures, what findings there were, and where the picture stands. */
#ifndef NT_UI_TIME_PAGE_H
#define NT_UI_TIME_PAGE_H

#include "ui/screen/page.h"
#include "ui/state/state.h"

void nt_time_page_fill(const struct nt_ui *ui, struct nt_page *page);

/* What lies at column x of the screen, in a line of the page from 0 on; false: nothing does. */
bool nt_time_page_at(const struct nt_ui *ui, int x, int line, struct nt_time_place *out);

#endif
