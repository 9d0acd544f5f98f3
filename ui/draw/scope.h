/* SPDX-License-Identifier: GPL-2.0-only */
/* What the rows are over and which of them are shown, as the title row says it. */
#ifndef NT_UI_SCOPE_H
#define NT_UI_SCOPE_H

#include "ui/screen/line.h"
#include "ui/state/state.h"

/* Added to `scope`; parts stand two blanks apart, the most important one last. */
void nt_ui_scope(const struct nt_ui *ui, struct nt_line *scope);

#endif
