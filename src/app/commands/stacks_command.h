/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop stacks -p PID`: all call stacks on CPU while a process was watched, as a file for other tools. */
#ifndef NT_APP_STACKS_COMMAND_H
#define NT_APP_STACKS_COMMAND_H

#include "app/common/options.h"

/* Watch until the duration is over, the process ends or the person says so; then write what there is. Returns the exit status. */
int nt_stacks(struct nt_options *options, struct nt_error *err);

#endif
