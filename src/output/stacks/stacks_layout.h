/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where each node of a tree of stacks lies in a flame graph, in samples: callees side by side in the order of their names, below their caller.
 * Inside src/output/ only.
 */
#ifndef NT_OUTPUT_STACKS_LAYOUT_H
#define NT_OUTPUT_STACKS_LAYOUT_H

#include "nettop/stacks.h"

/* A box: it covers the samples [first, first + count). */
struct nt_stacks_box {
	uint64_t first, count;
	uint32_t depth; /* frames that called it: 0 is a thread */
	/* By nt_stacks_fold(): */
	uint32_t row;   /* frames that called it and are not folded */
	uint32_t folds; /* so many frames below it are folded into it, at most one behind the other */
	bool folded;    /* it is part of its caller's box until somebody opens that */
};

struct nt_stacks_layout {
	struct nt_stacks_box *boxes; /* owned; by number of the node */
	uint64_t samples;            /* that all boxes of a depth cover at most */
	uint32_t deepest;            /* frames of the deepest stack, with its thread */
	uint32_t folded_deepest;     /* likewise, without what is folded */
};

/* `tree` is needed during the call only. */
void nt_stacks_layout_make(struct nt_stacks_layout *layout, const struct nt_stack_tree *tree);
/*
 * Fold what tells nobody anything: the frames of the runtime through which a thread comes to the program's first method, and recursion, of up to four methods that
 * call each other in turn.
 */
void nt_stacks_fold(struct nt_stacks_layout *layout, const struct nt_stack_tree *tree);
void nt_stacks_layout_fini(struct nt_stacks_layout *layout);

#endif
