/* SPDX-License-Identifier: GPL-2.0-only */
/* What is done in a folder that another user arranges: as root we would do there what he has arranged for us. So a child does it, with his rights and no others. */
#ifndef NT_TARGET_AS_USER_H
#define NT_TARGET_AS_USER_H

#include <stddef.h>
#include <sys/types.h>

/* What there is instead of an answer. */
enum { NT_AS_USER_REFUSED = -1, NT_AS_USER_HANGS = -2 };

/*
 * `act` in a child that is this user for good, in this group and no further one, without capabilities. It has nothing of ours but these descriptors, as 0, 1, ...; only
 * async-signal-safe calls are allowed in it, because other threads of ours may hold any lock. Returns what it answers, 0 to 100. REFUSED: there was no such child. HANGS: it
 * did not answer within half a second, and is left behind: where it waits for a file system, not even SIGKILL ends it before that answers.
 */
int nt_as_user(uid_t uid, gid_t gid, const int *fds, size_t count, int (*act)(const void *context), const void *context);

/*
 * The same in this process, which was made for it: it becomes that user, sends the answer (an int) to the socket, and ends. One that hangs ends a second later, as far as it can be ended; whoever waits for the
 * answer does so no longer than that.
 */
_Noreturn void nt_as_user_become(uid_t uid, gid_t gid, const int *fds, size_t count, int (*act)(const void *context), const void *context,
				 int socket);

#endif
