/* SPDX-License-Identifier: GPL-2.0-only */
/* What CPU time is for (key v on screen 1), all of it: largest in the window first. */
#ifndef NT_UI_PURPOSES_PAGE_H
#define NT_UI_PURPOSES_PAGE_H

#include "ui/screen/page.h"
#include "ui/state/state.h"

void nt_purposes_page_fill(const struct nt_ui *ui, struct nt_page *page);

#endif
