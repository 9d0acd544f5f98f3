/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop diff BEFORE AFTER`: two recordings, or two parts, compared. */
#ifndef NT_APP_DIFF_COMMAND_H
#define NT_APP_DIFF_COMMAND_H

#include "app/common/options.h"

/* Returns the exit status, and what is to be said on standard error in *err. */
int nt_diff_command(struct nt_options *options, struct nt_error *err);

#endif
