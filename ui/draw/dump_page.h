/* SPDX-License-Identifier: GPL-2.0-only */
/* Key D: which dumps there are, what the chosen one does to the process, and how far it is. */
#ifndef NT_UI_DUMP_PAGE_H
#define NT_UI_DUMP_PAGE_H

#include "ui/screen/page.h"
#include "ui/state/state.h"

void nt_dump_page_fill(const struct nt_ui *ui, struct nt_page *page);

#endif
