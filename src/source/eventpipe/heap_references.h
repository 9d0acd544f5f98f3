/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each object of a heap refers to, as it comes in a stream, kept whole: a graph cannot be made of a part, because the runtime tells whose the edges are by their order alone. What is kept grows with the heap, up to a limit, at
 * which all of it is given up.
 */
#ifndef NT_SOURCE_HEAP_REFERENCES_H
#define NT_SOURCE_HEAP_REFERENCES_H

#include "decode/eventpipe/heap_events.h"
#include "nettop/heap_found.h"

struct nt_heap_references;

struct nt_heap_references *nt_heap_references_new(uint64_t limit_bytes);
void nt_heap_references_free(struct nt_heap_references *references); /* NULL is allowed */

/* An object, in the order in which they come; `type` is the caller's number of its type. */
void nt_heap_references_node(struct nt_heap_references *references, const struct nt_heap_node_entry *node, uint32_t type);

/* The payload of an event: NT_HEAP_EDGES, NT_HEAP_ROOTS, NT_HEAP_PAIRS. */
void nt_heap_references_event(struct nt_heap_references *references, enum nt_heap_event_id id, const uint8_t *payload, size_t length);

/*
 * All has come. Makes the graph of the heap, heap->graph, or says why there is none, heap->no_graph. `types`: of each of the caller's numbers that of its row in heap->types, which are the graph's first types; their names, and those of static
 * fields, are for nt_heap_found_name_graph() to give. heap->statics have their nodes then.
 */
void nt_heap_references_finish(struct nt_heap_references *references, const uint32_t *types, struct nt_heap_found *heap);

#endif
