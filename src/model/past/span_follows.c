// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_follows.h"

#include "base/alloc.h"
#include "model/gc/gc_pauses.h"

#include <stdlib.h>

/* ---- pauses ---- */

enum { ALL_GENERATIONS = -1 };

static struct nt_gc_recent pauses_of(const struct nt_process_snapshot *process, int generation, uint64_t *pauses)
{
	nt_time first = NT_TIME_UNKNOWN, last = 0;
	size_t count = 0;
	for (size_t i = 0; i < process->collection_count; i++) {
		const struct nt_gc_row *row = process->collections[i];
		if (!row->pause_ns.known || (generation != ALL_GENERATIONS && nt_gc_row_generation(row) != generation))
			continue;
		pauses[count++] = row->pause_ns.v;
		first = row->end < first ? row->end : first;
		last = row->end > last ? row->end : last;
	}
	return nt_gc_pauses_of(pauses, count, first, last);
}

void nt_span_follow_pauses(struct nt_process_snapshot *process, nt_time length)
{
	uint64_t *pauses = nt_alloc((process->collection_count + 1) * sizeof(*pauses));
	for (int i = 0; i < NT_GC_ROW_GENERATIONS; i++) {
		struct nt_gc_generation_row *row = &process->generations[i];
		row->recent = pauses_of(process, i, pauses);
		row->window_count = row->recent.count;
		row->per_s = (double)row->recent.count * (double)NT_NS_PER_S / (double)length;
	}
	const struct nt_gc_recent all = pauses_of(process, ALL_GENERATIONS, pauses);
	if (process->interval.gc.pause_ns.known) {
		process->interval.gc.pause_p50_ns = all.p50_ns;
		process->interval.gc.pause_p99_ns = all.p99_ns;
	}
	free(pauses);
}

/* ---- sums ---- */

static void find_top_type(struct nt_process_snapshot *process)
{
	struct nt_exception_figures *exceptions = &process->interval.exceptions;
	const struct nt_exception_row *top = NULL;
	for (size_t i = 0; i < process->exception_count; i++)
		if (!top || process->exceptions[i].count > top->count)
			top = &process->exceptions[i];
	exceptions->top_type = exceptions->count.known && top ? top->type : NULL;
	exceptions->top_count = nt_u64_if(exceptions->top_type, top ? top->count : 0);
}

static void find_hottest(struct nt_process_snapshot *process)
{
	struct nt_cpu_figures *cpu = &process->interval.cpu;
	cpu->hottest_tid = (struct nt_u64){ 0 };
	cpu->hottest_pct = (struct nt_f64){ 0 };
	cpu->hottest_name = NULL;
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct nt_thread_row *row = &process->threads[i];
		if (!row->cpu_pct.known || (cpu->hottest_pct.known && cpu->hottest_pct.v >= row->cpu_pct.v))
			continue;
		cpu->hottest_tid = nt_u64_of(row->tid);
		cpu->hottest_pct = row->cpu_pct;
		cpu->hottest_name = row->name;
	}
}

static void share_request_times(struct nt_process_snapshot *process)
{
	const struct nt_request_figures *requests = &process->interval.requests;
	bool known = requests->times_cpu_ns.known && requests->times_other_cpu_ns.known;
	double all = known ? (double)(requests->times_cpu_ns.v + requests->times_other_cpu_ns.v) : 0;
	for (size_t i = 0; i < process->request_time_count; i++) {
		struct nt_request_time_row *row = &process->request_times[i];
		/* What a request takes is told of all the time since they are told. */
		row->count_all = row->count;
		row->time_all_ns = row->time_ns;
		row->cpu_all_ns = row->cpu_ns;
		if (row->cpu_ns.known && all > 0)
			row->cpu_pct = nt_f64_of(100 * (double)row->cpu_ns.v / all);
	}
}

void nt_span_follow_sums(struct nt_process_snapshot *process, size_t intervals)
{
	if (intervals > 1) { /* of one they are its own */
		find_top_type(process);
		find_hottest(process);
	}
	share_request_times(process);
	process->jit_recent = process->interval.jit;
	process->recent_ns = process->interval.span_ns;
}

void nt_span_cut_series(struct nt_process_snapshot *process, size_t intervals)
{
	for (size_t s = 0; s < NT_SUBJECT_TILES; s++)
		for (size_t i = 0; i + intervals < NT_SERIES_CELLS; i++)
			process->series[s].cells[i] = (struct nt_f64){ 0 };
}
