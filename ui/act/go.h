/* SPDX-License-Identifier: GPL-2.0-only */
/* Where one goes: into a row and out again, to a part of the samples, to what is out of its range. Each returns effects. */
#ifndef NT_UI_GO_H
#define NT_UI_GO_H

#include "ui/state/state.h"

unsigned nt_go_in(struct nt_ui *ui, nt_time now);
/* To the code of the selected row's method; and back from there. */
unsigned nt_go_annotate(struct nt_ui *ui, nt_time now);
unsigned nt_go_out_of_code(struct nt_ui *ui, nt_time now);

unsigned nt_go_out(struct nt_ui *ui, nt_time now);

/* The letter after x: to the methods of a part that the selected row names. */
unsigned nt_go_restrict(struct nt_ui *ui, nt_key letter, nt_time now);

/* To the row of the most important finding; from there to that of the next one. */
unsigned nt_go_finding(struct nt_ui *ui, nt_time now);

#endif
