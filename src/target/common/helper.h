/* SPDX-License-Identifier: GPL-2.0-only */
/* Room target/common: what a look at somebody else's process needs. */
/*
 * Asking the process that kept the rights which this one has given up (nettop's keeper). A question is one message of a socket with borders: "VERB ARGUMENT", with descriptors. Its answer
 * comes at a socket of its own, so threads may ask at the same time, and what is answered late is heard by nobody. Who answers is app/'s; the words are between who asks and that.
 */
#ifndef NT_TARGET_HELPER_H
#define NT_TARGET_HELPER_H

#include "base/passed_fds.h"

#include <stdbool.h>
#include <stddef.h>

enum { NT_HELPER_FDS_MAX = NT_PASSED_FDS_MAX, NT_HELPER_LINE_BYTES = 4096 };

/*
 * From now on it is at this socket; -1 = there is none, and who would ask it does the thing itself: nothing is sent to the one before when this returns, and it may be closed. The number stays the
 * same when another process takes its place. The first time before threads exist.
 */
void nt_helper_is_at(int socket);
bool nt_helper_is_there(void);

/* One message. False: errno says why it was not sent; it never waits. */
bool nt_helper_send(int socket, const char *verb, const char *argument, const int *fds, size_t count);

/*
 * Send a question; `fds` are borrowed. Returns the socket at which its answer comes, the caller's; -1: nobody can be asked. While the helper is just being replaced it waits, at most a
 * second. The helper gets its end as the first descriptor.
 */
int nt_helper_ask(const char *verb, const char *argument, const int *fds, size_t count);

/* Wait for a message of exactly `size` bytes. False: there is none within `limit_ms`, or none will come. *late says which; NULL is allowed. */
bool nt_helper_hear(int answer_fd, void *answer, size_t size, int limit_ms, bool *late);

/* Take one message: its length without the NUL that is put behind it, 0 = the other end is closed, -1 = errno. fds: what came with it, the caller's, *count of them. `size` > 1. */
long nt_helper_take(int socket, char *line, size_t size, int fds[NT_HELPER_FDS_MAX], size_t *count);

#endif
