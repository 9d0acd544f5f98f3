/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/heap: who holds the objects of a heap. */
/* The shortest path from the root to each node of a heap: a tree, found breadth first. */
#ifndef NT_MODEL_HEAP_TREE_H
#define NT_MODEL_HEAP_TREE_H

#include "nettop/heap_graph.h"

struct nt_heap_tree {
	uint32_t *
		parent; /* owned, one for each node: the one before it on its path; the root's is itself; NT_HEAP_NODE_NONE = no path leads to it */
	uint32_t *order;  /* owned: nodes that have a path, the nearest to the root first */
	uint32_t reached; /* how many these are */
};

/* Of nodes with the same distance those that come first in the lists of edges are preferred. End it with nt_heap_tree_fini(). */
struct nt_heap_tree nt_heap_tree_of(const struct nt_heap_graph *graph);
void nt_heap_tree_fini(struct nt_heap_tree *tree);

#endif
