/* SPDX-License-Identifier: GPL-2.0-only */
/* Two spans compared (key =): the first one is kept, then the other one is asked for with it. */
#ifndef NT_UI_GO_DIFFERENCE_H
#define NT_UI_GO_DIFFERENCE_H

#include "ui/state/state.h"

/* Keep the span that is chosen, or compare it with the one that is; without any, say how one is chosen. On the screen of the difference: back. Returns effects. */
unsigned nt_go_difference(struct nt_ui *ui, nt_time now);

/* To the screen of time, where another span can be chosen. Returns effects. */
unsigned nt_go_out_of_difference(struct nt_ui *ui, nt_time now);

#endif
