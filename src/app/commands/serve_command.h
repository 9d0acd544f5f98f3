/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop serve`: the figures of processes for those who gather them, over HTTP. */
#ifndef NT_APP_SERVE_COMMAND_H
#define NT_APP_SERVE_COMMAND_H

#include "app/common/options.h"

/* Until a signal, or --duration. It waits for processes that are not there yet. Returns the exit status. */
int nt_serve_command(struct nt_options *options, struct nt_error *err);

#endif
