// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/past_compare.h"

#include "base/arena.h"
#include "model/past/past_span.h"
#include "model/past/span_compare.h"

static uint64_t rate_of(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *perf = nt_snapshot_source(snapshot, NT_SOURCE_PERF);
	return perf && perf->rate_hz.known ? perf->rate_hz.v : 0;
}

struct nt_snapshot *nt_past_compare(struct nt_past *past, nt_time before_from, nt_time before_to, nt_time from, nt_time to)
{
	struct nt_snapshot *span = nt_past_span(past, from, to);
	for (size_t i = 0; span && i < span->process_count; i++) {
		struct nt_process_snapshot *process = &span->processes[i];
		struct nt_arena *texts = nt_arena_new();
		struct nt_span_pair pair = { .arena = texts };
		nt_span_pair_read(&pair, NT_PAIR_BEFORE, past, process->target.pid, before_from, before_to);
		nt_span_pair_read(&pair, NT_PAIR_AFTER, past, process->target.pid, span->t0, span->t1);
		nt_span_compare(&pair, rate_of(span), span->arena, &process->difference);
		nt_span_pair_fini(&pair);
		nt_arena_free(texts);
	}
	return span;
}
