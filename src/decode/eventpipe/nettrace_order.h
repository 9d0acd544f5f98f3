/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events in the order of their times. The runtime writes a flush thread by thread, each thread's events in order: runs. The first event of a run is
 * marked: it is the oldest of all that the runtime still holds. So what waits and is not newer than it can go, merged from the runs.
 */
#ifndef NT_DECODE_NETTRACE_ORDER_H
#define NT_DECODE_NETTRACE_ORDER_H

#include "decode/eventpipe/nettrace.h"
#include "decode/eventpipe/nettrace_blocks.h"

/* Events waiting[next .. end) in order of time. */
struct nt_nettrace_run {
	size_t next, end;
	uint64_t number; /* in order of arrival: equal times stay so */
};

struct nt_nettrace_order {
	const struct nt_nettrace_sink *sink; /* borrowed */
	struct nt_nettrace_blocks *memory;   /* borrowed: where blocks come from and go to */
	struct nt_nettrace_event *waiting;   /* owned; all that came since nothing waited */
	size_t count, capacity, delivered;
	size_t open;                  /* waiting[open .. count) is the run that still grows */
	struct nt_nettrace_run *runs; /* owned; a heap, the oldest first event on top */
	size_t run_count, run_capacity;
	uint64_t next_number;
	struct nt_nettrace_block *blocks; /* owned, what waiting events point into; until nothing waits */
	size_t block_bytes;
};

void nt_nettrace_order_init(struct nt_nettrace_order *order, const struct nt_nettrace_sink *sink, struct nt_nettrace_blocks *memory);
void nt_nettrace_order_fini(struct nt_nettrace_order *order);

/*
 * Room for an event of that time, which the caller fills at once: with pointers into a block that is kept next, or into memory that lives longer. `oldest`:
 * it is marked, everything up to it goes first.
 */
struct nt_nettrace_event *nt_nettrace_order_add(struct nt_nettrace_order *order, nt_time time, bool oldest);

/* Deliver, in order, what is not newer than `until`; NT_TIME_UNKNOWN: all. */
void nt_nettrace_order_release(struct nt_nettrace_order *order, nt_time until);

/* The block becomes the order's, after its events have been added: given back when nothing waits any more. */
void nt_nettrace_order_keep(struct nt_nettrace_order *order, struct nt_nettrace_block *take);

/* Return to the system what a flood has left behind. */
void nt_nettrace_order_trim(struct nt_nettrace_order *order);

size_t nt_nettrace_order_waiting(const struct nt_nettrace_order *order);

/* Does the next event need more memory than there is? */
static inline bool nt_nettrace_order_is_full(const struct nt_nettrace_order *order)
{
	return order->count == order->capacity;
}

/* Bytes that it holds, and those that the neutral events will have that become of the waiting ones. */
size_t nt_nettrace_order_bytes(const struct nt_nettrace_order *order);

/* The same after it has grown for one event more. */
size_t nt_nettrace_order_bytes_grown(const struct nt_nettrace_order *order);

#endif
