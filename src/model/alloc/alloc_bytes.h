/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/alloc: allocated bytes, and of which types. */
/*
 * Allocated bytes. As the runtime itself counts them, where EventPipe brings its counters; else from AllocationSampled events while somebody wants
 * them; else estimated from the heap histories: net heap before this collection minus net heap after the one before. The estimate comes
 * with collections, so it needs two of them and is lumpy.
 */
#ifndef NT_MODEL_ALLOC_BYTES_H
#define NT_MODEL_ALLOC_BYTES_H

#include "model/common/counted.h"
#include "nettop/snapshot.h"

struct nt_alloc_state {
	/* Heap histories of the collection that is being reported: one event per heap. */
	uint32_t heap_count; /* as the runtime says; 0 = not known */
	uint32_t heaps_seen;
	uint32_t last_heap;
	double before_bytes, after_bytes; /* exact up to 2^53 */
	bool previous_known;
	double previous_after_bytes;
	bool estimate_known;
	struct nt_u64 gen0_budget_bytes;

	double interval_estimated, total_estimated; /* may be negative for a moment: objects move between heaps */
	struct nt_alloc_sums interval_sampled, total_sampled;
	bool sampling; /* samples replace the estimate */
	nt_time last_sample;

	struct nt_counted counted; /* while it tells, it replaces both */
	double total_counted;
	nt_time covered_ns; /* since attach, of the intervals that it did not tell of */
	bool missed_start;  /* neither counted nor sampled: what was allocated since then is not known */
};

void nt_alloc_init(struct nt_alloc_state *alloc);

/* GC_GLOBAL_HISTORY (number of heaps, budget), GC_HEAP_HISTORY and ALLOC_SAMPLED; others are ignored. */
void nt_alloc_apply(struct nt_alloc_state *alloc, const struct nt_event *event);

/* What EventPipe brings, and that it postpones something. */
void nt_alloc_source(struct nt_alloc_state *alloc, const struct nt_ev_source_state *state);

/* The runtime's counter of allocated bytes, `alloc-rate` of System.Runtime: a COUNTER event. */
void nt_alloc_counted(struct nt_alloc_state *alloc, const struct nt_event *event);

/*
 * Fill alloc_bytes, alloc_estimated, alloc_error_pct, alloc_covered_ns and the budget of both figures and start the next interval. `told_ns`: for how long of it
 * samples were told; the estimate's time is that of the collections, which the figures have.
 */
void nt_alloc_close(struct nt_alloc_state *alloc, const struct nt_span *span, bool interval_known, bool total_known, nt_time told_ns,
		    struct nt_gc_figures *interval, struct nt_gc_figures *total);

#endif
