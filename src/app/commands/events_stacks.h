/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `nettop events --stacks`: each event with the call stack of its thread. Names of code are known to a session that watches the process, so the events pass through one, as those of screen 9 do, and
 * come when an interval closes; as there, no more are told in a second than NT_TELL_A_SECOND, and the others are counted.
 */
#ifndef NT_APP_EVENTS_STACKS_H
#define NT_APP_EVENTS_STACKS_H

#include "app/common/options.h"

/* `words`: the patterns, `count` of them. Returns the exit status; what is to be said on standard error is in *err. */
int nt_events_stacks(struct nt_options *options, const char *const *words, size_t count, struct nt_error *err);

#endif
