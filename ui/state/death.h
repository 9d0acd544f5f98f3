/* SPDX-License-Identifier: GPL-2.0-only */
/* Of what the target died, when there is more to say of it than a line: the exception that nobody caught, its message and stack. */
#ifndef NT_UI_DEATH_H
#define NT_UI_DEATH_H

#include "ui/state/state.h"

/* NULL = nothing is to be said. */
const struct nt_target_end *nt_death_of(const struct nt_ui *ui);

/* Only an abort leaves anybody in doubt whether it was an exception. */
bool nt_death_is_in_doubt(const struct nt_target_end *end);

int nt_death_stack_lines(const struct nt_target_end *end);

/* So many lines all of it takes, if there is room. */
int nt_death_lines(const struct nt_ui *ui);

#endif
