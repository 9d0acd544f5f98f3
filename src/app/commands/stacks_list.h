/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop stacks -e list`: what can be asked for here, and what is missing. */
#ifndef NT_APP_STACKS_LIST_H
#define NT_APP_STACKS_LIST_H

#include <stdio.h>

void nt_stacks_list(FILE *out);

#endif
