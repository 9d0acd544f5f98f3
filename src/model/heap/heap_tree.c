// SPDX-License-Identifier: GPL-2.0-only
#include "model/heap/heap_tree.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct nt_heap_tree nt_heap_tree_of(const struct nt_heap_graph *graph)
{
	struct nt_heap_tree tree = { .parent = nt_realloc(NULL, graph->count, sizeof(*tree.parent)),
				     .order = nt_realloc(NULL, graph->count, sizeof(*tree.order)) };
	memset(tree.parent, 0xff, graph->count * sizeof(*tree.parent));
	tree.parent[graph->root] = graph->root;
	tree.order[tree.reached++] = graph->root;
	for (uint32_t i = 0; i < tree.reached; i++) {
		uint32_t node = tree.order[i];
		for (uint32_t edge = graph->first_edge[node]; edge < graph->first_edge[node + 1]; edge++) {
			uint32_t to = graph->edges[edge];
			if (tree.parent[to] != NT_HEAP_NODE_NONE)
				continue;
			tree.parent[to] = node;
			tree.order[tree.reached++] = to;
		}
	}
	return tree;
}

void nt_heap_tree_fini(struct nt_heap_tree *tree)
{
	free(tree->parent);
	free(tree->order);
	*tree = (struct nt_heap_tree){ 0 };
}
