/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop export FILE -o OUT`: a recording, written for another tool. */
#ifndef NT_APP_EXPORT_COMMAND_H
#define NT_APP_EXPORT_COMMAND_H

#include "app/common/options.h"

/* Returns the exit status, and what is to be said on standard error in *err. */
int nt_export_command(struct nt_options *options, struct nt_error *err);

#endif
