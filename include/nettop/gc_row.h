/* SPDX-License-Identifier: GPL-2.0-only */
/* Collections as rows of a snapshot. Source: the runtime's own events of the GC, by LTTng or EventPipe. */
#ifndef NETTOP_GC_ROW_H
#define NETTOP_GC_ROW_H

#include "nettop/clock.h"
#include "nettop/gc_event.h"
#include "nettop/known.h"

#include <stdbool.h>
#include <stdint.h>

struct nt_call_stack; /* snapshot.h */

/* What of a collection took how long. */
enum nt_gc_step { NT_GC_MARKING, NT_GC_PLANNING, NT_GC_RELOCATING, NT_GC_COMPACTING, NT_GC_SWEEPING, NT_GC_STEP_COUNT };

enum nt_gc_way { NT_GC_WAY_UNKNOWN, NT_GC_WAY_COMPACT, NT_GC_WAY_SWEEP };

enum { NT_GC_CONDEMNED_TEXT = 80 };

/* A collection. Texts and stacks are the snapshot's, but for what lies in the row itself. */
struct nt_gc_row {
	uint64_t id;         /* number of the collection */
	uint32_t generation; /* condemned */
	uint32_t type;       /* 0 blocking 1 background 2 foreground; 3 = not known */
	struct nt_u64 reason;
	nt_time start, end;       /* NT_TIME_UNKNOWN when not seen / not finished */
	struct nt_u64 suspend_ns; /* time until all threads stood */
	struct nt_u64 pause_ns, pause_tracing_ns;
	struct nt_u64 before_bytes, after_bytes, loh_bytes;
	struct nt_u64 loh_freed_bytes; /* large objects that gen2 collections found dead, in bytes without what was free before */
	struct nt_u64 promoted_bytes;  /* of a full collection known with its histories: the runtime's sum leaves the pinned heap out */
	struct nt_u64 found_bytes[NT_GC_GENERATIONS];      /* found in gen0, gen1, gen2, LOH, POH, free space included */
	struct nt_u64 generation_bytes[NT_GC_GENERATIONS]; /* left there */
	struct nt_u64 pinned_count;                        /* objects that could not be moved */
	struct nt_u64 handle_count;
	struct nt_u64 finalizable_count; /* objects kept alive for their finalizer */
	struct nt_f64 survived_pct, fragmentation_pct;
	struct nt_u64 gen0_budget_bytes,
		loh_budget_bytes; /* so much may be allocated before the next; a background collection sets none for gen0 */
	struct nt_u64 heap_count; /* heaps that were collected; more than one with server GC */
	struct nt_u64 heap_least_bytes, heap_most_bytes; /* left in the smallest and in the largest of them */
	struct nt_u64 memory_load_pct;                   /* of the machine, or of the container, as the collector saw it */
	struct nt_u64 step_ns[NT_GC_STEP_COUNT];         /* of a background collection marking in its last stop alone */
	enum nt_gc_way way;
	char condemned[NT_GC_CONDEMNED_TEXT];   /* why this generation; "" = not said */
	const char *asked_by;                   /* the program's method that made it necessary; NULL = not known */
	const struct nt_call_stack *asked_from; /* all of its stack; NULL = not known, or no longer */
	bool finished;
	bool marked; /* out of its range (screens §7): bold, `!` */
};

/* The runtime has no more heaps than this. */
enum { NT_GC_HEAPS_MAX = 1024 };

/* One heap in the last collection of which all heaps are told, which ended after those with higher numbers if it was in the background. In bytes; free space included, but where it is said. */
struct nt_gc_heap_row {
	uint64_t collection; /* its number */
	uint32_t index;      /* as the runtime counts, from 0 */
	uint64_t found_bytes, left_bytes;
	uint64_t free_bytes; /* free in what is left */
	uint64_t loh_bytes;  /* left of large objects */
	struct nt_u64 gen0_budget_bytes;
	struct nt_f64 share_pct; /* of what is left in all heaps; not known if that is nothing */
};

/* Of those that ended in the last ten intervals, as far as they have rows. */
struct nt_gc_recent {
	uint64_t count;
	struct nt_u64 p50_ns, p90_ns, p99_ns, max_ns;
	struct nt_f64 every_ms;
};

/* Pauses per generation since attach; index 3 = background gen2. */
struct nt_gc_generation_row {
	const char *name; /* gen0 .. gen2, gen2 bg */
	uint64_t count;
	double per_s; /* over the window */
	struct nt_u64 p50_ns, p90_ns, p99_ns, max_ns;
	struct nt_f64 every_ms; /* mean distance of two */
	uint64_t window_count;
	struct nt_gc_recent recent;
	bool marked; /* a finding is about it */
};
enum { NT_GC_ROW_GENERATIONS = 4 };

/* In which of those rows a collection is counted; -1: in none. */
static inline int nt_gc_row_generation(const struct nt_gc_row *row)
{
	enum { BACKGROUND = 1 };
	return row->generation > 2 ? -1 : row->type == BACKGROUND ? 3 : (int)row->generation;
}

#endif
