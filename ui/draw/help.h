/* SPDX-License-Identifier: GPL-2.0-only */
/* The help (key ?), made from the key table, the column table and the tiles' sentences. */
#ifndef NT_UI_HELP_H
#define NT_UI_HELP_H

#include "ui/screen/page.h"
#include "ui/state/state.h"

void nt_help_fill(const struct nt_ui *ui, struct nt_page *page);

#endif
