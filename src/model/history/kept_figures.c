// SPDX-License-Identifier: GPL-2.0-only
#include "model/history/kept_figures.h"

/* A moment ends with the first interval that makes it this long: a second, and timers may be early. */
static const nt_time moment_ns = 950 * NT_NS_PER_MS;
/* A collection that ended longer ago was seen to end. */
static const nt_time seen_ns = 60 * NT_NS_PER_S;
enum { FULL_GENERATION = 2 };

_Static_assert(sizeof(struct nt_kept_figures) <= 94u << 10, "as the header says");
_Static_assert(NT_KEPT_COUNT <= 32, "each series has a bit");

/* ---- what is kept ---- */

static struct nt_f64 of_u64(struct nt_u64 value)
{
	return (struct nt_f64){ .v = (double)value.v, .known = value.known };
}

/* Newest first. */
static void look_at_collections(struct nt_kept_figures *kept, const struct nt_span *span, const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->collection_count; i++) {
		const struct nt_gc_row *row = process->collections[i];
		if (!row->finished)
			continue;
		if (row->generation == FULL_GENERATION && row->after_bytes.known)
			kept->heap_full = of_u64(row->after_bytes);
		if (row->generation == FULL_GENERATION || row->end + seen_ns < span->t1)
			return;
	}
}

static struct nt_f64 state_of(enum nt_kept_series series, const struct nt_figures *figures, struct nt_f64 heap_full)
{
	switch (series) {
	case NT_KEPT_HEAP:
		return of_u64(figures->gc.heap_bytes);
	case NT_KEPT_HEAP_FULL:
		return heap_full;
	case NT_KEPT_LOH:
		return of_u64(figures->gc.loh_bytes);
	case NT_KEPT_RSS:
		return of_u64(figures->memory.rss_bytes);
	case NT_KEPT_THREADS:
		return of_u64(figures->threads.count);
	case NT_KEPT_DESCRIPTORS:
		return of_u64(figures->io.descriptor_count);
	case NT_KEPT_HANDLES:
		return of_u64(figures->gc.handle_count);
	case NT_KEPT_TIMERS:
		return of_u64(figures->pool.timer_count);
	case NT_KEPT_WORKERS:
		return of_u64(figures->pool.worker_count);
	case NT_KEPT_QUEUED:
		return of_u64(figures->pool.queue_count);
	case NT_KEPT_IN_FLIGHT:
		return of_u64(figures->requests.in_flight_count);
	default: /* NT_KEPT_CPU */
		return figures->cpu.usage_pct;
	}
}

/* Counted in an interval, and for how long of it that was done. */
static struct nt_u64 count_of(enum nt_kept_series series, const struct nt_figures *figures, nt_time *known_ns)
{
	const struct nt_gc_figures *gc = &figures->gc;
	*known_ns = gc->covered_ns.v;
	switch (series) {
	case NT_KEPT_SERVED:
		*known_ns = figures->requests.covered_ns.v;
		return figures->requests.count;
	case NT_KEPT_DONE:
		*known_ns = figures->pool.covered_ns.v;
		return figures->pool.completed_count;
	case NT_KEPT_ALLOCATED:
		*known_ns = gc->alloc_covered_ns.v;
		return gc->alloc_bytes;
	case NT_KEPT_COLLECTIONS:
		return (struct nt_u64){ .v = gc->count[0].v + gc->count[1].v + gc->count[2].v,
					.known = gc->count[0].known && gc->count[1].known && gc->count[2].known };
	default: /* NT_KEPT_PAUSED */
		return gc->pause_ns;
	}
}

/* ---- moments ---- */

static void put(struct nt_kept_moment *moment, enum nt_kept_series series, struct nt_f64 value)
{
	moment->values[series] = value.known ? value.v : 0;
	moment->known |= (uint32_t)value.known << series;
}

static void end_moment(struct nt_kept_figures *kept, nt_time t1, const struct nt_figures *figures)
{
	struct nt_kept_moment *moment = &kept->moments[kept->count++ % NT_KEPT_MOMENTS];
	*moment = (struct nt_kept_moment){ .time = t1 };
	for (unsigned i = 0; i < NT_KEPT_COUNT; i++) {
		enum nt_kept_series series = (enum nt_kept_series)i;
		if (i < NT_KEPT_FIRST_RATE) {
			put(moment, series, state_of(series, figures, kept->heap_full));
			continue;
		}
		/* A rate, when it was known for most of the moment. */
		nt_time known_ns = kept->counted[i].known_ns;
		bool known = known_ns && 2 * known_ns >= t1 - kept->t0;
		put(moment, series,
		    (struct nt_f64){ .known = known, .v = known ? kept->counted[i].sum * (double)NT_NS_PER_S / (double)known_ns : 0 });
		kept->counted[i].sum = 0;
		kept->counted[i].known_ns = 0;
	}
	kept->begun = false;
}

bool nt_kept_add(struct nt_kept_figures *kept, const struct nt_span *span, const struct nt_process_snapshot *process)
{
	if (!nt_span_length(span))
		return false;
	if (!kept->begun)
		kept->t0 = span->t0;
	kept->begun = true;
	look_at_collections(kept, span, process);
	for (unsigned i = NT_KEPT_FIRST_RATE; i < NT_KEPT_COUNT; i++) {
		nt_time known_ns;
		struct nt_u64 count = count_of((enum nt_kept_series)i, &process->interval, &known_ns);
		if (!count.known)
			continue;
		kept->counted[i].sum += (double)count.v;
		kept->counted[i].known_ns += known_ns;
	}
	if (span->t1 - kept->t0 < moment_ns)
		return false;
	end_moment(kept, span->t1, &process->interval);
	return true;
}

const struct nt_kept_moment *nt_kept_moment(const struct nt_kept_figures *kept, size_t back)
{
	if (back >= kept->count || back >= NT_KEPT_MOMENTS)
		return NULL;
	return &kept->moments[(kept->count - 1 - back) % NT_KEPT_MOMENTS];
}

struct nt_f64 nt_kept_value(const struct nt_kept_moment *moment, enum nt_kept_series series)
{
	bool known = moment->known >> series & 1;
	return (struct nt_f64){ .known = known, .v = known ? moment->values[series] : 0 };
}
