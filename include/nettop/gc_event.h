/* SPDX-License-Identifier: GPL-2.0-only */
/* Collections: what the runtime tells of them, the payloads of NT_EV_GC_* (nettop/event.h). */
#ifndef NETTOP_GC_EVENT_H
#define NETTOP_GC_EVENT_H

#include <stdint.h>

struct nt_ev_gc_start {
	uint32_t number, generation, reason, type; /* type: 0 blocking, 1 background, 2 foreground */
};

struct nt_ev_gc_end {
	uint32_t number, generation;
};

enum { NT_GC_GENERATIONS = 5, NT_GC_POH = 4 }; /* gen0, gen1, gen2, LOH, POH */

/* Sizes in bytes, after the collection. */
struct nt_ev_gc_heap_stats {
	uint64_t size_bytes[NT_GC_GENERATIONS];
	uint64_t promoted_bytes[NT_GC_GENERATIONS];
	uint64_t finalization_promoted_bytes, finalization_promoted_count;
	uint32_t pinned_count, sink_block_count, handle_count;
	uint32_t poh_known; /* 0 before _V2: index 4 is not known */
};

struct nt_ev_gc_suspend_begin {
	uint32_t reason; /* 1 for a GC, 6 within a background GC, others are no GC */
	uint32_t count;
};

struct nt_ev_gc_triggered {
	uint32_t reason;
};

/* What took how long: the first five are of marking; of a background collection they are of its last stop, and all that is told. */
enum { NT_GC_MARK_STEPS = 5, NT_GC_STEPS = 8 };

struct nt_ev_gc_global_history {
	uint64_t final_youngest_desired_bytes;
	uint32_t heap_count, condemned_generation, gen0_reduction_count, reason, mechanisms, pause_mode, memory_pressure_pct;
	uint32_t step_count; /* 0 before _V4 */
	uint32_t step_us
		[NT_GC_STEPS]; /* marking by sized references, roots, short weak handles, finalizers, long weak handles; planning; then relocating and
					   compacting, or sweeping, as `mechanisms` says */
};

/* Bits of `mechanisms`. */
enum { NT_GC_CONCURRENT = 1, NT_GC_COMPACTS = 2 };

/* Sizes in bytes; what is not said is 0. */
struct nt_ev_gc_heap_history {
	uint32_t heap_index;
	uint32_t generation_count;   /* as in the payload; the sums below are over all of them */
	uint32_t condemn_reasons[2]; /* which generations for what reason, and which other reasons: model/gc/gc_reasons.c */
	uint64_t before_gross_bytes[NT_GC_GENERATIONS]; /* what the collection found in each */
	uint64_t after_gross_bytes;                     /* and left */
	uint64_t before_bytes;                          /* without what was free in it */
	uint64_t free_after_bytes; /* free in what it left; of a generation that has become an older one's it counts still */
	uint64_t loh_after_bytes;  /* gross */
	uint64_t loh_found_used_bytes, loh_left_used_bytes; /* of large objects without what was free between them */
	uint64_t poh_after_bytes;                           /* without what was free in it */
	uint64_t gen0_budget_bytes,
		loh_budget_bytes; /* so much may be allocated there before the next; a background collection sets none for gen0 */
};

/* What a collection left without what is free in it. */
static inline uint64_t nt_gc_used_after(uint64_t after_gross_bytes, uint64_t free_after_bytes)
{
	return free_after_bytes <= after_gross_bytes ? after_gross_bytes - free_after_bytes : 0;
}

/* From where objects were found that stay alive. */
enum nt_gc_root {
	NT_GC_ROOT_STACKS,
	NT_GC_ROOT_HANDLES,    /* of GCHandle, of statics, dependent and sized ones, too */
	NT_GC_ROOT_FINALIZERS, /* they wait for their finalizer */
	NT_GC_ROOT_OLDER,      /* from generations that are not collected */
	NT_GC_ROOT_OTHER,      /* what was left over when the mark stack was full, what one heap marked for another */
	NT_GC_ROOT_COUNT
};

/* Of one heap in one collection. */
struct nt_ev_gc_mark {
	uint64_t bytes;
	uint32_t heap_index;
	uint32_t type; /* 0 stacks, 1 finalizer queue, 2 handles, 3 older generations, 4 sized references, 5 overflow, 6 dependent handles,
			  7 new in the finalizer queue, 8 stolen, 9 background collection */
};

struct nt_ev_finalizers_end {
	uint32_t count;
};

#endif
