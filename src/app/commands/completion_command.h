/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop completion`: what a shell reads to complete nettop's command lines, and what it asks then. */
#ifndef NT_APP_COMPLETION_COMMAND_H
#define NT_APP_COMPLETION_COMMAND_H

#include "nettop/status.h"

/* `words`, ends with NULL: the name of a shell; or `line` and the words behind nettop on a line, to complete the last one. Returns the exit status. */
int nt_completion_print(char *const *words, struct nt_error *err);

#endif
