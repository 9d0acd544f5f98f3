/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an LTTng session hears of a target, whole or not at all. Less than whole counts for nothing: who cannot tell of all waits for locks must not tell of
 * some of them as if that were all. So who has an event is decided by who has all of its kind, on this version and with these variables.
 */
#ifndef NT_TARGET_LTTNG_DELIVERS_H
#define NT_TARGET_LTTNG_DELIVERS_H

#include "nettop/source.h"
#include "target/process/target.h"

/*
 * With the event log on: which of NT_WANT_RUNTIME_EVENTS (collections), NT_WANT_JIT_EVENTS and NT_WANT_LOCK_EVENTS do not come over LTTng, or not all. 0 without
 * the log, or where it is not known: then mode says it.
 */
unsigned nt_target_lttng_leaves_out(const struct nt_target *target);

/* Is the version one whose managed code tells of waits for locks? One that is not known may be. */
bool nt_target_tells_of_locks_itself(const struct nt_target *target);

/*
 * Why one of these kinds, of which `want` is its bit, is not to be had over LTTng, in the words of `nettop doctor`. False: it is, and *out is untouched.
 */
bool nt_target_lttng_refuses(const struct nt_target *target, unsigned want, struct nt_probe *out);

#endif
