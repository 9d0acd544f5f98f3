/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocked time summed by a number: of the reason, or of the thread. Bounded: beyond the limit, and of what has ended long ago, one row has the sum, so that all rows
 * together are all that was waited.
 */
#ifndef NT_MODEL_WAIT_SUMS_H
#define NT_MODEL_WAIT_SUMS_H

#include "base/index.h"
#include "model/common/histogram.h"
#include "model/common/span.h"
#include "model/waits/wait_longest.h"

/* In place of a key: all others. */
#define NT_WAIT_SUM_OTHER UINT32_MAX

/* Time in the open interval, in all intervals before, and weighted as the window is. */
struct nt_wait_amount {
	uint64_t interval_ns, all_ns;
	double window_ns;
};

/* What is added to a sum. */
struct nt_wait_part {
	uint32_t tid;
	uint64_t wait_ns, runq_ns, idle_ns; /* in the open interval */
	uint64_t longest_ns;                /* of this wait altogether; 0 = not known, or it is none to count */
	bool counts;                        /* it has ended and is counted */
	bool waits;                         /* it has not ended */
	bool polled;                        /* its begin and end were not seen */
	bool timed;                         /* only they were */
};

struct nt_wait_sum {
	uint32_t key;
	struct nt_wait_amount wait, runq, idle;
	uint64_t interval_count, count;
	double window_count;
	struct nt_histogram *waits; /* owned; of waits of which both ends were seen; NULL = none, or not wanted */
	uint64_t max_ns;
	struct nt_wait_longest longest;
	uint32_t waiting_count; /* at the end of the interval */
	uint64_t polled_ns;     /* of the interval's waits, by looks */
	bool polled;            /* most of those of the last interval that has any */
	bool timed;             /* some of its waits were */
	bool ending;            /* its thread has ended in the open interval, whose waits are still to be added */
	bool ended;             /* its thread; it stays as long as there is room */
	const char *name;       /* of the thread, as whoever fills rows has noted it: the table's; NULL = not known */
	bool shown;             /* in a snapshot before */
};

struct nt_wait_sums {
	struct nt_wait_sum *items; /* owned; in no order */
	size_t count, capacity, limit;
	size_t ended_count;
	struct nt_index by_key;
	bool percentiles; /* are wanted */
};

/* `limit`: so many rows at most, that of the others included. */
void nt_wait_sums_init(struct nt_wait_sums *sums, size_t limit, bool percentiles);
void nt_wait_sums_fini(struct nt_wait_sums *sums);

void nt_wait_sums_add(struct nt_wait_sums *sums, uint32_t key, const struct nt_wait_part *part);

/* What the key stands for has ended: what was added stays, and what is added before the interval closes is still its own. */
void nt_wait_sums_end(struct nt_wait_sums *sums, uint32_t key);

/* The interval begins to close: nothing waits that is not added after this. */
void nt_wait_sums_begin(struct nt_wait_sums *sums);

/* The interval closes: its parts go to the sums, where a snapshot takes them from; then the next one begins. */
void nt_wait_sums_step(struct nt_wait_sums *sums, const struct nt_span *span);
void nt_wait_sums_next(struct nt_wait_sums *sums);

#endif
