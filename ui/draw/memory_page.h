/* SPDX-License-Identifier: GPL-2.0-only */
/* What the resident memory consists of, the settings of the collector, and what is odd about these (key v on screen 2, to which findings about memory lead). */
#ifndef NT_UI_MEMORY_PAGE_H
#define NT_UI_MEMORY_PAGE_H

#include "ui/screen/page.h"
#include "ui/state/state.h"

void nt_memory_page_fill(const struct nt_ui *ui, struct nt_page *page);

#endif
