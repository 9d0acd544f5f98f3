// SPDX-License-Identifier: GPL-2.0-only
#include "model/alloc/alloc_bytes.h"

#include "model/alloc/alloc_sample.h"

/* How long samples may be silent before the estimate takes over again. */
static const nt_time silence_ns = 3 * NT_NS_PER_S;

void nt_alloc_init(struct nt_alloc_state *alloc)
{
	*alloc = (struct nt_alloc_state){ 0 };
}

/* ---- estimate ---- */

static void finish_heaps(struct nt_alloc_state *alloc)
{
	if (!alloc->heaps_seen)
		return;
	if (alloc->previous_known) {
		alloc->interval_estimated += alloc->before_bytes - alloc->previous_after_bytes;
		alloc->estimate_known = true;
	}
	alloc->previous_after_bytes = alloc->after_bytes;
	alloc->previous_known = true;
	alloc->heaps_seen = 0;
	alloc->before_bytes = alloc->after_bytes = 0;
}

static void global_history(struct nt_alloc_state *alloc, const struct nt_ev_gc_global_history *history)
{
	alloc->heap_count = history->heap_count;
	if (history->final_youngest_desired_bytes) /* a background collection sets no budget, and says 0 */
		alloc->gen0_budget_bytes = nt_u64_of(history->final_youngest_desired_bytes);
}

static void heap_history(struct nt_alloc_state *alloc, const struct nt_ev_gc_heap_history *history)
{
	if (alloc->heaps_seen && history->heap_index <= alloc->last_heap)
		finish_heaps(alloc); /* heaps come in order: this is the next collection */
	alloc->heaps_seen++;
	alloc->last_heap = history->heap_index;
	alloc->before_bytes += (double)history->before_bytes;
	alloc->after_bytes += (double)nt_gc_used_after(history->after_gross_bytes, history->free_after_bytes);
	if (alloc->heap_count && alloc->heaps_seen >= alloc->heap_count)
		finish_heaps(alloc);
}

/* ---- samples ---- */

static void sampled(struct nt_alloc_state *alloc, const struct nt_event *event)
{
	const struct nt_alloc_sums sums = nt_alloc_sums_of(&event->u.alloc);
	nt_alloc_sums_add(&alloc->interval_sampled, &sums, 1);
	if (!alloc->counted.counting)
		nt_alloc_sums_add(&alloc->total_sampled, &sums, 1);
	alloc->sampling = true;
	alloc->last_sample = event->time;
}

void nt_alloc_apply(struct nt_alloc_state *alloc, const struct nt_event *event)
{
	if (event->kind == NT_EV_GC_GLOBAL_HISTORY)
		global_history(alloc, &event->u.gc_global_history);
	else if (event->kind == NT_EV_GC_HEAP_HISTORY)
		heap_history(alloc, &event->u.gc_heap_history);
	else if (event->kind == NT_EV_ALLOC_SAMPLED)
		sampled(alloc, event);
}

/* ---- the runtime's counter ---- */

void nt_alloc_source(struct nt_alloc_state *alloc, const struct nt_ev_source_state *state)
{
	alloc->missed_start |= state->postpones && state->brings & NT_WANT_RUNTIME_EVENTS && !(state->brings & NT_WANT_ALLOC_SAMPLES);
}

void nt_alloc_counted(struct nt_alloc_state *alloc, const struct nt_event *event)
{
	const struct nt_ev_counter *told = &event->u.counter;
	if (told->known & NT_COUNTER_CHANGE)
		nt_counted_grew(&alloc->counted, event->time, told->period_ns, told->change);
}

static void note_silence(struct nt_alloc_state *alloc, const struct nt_span *span)
{
	if (alloc->sampling && !(alloc->interval_sampled.samples > 0) && alloc->last_sample + silence_ns < span->t1)
		alloc->sampling = false;
}

/* ---- figures ---- */

static const double too_many_bytes = 0x1p63; /* nonsense of a recording */

static void fill(struct nt_gc_figures *out, double bytes, bool estimated, const struct nt_alloc_sums *sampled)
{
	bytes = bytes > 0 ? bytes : 0;
	out->alloc_bytes = nt_u64_of(bytes < too_many_bytes ? (uint64_t)bytes : UINT64_MAX);
	out->alloc_estimated = estimated;
	if (sampled)
		out->alloc_error_pct = nt_alloc_sums_error_pct(sampled);
}

static void fill_total(const struct nt_alloc_state *alloc, struct nt_gc_figures *out)
{
	bool estimated = alloc->total_estimated > 0 || (!(alloc->total_sampled.samples > 0) && alloc->total_counted <= 0);
	fill(out, alloc->total_counted + alloc->total_sampled.bytes + alloc->total_estimated, estimated, &alloc->total_sampled);
}

void nt_alloc_close(struct nt_alloc_state *alloc, const struct nt_span *span, bool interval_known, bool total_known, nt_time told_ns,
		    struct nt_gc_figures *interval, struct nt_gc_figures *total)
{
	struct nt_counted *counted = &alloc->counted;
	note_silence(alloc, span);
	nt_counted_close(counted, span);
	alloc->total_counted += counted->interval;
	if (!alloc->sampling && !counted->counting)
		alloc->total_estimated += alloc->interval_estimated;
	nt_time covered_ns = counted->covered_ns;
	if (!counted->counting)
		alloc->covered_ns += covered_ns = alloc->sampling ? told_ns : interval->covered_ns.v;
	if (counted->counting && counted->covered_ns) /* a rate, times the interval: its periods end when they like */
		fill(interval, nt_counted_amount(counted), true, NULL);
	else if (counted->counting)
		covered_ns = 0;
	else if (alloc->sampling && interval_known)
		fill(interval, alloc->interval_sampled.bytes, false, &alloc->interval_sampled);
	else if (alloc->estimate_known && interval_known)
		fill(interval, alloc->interval_estimated, true, NULL);
	if (!alloc->missed_start && (counted->counting || (total_known && (alloc->total_sampled.samples > 0 || alloc->estimate_known))))
		fill_total(alloc, total);
	interval->alloc_covered_ns = (struct nt_u64){ .known = interval->alloc_bytes.known, .v = covered_ns };
	total->alloc_covered_ns = (struct nt_u64){ .known = total->alloc_bytes.known, .v = alloc->covered_ns + counted->told_ns };
	if (interval_known)
		interval->gen0_budget_bytes = alloc->gen0_budget_bytes;
	alloc->interval_sampled = (struct nt_alloc_sums){ 0 };
	alloc->interval_estimated = 0;
	nt_counted_next(counted);
}
