// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/past_compare.h"

#include "base/arena.h"
#include "model/past/pair_rows.h"
#include "model/past/pair_samples.h"
#include "model/past/past_span.h"
#include "model/past/span_compare.h"
#include "model/past/span_methods.h"

/* Of one process: its methods, and the lists that are compared. */
struct pairs {
	struct nt_span_pair all[1 + NT_SPAN_LISTS];
	struct nt_span_pair_of of[1 + NT_SPAN_LISTS]; /* those of `all`, */
	const struct nt_span_list *lists[1 + NT_SPAN_LISTS];
	size_t count; /* of so many */
};

static void begin(struct pairs *pairs, struct nt_arena *arena)
{
	*pairs = (struct pairs){ .count = 1, .of = { { .compared = &nt_span_methods_compared } } };
	for (size_t i = 0; i < NT_SPAN_LISTS; i++) {
		if (!nt_span_lists[i].compared)
			continue;
		pairs->of[pairs->count].compared = nt_span_lists[i].compared;
		pairs->lists[pairs->count++] = &nt_span_lists[i];
	}
	for (size_t i = 0; i < pairs->count; i++) {
		pairs->all[i].arena = arena;
		pairs->of[i].pair = &pairs->all[i];
	}
}

static void end(struct pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++)
		nt_span_pair_fini(&pairs->all[i]);
}

/* Of another past: the only one. */
enum { ANY_PID = 0 };

static const struct nt_process_snapshot *process_in(const struct nt_snapshot *interval, uint32_t pid)
{
	if (pid != ANY_PID)
		return nt_past_process(interval, pid);
	return interval->process_count == 1 ? interval->processes : NULL;
}

/* Returns the process's pid, 0 where it is nowhere. Of an interval behind the span the samples alone: it may tell of some that were taken in it. */
static uint32_t read_side(struct pairs *pairs, enum nt_pair_side side, struct nt_past *past, uint32_t pid, nt_time from, nt_time to)
{
	struct nt_pair_samples samples = { .pair = pairs->all, .side = side };
	nt_time t0, t1;
	uint32_t found = 0;
	for (size_t i = 0; i < pairs->count; i++)
		nt_span_pair_begin(&pairs->all[i], side, from, to);
	for (uint64_t sequence = nt_past_at(past, from); nt_past_times(past, sequence, &t0, &t1) && t0 < to + NT_SPAN_LATE_NS; sequence++) {
		struct nt_snapshot *interval = nt_past_get(past, sequence);
		const struct nt_process_snapshot *process = process_in(interval, pid);
		found = process ? process->target.pid : found;
		if (process)
			nt_pair_samples_read(&samples, interval, process);
		for (size_t i = 1; i < pairs->count && process; i++)
			nt_pair_rows_read(&pairs->all[i], side, pairs->lists[i], interval, process);
		nt_snapshot_release(interval);
	}
	for (size_t i = 0; i < pairs->count; i++)
		nt_span_pair_end(&pairs->all[i], side);
	return found;
}

static uint64_t rate_of(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *perf = nt_snapshot_source(snapshot, NT_SOURCE_PERF);
	return perf && perf->rate_hz.known ? perf->rate_hz.v : 0;
}

struct nt_snapshot *nt_past_compare(struct nt_past *before, nt_time before_from, nt_time before_to, struct nt_past *past, nt_time from,
				    nt_time to)
{
	struct nt_snapshot *span = nt_past_span(past, from, to);
	for (size_t i = 0; span && i < span->process_count; i++) {
		struct nt_process_snapshot *process = &span->processes[i];
		uint32_t pid = process->target.pid;
		struct nt_arena *texts = nt_arena_new();
		struct pairs pairs;
		begin(&pairs, texts);
		uint32_t other = read_side(&pairs, NT_PAIR_BEFORE, before, before == past ? pid : ANY_PID, before_from, before_to);
		read_side(&pairs, NT_PAIR_AFTER, past, pid, span->t0, span->t1);
		nt_span_compare(pairs.of, pairs.count, rate_of(span), span->arena, &process->difference);
		process->difference.before.other_pid = other == pid ? 0 : other;
		end(&pairs);
		nt_arena_free(texts);
	}
	return span;
}
