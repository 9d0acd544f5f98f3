/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop events`: events of a process as they happen, a line each. */
#ifndef NT_APP_EVENTS_COMMAND_H
#define NT_APP_EVENTS_COMMAND_H

#include "app/common/options.h"

/* Returns the exit status; what is to be said on standard error is in *err. */
int nt_events_command(struct nt_options *options, struct nt_error *err);

#endif
