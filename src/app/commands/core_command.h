/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop threads --core FILE`, `nettop stacks --core FILE`: what a process did when its memory was written to a file. */
#ifndef NT_APP_CORE_COMMAND_H
#define NT_APP_CORE_COMMAND_H

#include "app/common/options.h"

/* As the command of the options, of options->core_path. Returns the exit status, and what is to be said on standard error in *err. */
int nt_core_command(const struct nt_options *options, struct nt_error *err);

#endif
