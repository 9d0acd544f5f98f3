/* SPDX-License-Identifier: GPL-2.0-only */
/* The call stacks of one side of the pauses for collections, out of a tree that has both (nt_stacks_have_sides()). */
#ifndef NT_OUTPUT_STACKS_SIDE_H
#define NT_OUTPUT_STACKS_SIDE_H

#include "nettop/stacks.h"

struct nt_stacks_side {
	struct nt_stack_tree tree;       /* all of it is borrowed: its frames from the whole tree, its nodes and moments from these */
	struct nt_stack_node *nodes;     /* owned */
	struct nt_stack_moment *moments; /* owned */
};

/* Threads that were cut off as too many are of no side. What came without a time (nt_stack_tree.untimed) stays told of the whole. */
void nt_stacks_side_init(struct nt_stacks_side *side, const struct nt_stack_tree *tree, enum nt_pause_side which);
void nt_stacks_side_fini(struct nt_stacks_side *side);

#endif
