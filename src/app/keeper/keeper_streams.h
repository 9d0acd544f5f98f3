/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The keeper's duplicates of EventPipe streams. A stream that nobody reads makes the target hang at its exit, and its diagnostics port with it; so one in
 * which data waits while nettop reads nothing is shut down. Runs in the keeper process only.
 */
#ifndef NT_APP_KEEPER_STREAMS_H
#define NT_APP_KEEPER_STREAMS_H

#include <stdatomic.h>
#include <stdint.h>

enum {
	NT_KEEPER_STREAMS_MAX = 2048, /* of 256 processes, as many as a list has, up to 5 of each; and all of one that is opened */
	NT_KEEPER_LOOK_MS = 250,
	NT_KEEPER_LOOKS =
		4, /* so many in a row must find the same data unread: counted, not timed, in case that the keeper was starved, too */
};

struct nt_keeper_stream {
	int number; /* nettop's own number of the descriptor, by which it is called */
	int fd;     /* owned */
	unsigned unread_looks;
};

struct nt_keeper_streams {
	const _Atomic uint64_t *progress; /* borrowed, shared with nettop: changes whenever it has read something */
	uint64_t seen;                    /* of that, at the last look */
	struct nt_keeper_stream items[NT_KEEPER_STREAMS_MAX];
	unsigned count;
};

/* Take `fd`. More than there is room for are shut down at once. */
void nt_keeper_streams_add(struct nt_keeper_streams *streams, int number, int fd);

/* nettop has shut it down itself. */
void nt_keeper_streams_drop(struct nt_keeper_streams *streams, int number);

/* To be called every NT_KEEPER_LOOK_MS while there are any. */
void nt_keeper_streams_look(struct nt_keeper_streams *streams);

/* nettop is gone. */
void nt_keeper_streams_end(struct nt_keeper_streams *streams);

#endif
