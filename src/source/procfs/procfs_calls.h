/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls of a process, counted by the kernel while somebody wants that: when that begins and ends, and why it does not. */
#ifndef NT_SOURCE_PROCFS_CALLS_H
#define NT_SOURCE_PROCFS_CALLS_H

#include "source/calls/calls_watch.h"

/* All zero is a beginning. */
struct nt_procfs_calls {
	struct nt_calls_watch *watch; /* owned; NULL = none */
	bool wanted, turned;          /* somebody wants it; it was begun, or refused, since */
	bool told;                    /* something was said, if only why not */
};

void nt_procfs_calls_fini(struct nt_procfs_calls *calls);

/* Whether somebody wants to know. */
void nt_procfs_calls_want(struct nt_procfs_calls *calls, bool wanted);

/*
 * Begin, tell or end. dir_fd: of /proc/PID; cpu_ns: the target's CPU time so far; `due`: it is time to tell; `last`: there is no later time.
 * `target` and `config` are borrowed for the call.
 */
void nt_procfs_calls_step(struct nt_procfs_calls *calls, const struct nt_target *target, const struct nt_source_config *config, int dir_fd,
			  uint64_t cpu_ns, bool due, bool last, struct nt_outbox *box);

#endif
