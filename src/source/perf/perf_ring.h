/* SPDX-License-Identifier: GPL-2.0-only */
/* One event of perf_event_open(2) with a ring of its own: where libperf's lists (perf_list.h) hide the descriptor that somebody needs. */
#ifndef NT_SOURCE_PERF_RING_H
#define NT_SOURCE_PERF_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_perf_ring {
	int fd;                            /* owned; -1 = not open */
	struct perf_event_mmap_page *page; /* owned mapping; NULL = it writes to another's ring, or to none */
	size_t bytes;                      /* of the ring, a power of two */
	uint8_t *copy;                     /* owned: a record that goes over the end of the ring */
};

/*
 * Open the event; `tid` -1: of whatever runs on the CPU; `cpu` -1: wherever the thread is. `bytes` 0: without a ring. Returns 0 or an errno value; EPERM with *at_ring: so large a
 * ring may not be locked. Closed on exec.
 */
int nt_perf_ring_open(struct nt_perf_ring *ring, struct perf_event_attr *attr, int tid, int cpu, size_t bytes, bool *at_ring);
void nt_perf_ring_close(struct nt_perf_ring *ring);

/* Hand each record to `put`, oldest first, borrowed for the call, until it returns false (which has taken that one) or there is none. */
void nt_perf_ring_read(struct nt_perf_ring *ring, bool (*put)(void *context, const uint8_t *bytes, size_t length), void *context);

#endif
