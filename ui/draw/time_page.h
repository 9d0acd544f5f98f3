/* SPDX-License-Identifier: GPL-2.0-only */
/* The last quarter of an hour on one axis (key m): strips of a few figures, what findings there were, and where the picture stands. */
#ifndef NT_UI_TIME_PAGE_H
#define NT_UI_TIME_PAGE_H

#include "ui/screen/page.h"
#include "ui/state/state.h"

void nt_time_page_fill(const struct nt_ui *ui, struct nt_page *page);

#endif
