/* SPDX-License-Identifier: GPL-2.0-only */
/* The tab bar is on most screens, but in one file only: another tab changes that one. */
#ifndef NT_TESTS_GOLDEN_TAB_BAR_H
#define NT_TESTS_GOLDEN_TAB_BAR_H

#include "ui/act/ui.h"

#include <stdio.h>

/* Write what stands for the tab bar in all other files, with the tab that is selected, when this is its line. False: it is another line. */
bool tab_bar_stands_in(const struct nt_ui *ui, const struct nt_grid *grid, int y, FILE *out);

/* Write the bar at several widths with each of its tabs selected, as text, as styles and for a terminal without UTF-8. */
void tab_bar_write(struct nt_ui *ui, nt_time now, FILE *out);

#endif
