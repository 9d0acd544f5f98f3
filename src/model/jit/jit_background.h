/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPU time of the threads that compile in the background, as /proc tells it of every thread: known also where the kernel tells nobody when threads have a
 * CPU (perf_event_open is refused). The runtime has one such thread at a time, which does little else and ends when there has been nothing to compile for some
 * seconds. Of what is compiled in the foreground /proc tells nothing: these threads do other things too.
 */
#ifndef NT_MODEL_JIT_BACKGROUND_H
#define NT_MODEL_JIT_BACKGROUND_H

#include "nettop/event.h"

enum { NT_JIT_BACKGROUND_THREADS = 8 }; /* whose last reading is kept */

struct nt_jit_background {
	struct {
		uint32_t tid;
		uint64_t start_ticks, cpu_ns;
	} threads[NT_JIT_BACKGROUND_THREADS]; /* in order of appearance; what the oldest had stays in the sum */
	uint32_t count;
	uint32_t first_tid;          /* the thread of which a reading came first, of any kind; 0 = none has come */
	bool seen_all;               /* it was read again: all that there were at first have been */
	uint64_t newest_start_ticks; /* of those that compile in the background */
	uint64_t sum_ns;             /* since nettop looks */
};

/* A reading of one of the process's threads. `name`: as the kernel keeps it, NULL = not known. */
void nt_jit_background_read(struct nt_jit_background *background, uint32_t tid, const struct nt_ev_thread_stat *reading, const char *name);

/*
 * At least so much, in ns: what a thread has used since it was last read is not in it, nor what one that was there before nettop had used until then. Not known when
 * no such thread was seen to use any: /proc tells of hundredths of a second.
 */
struct nt_u64 nt_jit_background_cpu_ns(const struct nt_jit_background *background);

#endif
