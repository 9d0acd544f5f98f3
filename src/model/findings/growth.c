// SPDX-License-Identifier: GPL-2.0-only
#include "model/findings/growth.h"

#include "model/history/slope.h"

static const nt_time start_ns = 60 * NT_NS_PER_S, hour_ns = 3600 * NT_NS_PER_S, day_ns = 24 * 3600 * NT_NS_PER_S;
static const nt_time windows_ns[] = { 600 * NT_NS_PER_S, 300 * NT_NS_PER_S, 140 * NT_NS_PER_S };
enum { WINDOWS = sizeof(windows_ns) / sizeof(windows_ns[0]) };
/* Collections that show that what is allocated is made again of what they freed: one for each sixth of the time. */
static const double collections = 6;

/* What a level that has risen is. */
enum verdict { GROWTH, NO_GROWTH, NOT_KNOWN };
typedef enum verdict judge_rise(const struct nt_kept_figures *kept, nt_time since, const struct nt_slope *slope);

/* ---- what is no growth, or is told of as something else ---- */

/* Between collections of all generations the heap has garbage. Such a collection must have left a quarter of the growth at least. */
static enum verdict judge_heap(const struct nt_kept_figures *kept, nt_time since, const struct nt_slope *slope)
{
	(void)since;
	struct nt_f64 left = nt_kept_value(nt_kept_moment(kept, 0), NT_KEPT_HEAP_FULL);
	if (!left.known)
		return NOT_KNOWN;
	return left.v - slope->from >= (slope->to - slope->from) / 4 ? GROWTH : NO_GROWTH;
}

/* RSS grows with the heap, and with whatever is allocated until the next collection. */
static enum verdict judge_memory(const struct nt_kept_figures *kept, nt_time since, const struct nt_slope *slope)
{
	double half = (slope->to - slope->from) / 2;
	struct nt_f64 collected = nt_slope_sum(kept, NT_KEPT_COLLECTIONS, slope->length_ns);
	struct nt_f64 allocated = nt_slope_sum(kept, NT_KEPT_ALLOCATED, slope->length_ns);
	struct nt_slope heap;
	if (!collected.known || (collected.v < collections && !allocated.known))
		return NOT_KNOWN;
	if (collected.v < collections && allocated.v >= half)
		return NO_GROWTH;
	if (nt_slope_of(kept, NT_KEPT_HEAP, since, &heap))
		return heap.to - heap.from >= half ? NO_GROWTH : GROWTH;
	return collected.v > 0 ? NOT_KNOWN : GROWTH;
}

/* Workers of the pool are its own finding's. */
static enum verdict judge_threads(const struct nt_kept_figures *kept, nt_time since, const struct nt_slope *slope)
{
	struct nt_slope workers;
	bool of_pool = nt_slope_of(kept, NT_KEPT_WORKERS, since, &workers) && workers.to - workers.from >= (slope->to - slope->from) / 2;
	return of_pool ? NO_GROWTH : GROWTH;
}

/* Nothing else explains it. */
static enum verdict judge_alone(const struct nt_kept_figures *kept, nt_time since, const struct nt_slope *slope)
{
	(void)kept;
	(void)since;
	(void)slope;
	return GROWTH;
}

/* ---- limits ---- */

static void set_limit(struct nt_growing *growing, const char *of, double limit, double left)
{
	double in_s = left > 0 ? left / growing->per_s : 0;
	nt_time in_ns = in_s < (double)day_ns / (double)NT_NS_PER_S ? (nt_time)(in_s * (double)NT_NS_PER_S) : day_ns;
	if (growing->limit_of && growing->limit_in_ns <= in_ns)
		return;
	growing->limit_of = of;
	growing->limit = limit;
	growing->limit_in_ns = in_ns;
}

static void set_limits_of_memory(struct nt_growing *growing, const struct nt_host_figures *host)
{
	if (host->memory_limit_bytes.known && host->memory_limit_bytes.v && host->memory_used_bytes.known)
		set_limit(growing, "the limit of its cgroup", (double)host->memory_limit_bytes.v,
			  (double)host->memory_limit_bytes.v - (double)host->memory_used_bytes.v);
	if (host->memory_bytes.known && host->available_bytes.known)
		set_limit(growing, "the machine's memory", (double)host->memory_bytes.v, (double)host->available_bytes.v);
}

