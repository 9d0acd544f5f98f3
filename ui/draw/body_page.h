/* SPDX-License-Identifier: GPL-2.0-only */
/* Running text in place of the table: the help, the log, or the details of the selected row. */
#ifndef NT_UI_BODY_PAGE_H
#define NT_UI_BODY_PAGE_H

#include "ui/screen/page.h"
#include "ui/state/state.h"

/* The title row of what lies over the table. */
void nt_body_title(const struct nt_ui *ui, struct nt_grid *grid, const char *title);

/* The page that lies over the table. The caller ends it with nt_page_fini(). Returns the line that stands at the top of the screen. */
int nt_ui_page(const struct nt_ui *ui, struct nt_page *page);

void nt_body_page_draw(const struct nt_ui *ui, struct nt_grid *grid, const char *title);

/* The key that a click on the page that lies over the table is, where it names one; NT_KEY_NONE: none. */
nt_key nt_body_page_key_at(const struct nt_ui *ui, int x, int y);

#endif
