/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages of a Unix socket that bring descriptors along (SCM_RIGHTS). */
#ifndef NT_BASE_PASSED_FDS_H
#define NT_BASE_PASSED_FDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { NT_PASSED_FDS_MAX = 4 };

/* Send `size` bytes with `count` descriptors, which stay the caller's. It never waits. False: errno. */
bool nt_passed_fds_send(int socket, const void *bytes, size_t size, const int *fds, size_t count);

/*
 * Take one message, as recvmsg() with these flags: returns its length, 0 = the other end is closed, or -1 with errno. What came with it is the caller's, close-on-exec; more than
 * NT_PASSED_FDS_MAX the kernel closes.
 */
ssize_t nt_passed_fds_take(int socket, void *bytes, size_t size, int flags, int fds[NT_PASSED_FDS_MAX], size_t *count);

#endif
