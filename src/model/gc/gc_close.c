// SPDX-License-Identifier: GPL-2.0-only
/* What the screen shows of the collections at the end of an interval. */
#include "model/gc/gc.h"

/* The runtime tells it once a second while somebody listens. */
static const nt_time committed_fresh_ns = 5 * NT_NS_PER_S;

static void fill_figures(const struct nt_gc *gc, const struct nt_gc_counts *counts, const struct nt_histogram *pauses, nt_time length,
			 struct nt_gc_figures *out)
{
	for (unsigned i = 0; i < 3; i++)
		out->count[i] = nt_u64_of(counts->count[i]);
	out->background_count = nt_u64_of(counts->background_count);
	out->pause_ns = nt_u64_of(counts->pause_ns);
	out->pause_tracing_ns = nt_u64_of(counts->pause_tracing_ns);
	out->pause_max_ns = nt_u64_of(counts->pause_max_ns);
	out->suspend_other_ns = nt_u64_of(counts->suspend_other_ns);
	for (unsigned i = 0; i < NT_GC_ROOT_COUNT; i++)
		out->marked_bytes[i] = (struct nt_u64){ .known = counts->marks, .v = counts->marked_bytes[i] };
	out->pause_p50_ns = nt_histogram_percentile(pauses, 500);
	out->pause_p99_ns = nt_histogram_percentile(pauses, 990);
	out->heap_bytes = gc->heap_bytes;
	out->loh_bytes = gc->loh_bytes;
	/* What is not told of each collection of gen2 is not known. */
	out->loh_count = (struct nt_u64){ .known = counts->reasons_told == counts->count[2], .v = counts->loh_count };
	out->loh_freed_bytes = (struct nt_u64){ .known = counts->histories_told == counts->count[2], .v = counts->loh_freed_bytes };
	out->handle_count = gc->handle_count;
	out->fragmentation_pct = gc->fragmentation_pct;
	if (length) { /* what came late of a long pause may exceed its interval */
		double pct = 100.0 * (double)counts->pause_ns / (double)length;
		out->pause_pct = nt_f64_of(pct < 100 ? pct : 100);
	}
	if (gc->window_time > 0) {
		double pct = 100.0 * gc->window_pause / gc->window_time;
		out->window_pause_pct = nt_f64_of(pct < 100 ? pct : 100);
	}
}

static void fill_generations(struct nt_gc *gc, const struct nt_span *span, struct nt_gc_generation_row *out)
{
	for (unsigned i = 0; i < NT_GC_ROW_GENERATIONS; i++) {
		const struct nt_histogram *pauses = &gc->generations[i].pauses;
		uint64_t count = gc->generations[i].count;
		double *window = &gc->generations[i].window_count;
		*window = *window * span->decay + (double)gc->generations[i].interval_count;
		gc->generations[i].interval_count = 0;
		out[i] = (struct nt_gc_generation_row){ .name = nt_gc_generation_name(i),
							.count = count,
							.window_count = (uint64_t)(*window + 0.5) };
		if (gc->window_time > 0)
			out[i].per_s = *window * (double)NT_NS_PER_S / gc->window_time;
		out[i].p50_ns = nt_histogram_percentile(pauses, 500);
		out[i].p90_ns = nt_histogram_percentile(pauses, 900);
		out[i].p99_ns = nt_histogram_percentile(pauses, 990);
		if (pauses->count)
			out[i].max_ns = nt_u64_of(pauses->max);
		nt_time between = gc->generations[i].last - gc->generations[i].first;
		if (count > 1 && gc->generations[i].last >= gc->generations[i].first)
			out[i].every_ms = nt_f64_of((double)between / (double)NT_NS_PER_MS / (double)(count - 1));
	}
}

void nt_gc_close(struct nt_gc *gc, const struct nt_span *span, bool interval_known, bool total_known, struct nt_process_snapshot *process)
{
	nt_time length = process->interval.gc.covered_ns.v;
	nt_gc_join_histories(gc);
	gc->window_pause = gc->window_pause * span->decay + (double)gc->interval.pause_ns;
	gc->window_time = gc->window_time * span->decay + (double)length;
	if (interval_known)
		fill_figures(gc, &gc->interval, &gc->pauses_interval, length, &process->interval.gc);
	if (total_known)
		fill_figures(gc, &gc->total, &gc->pauses_total, process->total.gc.covered_ns.v, &process->total.gc);
	bool fresh = gc->committed.heard && gc->committed.heard + committed_fresh_ns >= span->t1;
	process->interval.gc.committed_bytes = process->total.gc.committed_bytes =
		(struct nt_u64){ .known = fresh, .v = fresh ? gc->committed.bytes : 0 };
	fill_generations(gc, span, process->generations);
	nt_gc_fill_recent(gc, span, process->generations);
	process->generation_count = NT_GC_ROW_GENERATIONS;
	gc->interval = (struct nt_gc_counts){ 0 };
	nt_histogram_reset(&gc->pauses_interval);
}
