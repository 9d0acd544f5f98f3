/* SPDX-License-Identifier: GPL-2.0-only */
/* The log (key L): the commands that bring what is missing, then what was said, the newest last. */
#ifndef NT_UI_LOG_PAGE_H
#define NT_UI_LOG_PAGE_H

#include "ui/screen/page.h"
#include "ui/state/state.h"

void nt_log_page_fill(const struct nt_ui *ui, struct nt_page *page);

#endif
