/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop jit --repeat N`: the same program several times, each run in a process of its own, as if nettop had been called so often. */
#ifndef NT_APP_JIT_REPEAT_H
#define NT_APP_JIT_REPEAT_H

#include "app/common/options.h"
#include "output/jit/jit_report.h"

/*
 * `once` watches one run, with the options as they are, writes its report to standard output as JSON, and returns the exit status. It is called in a child
 * process, while this one has no threads. Returns the exit status of the last run; *out is NULL when a run did not end well, or somebody wants no more: then
 * that is said in `err`. Else it is the caller's.
 */
int nt_jit_repeat(struct nt_options *options, int (*once)(struct nt_options *options, struct nt_error *err), struct nt_jit_report **out,
		  struct nt_error *err);

#endif
