/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of an interval one by one, while somebody wants to go back to them (NT_EV_KEEP_SAMPLES): see nettop/interval_samples.h. In bounded memory. */
#ifndef NT_MODEL_SAMPLES_KEPT_H
#define NT_MODEL_SAMPLES_KEPT_H

#include "base/index.h"
#include "model/common/span.h"
#include "model/cpu/frames.h"
#include "nettop/snapshot.h"

/* Frames of one interval's stacks: half a megabyte in the snapshot. */
enum { NT_SAMPLES_KEPT_FRAMES = 1 << 16 };

struct nt_kept_stack {
	uint32_t first, count; /* in `frames` */
};

/* All zero keeps nothing. */
struct nt_samples_kept {
	bool wanted;
	struct nt_sample_row *rows; /* owned, as the others */
	struct nt_kept_stack *stacks;
	uint32_t *frames; /* numbers of rows of methods */
	size_t row_count, row_capacity, stack_count, stack_capacity, frame_count, frame_capacity;
	struct nt_index by_row, by_stack; /* by hashes of what they are */
	uint32_t left_out;
};

void nt_samples_kept_fini(struct nt_samples_kept *kept);

/* As NT_EV_KEEP_SAMPLES says. */
void nt_samples_kept_want(struct nt_samples_kept *kept, bool wanted);

/* So many samples of the interval that is being closed: taken at this time by this thread (0 = not known), with this stack, leaf first. */
void nt_samples_kept_add(struct nt_samples_kept *kept, nt_time time, uint32_t count, uint32_t tid, const nt_frame *frames,
			 size_t frame_count, const struct nt_span *span);

/* Where they are wanted: fill the snapshot, once it has the rows of the methods, and start the next interval. */
void nt_samples_kept_close(struct nt_samples_kept *kept, const struct nt_resolver *resolver, struct nt_snapshot *snapshot,
			   struct nt_interval_samples *out);

#endif
