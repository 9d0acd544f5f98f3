/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop threads`: what every thread does now, once; nothing is asked of the process. */
#ifndef NT_APP_THREADS_COMMAND_H
#define NT_APP_THREADS_COMMAND_H

#include "app/common/options.h"

/* Returns the exit status, and what is to be said on standard error in *err. */
int nt_threads(struct nt_options *options, struct nt_error *err);

#endif
