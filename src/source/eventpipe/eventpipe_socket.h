/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The target's diagnostics socket for a source on the main thread. It lies in the target's file system, where a path may lead to a mount that hangs: so a
 * hand looks for it, once, and its descriptor is kept. Connecting by that touches no path. On the way the hand looks whether the target may be asked for exceptions.
 */
#ifndef NT_SOURCE_EVENTPIPE_SOCKET_H
#define NT_SOURCE_EVENTPIPE_SOCKET_H

#include "source/common/hand.h"
#include "target/process/exception_gate.h"
#include "target/process/target.h"

struct nt_eventpipe_socket {
	struct nt_hand *hand;          /* owned; NULL = not needed yet */
	int fd;                        /* owned; -1 = not found yet */
	struct nt_exception_gate gate; /* as when it was found */
};

void nt_eventpipe_socket_init(struct nt_eventpipe_socket *socket);
void nt_eventpipe_socket_fini(struct nt_eventpipe_socket *socket);

/* Find it, if that has not been done. Waits and fails as below. */
enum nt_status nt_eventpipe_socket_find(struct nt_eventpipe_socket *socket, const struct nt_target *target, struct nt_error *err);

/*
 * A descriptor of its own for nt_ipc_start_at(), in *fd; the caller's. Waits for half a second at most, and only until it has been found. Errors: those of
 * nt_ipc_check_socket(); TIMEOUT, the folder does not answer.
 */
enum nt_status nt_eventpipe_socket_get(struct nt_eventpipe_socket *socket, const struct nt_target *target, int *fd, struct nt_error *err);

/* Nobody listens there: look anew the next time. */
void nt_eventpipe_socket_forget(struct nt_eventpipe_socket *socket);

#endif
