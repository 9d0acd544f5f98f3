/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop --ssh HOST ...`: the same there, and its exit status. */
#ifndef NT_APP_SSH_COMMAND_H
#define NT_APP_SSH_COMMAND_H

#include "app/common/options.h"

/* Whatever the command is: everything but --ssh is said to the nettop there. Returns the exit status, and what is to be said on standard error in *err. */
int nt_ssh_command(struct nt_options *options, struct nt_error *err);

#endif
