/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop dump`: a core dump that the runtime writes of itself, in the hands of who asked for it. */
#ifndef NT_APP_DUMP_COMMAND_H
#define NT_APP_DUMP_COMMAND_H

#include "app/common/options.h"

/* Returns the exit status; what is to be said on standard error is in *err. */
int nt_dump_command(struct nt_options *options, struct nt_error *err);

#endif
