/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hand: a thread that does one errand at a time for another thread, which waits for it only so long. For calls that can block for ever (open and
 * read on a FUSE file system, a dead mount, a frozen process): the waiting thread goes on, the thread that hangs is abandoned with its errand, and
 * a fresh one takes the next. What an errand needs and makes lies in the errand itself, so that an abandoned one touches nothing of ours.
 */
#ifndef NT_SOURCE_HAND_H
#define NT_SOURCE_HAND_H

#include "nettop/clock.h"
#include "nettop/status.h"

struct nt_hand;

/* First member of every errand. */
struct nt_errand {
	void (*run)(struct nt_errand *errand);     /* on the hand's thread */
	void (*release)(struct nt_errand *errand); /* frees the errand and all it holds; on either thread */
};

/* Abandoned threads that may be around at a time; beyond that every errand is refused until one of them comes back. */
enum { NT_HAND_ABANDONED_MAX = 8 };

struct nt_hand *nt_hand_new(void);

/* Ends the thread when it is idle, leaves it behind when it hangs. Only the thread that calls nt_hand_do(), or after it ended. NULL is allowed. */
void nt_hand_free(struct nt_hand *hand);

/*
 * Have `errand` run, wait at most timeout_ns. NT_OK: it ran and is the caller's again. NT_ERR_TIMEOUT: it hangs, or too many hang already; NT_END:
 * nt_hand_cancel() was called; in both cases the errand is taken and will be released. One caller at a time.
 */
enum nt_status nt_hand_do(struct nt_hand *hand, struct nt_errand *errand, nt_time timeout_ns);

/* From any thread: the present and every later nt_hand_do() returns NT_END at once. */
void nt_hand_cancel(struct nt_hand *hand);

/* CPU time of all its threads up to the last errand that ended, ns. From any thread. */
uint64_t nt_hand_cpu_ns(struct nt_hand *hand);

#endif