static void set_limits(struct nt_growing *growing, enum nt_growing_kind kind, const struct nt_figures *figures)
{
	if (kind == NT_GROWING_HEAP || kind == NT_GROWING_MEMORY)
		set_limits_of_memory(growing, &figures->host);
	if (kind == NT_GROWING_DESCRIPTORS && figures->io.descriptor_limit.known)
		set_limit(growing, "the limit of descriptors", (double)figures->io.descriptor_limit.v,
			  (double)figures->io.descriptor_limit.v - growing->to);
	double grows = growing->per_s * (double)(hour_ns / NT_NS_PER_S), doubles = growing->to > 0 ? grows / growing->to : 0;
	double reaches = growing->limit_of ? (double)hour_ns / (double)(growing->limit_in_ns ? growing->limit_in_ns : 1) : 0;
	growing->in_an_hour = reaches > doubles ? reaches : doubles;
}

/* ---- all of them ---- */

static const struct {
	enum nt_kept_series series;
	nt_time least_ns; /* of time: memory comes and goes with what is allocated */
	judge_rise *judge;
} rules[NT_GROWING_COUNT] = {
	[NT_GROWING_HEAP] = { NT_KEPT_HEAP, 0, judge_heap },
	[NT_GROWING_MEMORY] = { NT_KEPT_RSS, 240 * NT_NS_PER_S, judge_memory },
	[NT_GROWING_THREADS] = { NT_KEPT_THREADS, 0, judge_threads },
	[NT_GROWING_DESCRIPTORS] = { NT_KEPT_DESCRIPTORS, 0, judge_alone },
	[NT_GROWING_HANDLES] = { NT_KEPT_HANDLES, 0, judge_alone },
	[NT_GROWING_TIMERS] = { NT_KEPT_TIMERS, 0, judge_alone },
};

/* Since a moment. */
static void judge_since(const struct nt_kept_figures *kept, enum nt_growing_kind kind, nt_time since, const struct nt_figures *figures,
			struct nt_growing *out)
{
	struct nt_slope slope;
	if (!nt_slope_of(kept, rules[kind].series, since, &slope) || slope.length_ns < rules[kind].least_ns)
		return;
	double grew = slope.to - slope.from;
	bool rises = slope.steady && slope.per_s > 0 && grew > 0;
	enum verdict verdict = rises ? rules[kind].judge(kept, since, &slope) : NO_GROWTH;
	out->judged |= verdict != NOT_KNOWN;
	if (verdict != GROWTH || grew <= out->grew)
		return;
	*out = (struct nt_growing){
		.judged = true, .grew = grew, .from = slope.from, .to = slope.to, .per_s = slope.per_s, .over_ns = slope.over_ns
	};
	set_limits(out, kind, figures);
}

void nt_growth_judge(const struct nt_kept_figures *kept, nt_time now, const struct nt_process_snapshot *process,
		     struct nt_growing out[NT_GROWING_COUNT])
{
	const struct nt_u64 *uptime = &process->target.uptime_ns;
	for (unsigned kind = 0; kind < NT_GROWING_COUNT; kind++)
		out[kind] = (struct nt_growing){ 0 };
	if (!uptime->known || uptime->v < start_ns || process->target.ended)
		return;
	nt_time grown_up = now > uptime->v - start_ns ? now - (uptime->v - start_ns) : 0;
	for (unsigned kind = 0; kind < NT_GROWING_COUNT; kind++) {
		for (unsigned i = 0; i < WINDOWS; i++) {
			nt_time since = now > windows_ns[i] && now - windows_ns[i] > grown_up ? now - windows_ns[i] : grown_up;
			judge_since(kept, (enum nt_growing_kind)kind, since, &process->interval, &out[kind]);
		}
	}
	const struct nt_u64 *heap = &process->interval.gc.heap_bytes;
	out[NT_GROWING_MEMORY].heap = (struct nt_f64){ .v = (double)heap->v, .known = heap->known };
}
