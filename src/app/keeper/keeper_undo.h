/* SPDX-License-Identifier: GPL-2.0-only */
/* The keeper's own side: keep the list, and undo it when the pipe closes. Runs in the keeper process only. */
#ifndef NT_APP_KEEPER_UNDO_H
#define NT_APP_KEEPER_UNDO_H

#include <stdatomic.h>
#include <stdint.h>
#include <termios.h>

/* The terminal as it was before nettop changed it. */
struct nt_keeper_terminal {
	int fd; /* -1 = none */
	struct termios modes;
};

/*
 * Take notes, one a message, from the socket `notes_fd` until nettop's end of it closes, then undo what is left. `terminal` and `progress`
 * (nt_keeper_stream_read()) are borrowed.
 */
void nt_keeper_serve(int notes_fd, const struct nt_keeper_terminal *terminal, const _Atomic uint64_t *progress);

#endif
