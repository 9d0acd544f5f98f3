/* SPDX-License-Identifier: GPL-2.0-only */
/* What a terminal is sent for a screen. */
#ifndef NT_TESTS_GOLDEN_THEMED_H
#define NT_TESTS_GOLDEN_THEMED_H

#include <stdio.h>

#include "nettop/theme_name.h"
#include "ui/act/ui.h"

/* For an xterm with 256 colours, a line for each jump of the cursor; an escape is written as \e. */
void write_themed(const struct nt_ui *ui, enum nt_theme theme, FILE *out);

#endif
