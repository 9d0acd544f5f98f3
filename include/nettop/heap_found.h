/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lives in the heap of a process: all objects by type, as a full collection found them. Made on demand (source/eventpipe/heap_walk.h), since the process stands still for
 * it; written by output/heap.
 */
#ifndef NETTOP_HEAP_FOUND_H
#define NETTOP_HEAP_FOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nettop/clock.h"
#include "nettop/heap_graph.h"
#include "nettop/heap_paths.h"

struct nt_heap_type {
	uint64_t id; /* the runtime's number of it, of several of one name that of one; 0 = not known */
	const char *
		name; /* as people write it: System.Collections.Generic.List<int>; "[type 0x7f...]" when the runtime did not tell. Owned by the heap */
	uint64_t count, bytes; /* of its objects; bytes as the runtime says them, without what is added to reach a whole word */
};

/* A static field that has an object. */
struct nt_heap_static {
	const char *field; /* its own name, which is all that the runtime tells of it. Owned by the heap */
	const char *owner; /* whose field it is, as types are written; NULL = not certain. Owned by the heap */
	uint64_t place;    /* address of the field itself; 0 = not told */
	uint64_t type_id;  /* of the object's type; 0 = not known */
	const char *type;  /* its name. Owned by the heap */
	uint64_t bytes;    /* of that object alone, not of what it holds; meaningful only when bytes_known */
	bool bytes_known;
	uint64_t object; /* its address */
	uint32_t node;   /* that stands for the field in the heap's graph; meaningful only when there is one */
	uint64_t held_count,
		held_bytes; /* of all objects that nothing else holds, that one among them if it is such; meaningful only when the heap's statics_held */
};

struct nt_heap_found {
	struct nt_heap_type *types; /* owned; the most bytes first, behind nt_heap_found_join() */
	size_t type_count;
	struct nt_heap_static *statics; /* owned; in the order of their names */
	size_t static_count;
	uint64_t *modules; /* owned; the runtime's numbers of the modules that its types are of, each once */
	size_t module_count;
	uint64_t object_count, bytes; /* of all that came */
	/*
	 * Not all came: the room for events in the process was full. Then the figures of the types are of a part, spread over the whole heap, and `came_pct` says how large it is. Of
	 * what was lost at the very end nobody knows.
	 */
	bool partial;
	double came_pct; /* 100 when all came */
	bool statics_partial;
	struct nt_heap_graph *graph;  /* owned; NULL = references were not asked for, or could not be kept */
	const char *no_graph;         /* why they could not, as half a sentence; static; NULL = they could, or were not asked for */
	bool statics_held;            /* what static fields hold was found */
	struct nt_heap_paths **paths; /* owned; to the objects of types that were asked for */
	size_t path_count;
	nt_time pause_ns; /* the collection with the walk, as the process was stopped for it; NT_TIME_UNKNOWN = not told */
	nt_time took_ns;  /* from asking to the end of the stream */
	uint64_t stream_bytes;
};

void nt_heap_found_free(struct nt_heap_found *heap); /* NULL is allowed */

/* The graph's types and static fields get the names of the heap's. Before nt_heap_found_join(), behind which the two have no longer the same types. */
void nt_heap_found_name_graph(struct nt_heap_found *heap);

/* Types of one name become one row, and the rows are in their order. After names have changed. */
void nt_heap_found_join(struct nt_heap_found *heap);

#endif
