/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The heaps of one collection, each with its own figures: the last collection of which all heaps are told. What is of all heaps is told first, and how many
 * there are, then the heaps in order; which collection they are of is known before or after.
 */
#ifndef NT_MODEL_GC_HEAPS_H
#define NT_MODEL_GC_HEAPS_H

#include "nettop/event.h"
#include "nettop/gc_row.h"
#include "nettop/snapshot.h"

struct nt_gc_heap_set {
	struct nt_gc_heap_row *rows; /* owned; by index */
	size_t count, capacity;      /* count <= NT_GC_HEAPS_MAX */
};

struct nt_gc_heaps {
	struct nt_gc_heap_set gathered, shown;
	uint32_t expected;   /* heaps that `gathered` is to have; 0 = nobody said, and none are gathered */
	nt_time first, last; /* when the first and the last word of `gathered` were told */
};

void nt_gc_heaps_fini(struct nt_gc_heaps *heaps);

/* A GC_GLOBAL_HISTORY or GC_HEAP_HISTORY. */
void nt_gc_heaps_tell(struct nt_gc_heaps *heaps, const struct nt_event *event);

/* What was gathered is not all of one collection, or of none that is known. */
void nt_gc_heaps_forget(struct nt_gc_heaps *heaps);

/* What was gathered is of the collection `number`: if all of it is there, it is shown from now on. */
void nt_gc_heaps_belong(struct nt_gc_heaps *heaps, uint64_t number);

/* A copy of the rows; the snapshot's. */
void nt_gc_heaps_show(const struct nt_gc_heaps *heaps, struct nt_process_snapshot *process);

#endif
