/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What nettop asks the keeper for, because it has given up the right to do it itself. Each is done by a child, so the keeper waits for nothing, and is bounded in what can be asked for: the
 * forms of target/common/deed.h, two daemons and the decoder, processes that nettop itself has started. Runs in the keeper process only.
 */
#ifndef NT_APP_KEEPER_ERRANDS_H
#define NT_APP_KEEPER_ERRANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* If `verb` is one of them: do it, and close `fds`. False: it is none, and nothing was done. `nettop`: whose children may be sent signals. */
bool nt_keeper_errand(const char *verb, const char *argument, const int *fds, size_t count, pid_t nettop);

/* A copy of this process as a child of nettop's, in which 0 is returned; -1 = it could not be made. No threads, nothing that a fork of libc would prepare for. */
pid_t nt_keeper_fork_sibling(void);

/* Collect children that have ended; the other one waits until all have, at most so long. */
void nt_keeper_errands_collect(void);
void nt_keeper_errands_end(int limit_ms);

#endif
