/* SPDX-License-Identifier: GPL-2.0-only */
/* What nettop and its keeper say to each other besides notes (keeper.h has their verbs). */
#ifndef NT_APP_KEEPER_VERBS_H
#define NT_APP_KEEPER_VERBS_H

/*
 * Notes that a keeper keeps, and how many of one verb may come with a descriptor: what is done to a target (its perf map, its port), of which the model watches 32 at a time. The rest is room
 * for what there is once: terminal, session, daemons, folders.
 */
enum { NT_KEEPER_NOTES_MAX = 96, NT_KEEPER_HELD_MAX = 32 };

/* The verb of a stream: its descriptor comes along (SCM_RIGHTS), the argument is nettop's own number of it. */
#define NT_KEEPER_STREAM "stream"

/* The verbs of a startup port: its listener comes along, the argument is its path; from now on it is the keeper's to serve. */
#define NT_KEEPER_PORT       "startup-port"
#define NT_KEEPER_SERVE_PORT "serve-startup-port"
#define NT_KEEPER_LENT_PORT  "lent-port"

/* Where a dump is written: the deed that clears it away. */
#define NT_KEEPER_DUMP_ROOM "dump-room"

/* Become two: the other one knows nothing, and takes its notes from the socket that comes along. It says its pid there (int32_t). */
#define NT_KEEPER_SPARE "spare"

/* "PID:START NUMBER": a signal to the group of a child of nettop's. */
#define NT_KEEPER_SIGNAL "signal"
enum { NT_KEEPER_SIGNAL_BYTES = 80 };

#endif
