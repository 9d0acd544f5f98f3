/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All objects of a heap and what each refers to: of a process, by its runtime's word (source/common/heap_references.h), or of a .gcdump file (decode/heap/gcdump_read.h). Besides objects it has nodes that stand
 * for roots: a static field, what stacks refer to, and one above all of them. It is large, some 25 bytes for each object and 4 for each reference, so it is made on demand and let go.
 */
#ifndef NETTOP_HEAP_GRAPH_H
#define NETTOP_HEAP_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NT_HEAP_NODE_NONE UINT32_MAX

/* Nodes and references that are taken at most. */
enum { NT_HEAP_NODES_MAX = INT32_MAX - 1 };
#define NT_HEAP_EDGES_MAX (UINT32_MAX - 1)

struct nt_heap_graph_type {
	char *name;   /* owned; as people write it; of a root what stands for it: "static Shop.Cache.s_items" */
	bool is_root; /* its nodes are no objects */
};

struct nt_heap_large {
	uint32_t node;
	uint64_t bytes;
};

struct nt_heap_graph {
	struct nt_heap_graph_type *types; /* owned */
	size_t type_count;
	uint32_t count; /* of nodes */
	uint32_t root;  /* the node above all; a node that no path leads to from it has no path */
	/* Each owned, `count` long: */
	uint32_t *type_of;
	uint32_t *bytes;      /* UINT32_MAX: as many, or more; then `large` has it */
	uint64_t *addresses;  /* NULL = not known, or let go. Of a root's node 0 */
	uint32_t *first_edge; /* `count` + 1 long: the edges of node i are edges[first_edge[i] .. first_edge[i + 1]) */
	uint32_t *edges;      /* owned; nodes */
	bool fields_apart; /* a static field is what refers to its object, and not, too, the array of the runtime that it lies in: what a field alone holds can be asked */
	struct nt_heap_large *large; /* owned; in the order of nodes */
	size_t large_count;
};

/* Bytes of a node; of a root's 0. */
uint64_t nt_heap_graph_bytes(const struct nt_heap_graph *graph, uint32_t node);

/* Memory that it takes, and what a look at it (nt_heap_held(), nt_heap_paths()) takes besides at most. */
uint64_t nt_heap_graph_memory(uint64_t nodes, uint64_t edges);

/* Is everything within bounds: types and edges, and those of each node behind those of the one before? What comes from a file is asked this. */
bool nt_heap_graph_is_sound(const struct nt_heap_graph *graph);

void nt_heap_graph_free(struct nt_heap_graph *graph); /* NULL is allowed */

#endif
