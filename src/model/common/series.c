// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/series.h"

#include <string.h>

struct nt_f64 nt_per_second(struct nt_u64 count, nt_time span_ns)
{
	if (!count.known || !span_ns)
		return (struct nt_f64){ 0 };
	return nt_f64_of((double)count.v * (double)NT_NS_PER_S / (double)span_ns);
}

static struct nt_f64 ms_per_second(struct nt_u64 ns, nt_time span_ns)
{
	struct nt_f64 rate = nt_per_second(ns, span_ns);
	return (struct nt_f64){ .v = rate.v / (double)NT_NS_PER_MS, .known = rate.known };
}

static struct nt_f64 number(struct nt_u64 count)
{
	return (struct nt_f64){ .v = (double)count.v, .known = count.known };
}

void nt_series_add(struct nt_series_state *state, const struct nt_figures *interval)
{
	if (!interval->span_ns)
		return;
	const struct nt_f64 newest[NT_HEADLINE_COUNT] = {
		[NT_HEADLINE_CPU] = interval->cpu.usage_pct,
		[NT_HEADLINE_THREADS] = number(interval->threads.blocked_count),
		[NT_HEADLINE_GC] = interval->gc.pause_pct,
		[NT_HEADLINE_ALLOC] = nt_per_second(interval->gc.alloc_bytes, interval->gc.alloc_covered_ns.v),
		[NT_HEADLINE_JIT] = ms_per_second(interval->jit.time_ns, interval->jit.covered_ns.v),
		[NT_HEADLINE_POOL] = number(interval->pool.queue_count),
		[NT_HEADLINE_EXCEPTIONS] = nt_per_second(interval->exceptions.count, interval->exceptions.covered_ns.v),
		[NT_HEADLINE_LOCKS] = ms_per_second(interval->contention.spent_ns, interval->contention.covered_ns.v),
	};
	for (unsigned i = 0; i < NT_HEADLINE_COUNT; i++) {
		struct nt_f64 *cells = state->series[i].cells;
		memmove(cells, cells + 1, (NT_SERIES_CELLS - 1) * sizeof(*cells));
		cells[NT_SERIES_CELLS - 1] = newest[i];
	}
}
