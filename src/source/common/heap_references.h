/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each object of a heap refers to, as it comes in a stream or from a core dump, kept whole: a graph cannot be made of a part, because the runtime tells whose the edges are by their order alone. What is kept grows with the heap, up to a limit, at
 * which all of it is given up.
 */
#ifndef NT_SOURCE_HEAP_REFERENCES_H
#define NT_SOURCE_HEAP_REFERENCES_H

#include "nettop/heap_found.h"

struct nt_heap_references;

/* Kinds of roots. */
struct nt_heap_root_names {
	const char *const *names; /* borrowed */
	uint32_t count;
	/* A root of this kind may be none: it counts only for an object that no other root leads to. `count` = there is no such kind. */
	uint32_t doubtful;
};

/* Memory that it, and a look at its graph, may take. `kinds`: borrowed. */
struct nt_heap_references *nt_heap_references_new(uint64_t limit_bytes, const struct nt_heap_root_names *kinds);
void nt_heap_references_free(struct nt_heap_references *references); /* NULL is allowed */

struct nt_heap_node {
	uint64_t address, bytes;
	uint64_t references; /* how many of the edges are its own: those behind the edges of the object before */
};

/* An object, in the order in which they come; `type` is the caller's number of its type. */
void nt_heap_references_node(struct nt_heap_references *references, const struct nt_heap_node *node, uint32_t type);

/* The next reference, of the next of those objects that have any left; a root of one of the kinds; an object that lives as long as another one (ConditionalWeakTable). Objects by their addresses. */
void nt_heap_references_edge(struct nt_heap_references *references, uint64_t to);
void nt_heap_references_root(struct nt_heap_references *references, uint64_t object, uint32_t kind);
void nt_heap_references_pair(struct nt_heap_references *references, uint64_t key, uint64_t value);

/* Something is missing, or is not as it should be: there will be no graph, and `why`, half a sentence, static, says so. The first reason stays. */
void nt_heap_references_give_up(struct nt_heap_references *references, const char *why);

/* The same, as part of what the runtime told was lost. */
void nt_heap_references_lost(struct nt_heap_references *references);

/*
 * All has come. Makes the graph of the heap, heap->graph, or says why there is none, heap->no_graph. `types`: of each of the caller's numbers that of its row in heap->types, which are the graph's first types; their names, and those of static
 * fields, are for nt_heap_found_name_graph() to give. heap->statics have their nodes then.
 */
void nt_heap_references_finish(struct nt_heap_references *references, const uint32_t *types, struct nt_heap_found *heap);

#endif
