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

/* The verb of a stream: its descriptor comes along (SCM_RIGHTS), the argument is nettop's own number of it. */
#define NT_KEEPER_STREAM "stream"

/* The verbs of a startup port: its listener comes along, the argument is its path; from now on it is the keeper's to serve. */
#define NT_KEEPER_PORT       "startup-port"
#define NT_KEEPER_SERVE_PORT "serve-startup-port"
#define NT_KEEPER_LENT_PORT  "lent-port"

/* Become two: the other one knows nothing, and takes its notes from the socket that comes along. It says its pid there (int32_t). */
#define NT_KEEPER_SPARE "spare"

/* "PID:START NUMBER": a signal to the group of a child of nettop's. */
#define NT_KEEPER_SIGNAL "signal"
enum { NT_KEEPER_SIGNAL_BYTES = 80 };

/*
 * Take notes, one a message, from the socket `notes_fd` until nettop's end of it closes, then undo what is left. `terminal` and `progress`
 * (nt_keeper_stream_read()) are borrowed.
 */
void nt_keeper_serve(int notes_fd, const struct nt_keeper_terminal *terminal, const _Atomic uint64_t *progress);

#endif
