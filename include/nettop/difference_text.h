/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said beside the rows of a difference: the words of the screen (key =) and of nettop diff. src/output/columns/difference_text.c. */
#ifndef NETTOP_DIFFERENCE_TEXT_H
#define NETTOP_DIFFERENCE_TEXT_H

#include "nettop/difference.h"

#include <stdbool.h>

enum { NT_DIFFERENCE_TEXT = 256 };

/* Of which sorts of rows how many were compared: `43 methods, 31 types allocated`; `nothing`. Returns buf. */
const char *nt_difference_compared_text(const struct nt_difference *difference, char buf[NT_DIFFERENCE_TEXT]);

/* How small a change of CPU time is told in most cases, or what is missing for that; why none was compared; "". Returns buf. */
const char *nt_difference_needs_text(const struct nt_difference *difference, char buf[NT_DIFFERENCE_TEXT]);

/* Was there enough of any sort of rows? */
bool nt_difference_is_compared(const struct nt_difference *difference);

/* Where there are no rows: that nothing could be compared, or that nothing changed. Constant. */
const char *nt_difference_nothing_text(const struct nt_difference *difference);

/* Load that differs by less is the same. */
#define NT_DIFFERENCE_OTHER_LOAD 0.05

#endif
