/* SPDX-License-Identifier: GPL-2.0-only */
/* The keeper's own side: keep the list, and undo it when the pipe closes. Runs in the keeper process only. */
#ifndef NT_APP_KEEPER_UNDO_H
#define NT_APP_KEEPER_UNDO_H

#include <termios.h>

/* The terminal as it was before nettop changed it. */
struct nt_keeper_terminal {
	int fd; /* -1 = none */
	struct termios modes;
};

/* Read notes from `pipe_fd` until it closes, then undo what is left. `terminal` is borrowed. */
void nt_keeper_serve(int pipe_fd, const struct nt_keeper_terminal *terminal);

#endif
