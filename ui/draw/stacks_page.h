/* SPDX-License-Identifier: GPL-2.0-only */
/* The stacks of all threads (key S), as `nettop threads` writes them: as of the last look at each; with frames of native code where they are asked for (key l). */
#ifndef NT_UI_STACKS_PAGE_H
#define NT_UI_STACKS_PAGE_H

#include "ui/screen/page.h"
#include "ui/state/state.h"

void nt_stacks_page_fill(const struct nt_ui *ui, struct nt_page *page);

#endif
