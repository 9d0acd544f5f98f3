/* SPDX-License-Identifier: GPL-2.0-only */
/* What nettop and its keeper say to each other besides notes (keeper.h has their verbs). */
#ifndef NT_APP_KEEPER_VERBS_H
#define NT_APP_KEEPER_VERBS_H

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

#endif
