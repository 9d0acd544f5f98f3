/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of an interval one by one, while somebody wants to go back to them (NT_EV_KEEP_SAMPLES): see nettop/interval_samples.h. In bounded memory. */
#ifndef NT_MODEL_SAMPLES_KEPT_H
#define NT_MODEL_SAMPLES_KEPT_H

#include "base/index.h"
#include "model/common/span.h"
#include "model/cpu/frames.h"
#include "model/cpu/stacks_kept.h"
#include "nettop/snapshot.h"

/* Frames of one interval's stacks: a megabyte in the snapshot. */
enum { NT_SAMPLES_KEPT_FRAMES = 1 << 17 };

struct nt_kept_stack {
	uint32_t first, count; /* in `frames` */
};

/* All zero keeps nothing. */
struct nt_samples_kept {
	bool wanted;
	struct nt_sample_row *rows; /* owned, as the others */
	struct nt_kept_stack *stacks;
	nt_frame *frames;
	struct nt_stack_frame *threads; /* their names are the table's */
	size_t row_count, row_capacity, stack_count, stack_capacity, frame_count, frame_capacity, thread_count, thread_capacity;
	struct nt_index by_row, by_stack, by_thread; /* by hashes of what they are; by id and side */
	uint32_t left_out;
	uint32_t generation; /* of the interval: chains remember their stack by it. 0 before any was wanted */
};

void nt_samples_kept_fini(struct nt_samples_kept *kept);

/* As NT_EV_KEEP_SAMPLES says. */
void nt_samples_kept_want(struct nt_samples_kept *kept, bool wanted);

/*
 * So many samples of the interval that is being closed. `chain`: as it was resolved for them, which is as of their time; NULL: they have none, and `no_chain` is the frame that says so.
 */
void nt_samples_kept_add(struct nt_samples_kept *kept, struct nt_chain *chain, nt_frame no_chain, const struct nt_stacks_sample *sample,
			 uint32_t count, const struct nt_span *span);

/* Where they are wanted: fill the snapshot, once it has the rows of the methods, and start the next interval. */
void nt_samples_kept_close(struct nt_samples_kept *kept, const struct nt_resolver *resolver, struct nt_snapshot *snapshot,
			   struct nt_interval_samples *out);

#endif
