/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where each node of a tree of stacks lies in a flame graph, in samples: callees side by side in the order of their names, their caller below them.
 * Inside src/output/ only.
 */
#ifndef NT_OUTPUT_STACKS_LAYOUT_H
#define NT_OUTPUT_STACKS_LAYOUT_H

#include "nettop/stacks.h"

/* A box: it covers the samples [first, first + count). */
struct nt_stacks_box {
	uint64_t first, count;
	uint32_t depth; /* frames below it: 0 is a thread */
};

struct nt_stacks_layout {
	struct nt_stacks_box *boxes; /* owned; by number of the node */
	uint64_t samples;            /* that all boxes of a depth cover at most */
	uint32_t deepest;            /* frames of the deepest stack, with its thread */
};

/* `tree` is needed during the call only. */
void nt_stacks_layout_make(struct nt_stacks_layout *layout, const struct nt_stack_tree *tree);
void nt_stacks_layout_fini(struct nt_stacks_layout *layout);

#endif
