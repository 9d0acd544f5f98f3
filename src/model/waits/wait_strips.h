/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each of some threads did in the last seconds, by slices of the clock: how long it ran, and waited for what. Bounded: NT_WAIT_STRIPS threads of NT_WAIT_STRIP_BYTES
 * each, 256 KB altogether; one more that waits for more than work has the room of one that has ended, or has not for as long as a strip is.
 */
#ifndef NT_MODEL_WAIT_STRIPS_H
#define NT_MODEL_WAIT_STRIPS_H

#include "base/index.h"
#include "model/waits/wait_sites.h"

enum {
	NT_WAIT_STRIPS = 256,
	NT_WAIT_STRIP_SORTS = 4, /* of what a thread does in a slice; of more those that took longest at a time */
	NT_WAIT_STRIP_BYTES = NT_STRIP_CELLS * NT_WAIT_STRIP_SORTS * 5 + 40
};

/* How long each sort of thing took in one slice; 0 ns = none. */
struct nt_wait_slice {
	uint32_t ns[NT_WAIT_STRIP_SORTS];
	uint8_t sort[NT_WAIT_STRIP_SORTS]; /* enum nt_wait_kind, with POLLED as a bit of its own */
};

struct nt_wait_strip_kept {
	uint32_t tid;
	bool ending, ended; /* as in struct nt_wait_sum */
	uint64_t newest;    /* number of the newest slice: time by length; those before it lie in a ring */
	nt_time waited;     /* newest time at which it waited for more than work */
	struct nt_wait_slice slices[NT_STRIP_CELLS];
};

struct nt_wait_strips {
	struct nt_wait_strip_kept *items; /* owned; in no order */
	size_t count, capacity;
	struct nt_index by_tid;
	bool full; /* in this interval: all have waited, or work */
};

void nt_wait_strips_init(struct nt_wait_strips *strips);
void nt_wait_strips_fini(struct nt_wait_strips *strips);

/* A thread did this from..to, of the monotonic clock; NT_WAIT_RUNS: it had a CPU. In any order; what is older than the newest slices is left out. */
void nt_wait_strips_add(struct nt_wait_strips *strips, uint32_t tid, enum nt_wait_kind kind, bool polled, nt_time from, nt_time to);

/* A part of a wait, of that kind; of one by switches also for how long there was no CPU for it then. */
void nt_wait_strips_count(struct nt_wait_strips *strips, enum nt_wait_kind kind, const struct nt_wait_piece *piece);

/* What is added before the interval closes is still its own. */
void nt_wait_strips_thread_ended(struct nt_wait_strips *strips, uint32_t tid);

/* The interval has closed: into the rows of process->wait_threads, in the snapshot's own memory. Threads of which nothing lies in that time any more are forgotten. */
void nt_wait_strips_close(struct nt_wait_strips *strips, const struct nt_span *span, struct nt_snapshot *snapshot,
			  struct nt_process_snapshot *process);

#endif
