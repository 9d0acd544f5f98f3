/* SPDX-License-Identifier: GPL-2.0-only */
/* Of the threads of a row one to look at: the one that waited longest. It stays the same while it waits half as long as whoever waits longest. */
#ifndef NT_MODEL_WAIT_LONGEST_H
#define NT_MODEL_WAIT_LONGEST_H

#include <stdint.h>

/* All zero: nobody. */
struct nt_wait_longest {
	uint32_t tid;                 /* the one; 0 = nobody yet */
	uint32_t interval_tid;        /* who waited longest at a time in the open interval, */
	uint64_t interval_ns, tid_ns; /* so long; and `tid` */
};

/* A thread has waited for so long at a time in the open interval. */
static inline void nt_wait_longest_note(struct nt_wait_longest *longest, uint32_t tid, uint64_t ns)
{
	if (tid == longest->tid && ns > longest->tid_ns)
		longest->tid_ns = ns;
	if (ns <= longest->interval_ns)
		return;
	longest->interval_ns = ns;
	longest->interval_tid = tid;
}

/* The interval closes. */
static inline void nt_wait_longest_step(struct nt_wait_longest *longest)
{
	if (longest->interval_ns && longest->tid_ns < longest->interval_ns / 2)
		longest->tid = longest->interval_tid;
	longest->interval_tid = 0;
	longest->interval_ns = longest->tid_ns = 0;
}

#endif
