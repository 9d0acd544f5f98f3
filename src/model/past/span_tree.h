/* SPDX-License-Identifier: GPL-2.0-only */
/* The call tree of a time that is over, from the samples that were kept of it (nettop/interval_samples.h). */
#ifndef NT_MODEL_PAST_SPAN_TREE_H
#define NT_MODEL_PAST_SPAN_TREE_H

#include "model/common/trie.h"
#include "nettop/snapshot.h"

struct nt_span_tree {
	struct nt_trie trie;           /* labels: places in `frames` */
	struct nt_stack_frame *frames; /* owned, their texts are not: threads and code */
	uint64_t *numbers;             /* owned: of each, nt_sample_frame(); of threads 0 */
	size_t frame_count, frame_capacity, number_capacity;
	struct nt_index by_frame, by_thread; /* places in `frames` */
	struct nt_index by_stack;            /* the node at the end of a stack, by its hash */
	nt_time coarse_ns;                   /* as in struct nt_stack_tree */
};

void nt_span_tree_init(struct nt_span_tree *tree);
void nt_span_tree_fini(struct nt_span_tree *tree);

/*
 * Count those of an interval's samples that were taken in [from, to), each for `weight`. Intervals from the newest to the oldest: names are the newest. Texts are copied to `arena`. What there was no room
 * for in the interval is evicted in the tree, too, when all of the interval is in that time.
 */
void nt_span_tree_add(struct nt_span_tree *tree, const struct nt_snapshot *interval, const struct nt_interval_samples *samples,
		      nt_time from, nt_time to, double weight, void *arena);

/* Let this be the process's call tree: it lies in `arena`. */
void nt_span_tree_fill(const struct nt_span_tree *tree, enum nt_stacks_wanted wanted, void *arena, struct nt_process_snapshot *process);

#endif
