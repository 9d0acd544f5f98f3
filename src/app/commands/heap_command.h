/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop heap`: all objects of a process by type, once. */
#ifndef NT_APP_HEAP_COMMAND_H
#define NT_APP_HEAP_COMMAND_H

#include "app/common/options.h"

/* Returns the exit status; what is to be said on standard error is in *err. */
int nt_heap_command(struct nt_options *options, struct nt_error *err);

#endif
