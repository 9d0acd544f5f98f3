/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop jit -p PID | -- COMMAND`: what was compiled while a process was watched or from a program's start to its end, as one table. */
#ifndef NT_APP_JIT_COMMAND_H
#define NT_APP_JIT_COMMAND_H

#include "app/common/options.h"

/*
 * Writes the report to standard output; what a started program writes goes to standard error. Returns the exit status: of a program that ended by itself its
 * own, as nt_run() does, unless there is no report.
 */
int nt_jit(struct nt_options *options, struct nt_error *err);

#endif
