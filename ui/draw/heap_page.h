/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said of the heap (key H): what a look at it does to the process, how far one is, and what it saw. */
#ifndef NT_UI_HEAP_PAGE_H
#define NT_UI_HEAP_PAGE_H

#include "ui/screen/page.h"
#include "ui/state/state.h"

void nt_heap_page_fill(const struct nt_ui *ui, struct nt_page *page);

#endif
