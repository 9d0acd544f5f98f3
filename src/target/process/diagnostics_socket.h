/* SPDX-License-Identifier: GPL-2.0-only */
/* The socket of the diagnostics port in the target's file system: where it is, and whether it is the target's. */
#ifndef NT_TARGET_DIAGNOSTICS_SOCKET_H
#define NT_TARGET_DIAGNOSTICS_SOCKET_H

#include <limits.h>

#include "target/process/target.h"

struct nt_diagnostics_socket {
	char folder[PATH_MAX];   /* where the runtime makes it, as the target sees it */
	char name[NAME_MAX + 1]; /* in it; "" = there is none */
	int fd;                  /* of the socket's file, for connect() by /proc/self/fd; -1 = not found or not ours to use. The caller's */
	int error;               /* errno of looking; 0 = none */
	bool strange;            /* something of that name is there that is no socket, or belongs to a third user */
};

/*
 * Changes nothing and connects to nothing. The folder is looked at apart (base/apart.h): error is ETIMEDOUT if it hangs. Reads of the target: ns_pid, start_ticks, uid, proc_dir,
 * root_dir, environment_text.
 */
void nt_diagnostics_find_socket(const struct nt_target *target, struct nt_diagnostics_socket *out);

#endif
