/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who is at the other end of the sockets that a process has: from /proc/PID/net, which shows its own network namespace. These files list the sockets of all
 * processes of the namespace, so they are read only when a socket has come whose name is not known, and every 10 s, because a state changes; where
 * nobody has asked, after 5000 times what a reading cost, no later than 60 s (the kernel walks a table of hundreds of thousands of buckets; 10 ms are usual). In between they rest for 200 times what that cost. Bounded in bytes: sockets
 * behind the bound have no name.
 */
#ifndef NT_SOURCE_SOCKET_NAMES_H
#define NT_SOURCE_SOCKET_NAMES_H

#include "base/index.h"
#include "nettop/clock.h"

#include <stdbool.h>

/* All zero is a beginning. */
struct nt_socket_names {
	struct nt_index by_inode; /* -> where its name begins in `names` */
	char *names;              /* owned; each ends in NUL */
	size_t name_bytes, name_capacity;
	nt_time rest_until, fresh_until; /* 0 = never read */
};

void nt_socket_names_fini(struct nt_socket_names *sockets);

/*
 * `asked`: somebody wants to see them; else a state that is a minute old will do. Have a name for each of inodes[0..count) that has one; `dir_fd` is of /proc/PID. Names that were known are forgotten when the files are read. What comes while they rest
 * has none yet.
 */
void nt_socket_names_find(struct nt_socket_names *sockets, int dir_fd, const uint64_t *inodes, size_t count, nt_time now, bool asked);

/* Borrowed until the next nt_socket_names_find(); NULL = it has none. */
const char *nt_socket_names_get(const struct nt_socket_names *sockets, uint64_t inode);

#endif
