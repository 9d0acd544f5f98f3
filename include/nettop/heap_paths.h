/* SPDX-License-Identifier: GPL-2.0-only */
/* Who holds the objects of a type: the shortest path from a root to each, put together by the types that they lead through. Made by model/heap, written by output/heap. */
#ifndef NETTOP_HEAP_PATHS_H
#define NETTOP_HEAP_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One step away from the objects, towards the roots. */
struct nt_heap_step {
	char *name;            /* owned; a type, or a root: "static Shop.Cache.s_items" */
	uint32_t depth;        /* 0 = refers to the objects themselves; one more than the step that it is behind */
	bool is_root;          /* the path ends here */
	bool is_cut;           /* types between it and what it leads to are left out, in some of the paths: too many are on them */
	bool repeats;          /* in some of the paths it comes more than once, with what is between: a list, a tree. It is listed once */
	uint64_t count, bytes; /* of the objects whose path leads through it */
};

struct nt_heap_paths {
	char *type;                 /* owned; of the objects */
	uint64_t count, bytes;      /* of these objects */
	uint64_t lost;              /* of them have no path: nothing but the collector itself knows them */
	struct nt_heap_step *steps; /* owned; each behind the step that it leads to, those with the most objects first */
	size_t step_count;
	uint64_t left_out; /* steps that are not listed, with few objects */
};

void nt_heap_paths_free(struct nt_heap_paths *paths); /* NULL is allowed */

#endif
