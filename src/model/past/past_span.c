// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/past_span.h"

#include "model/common/decay.h"
#include "model/past/span_figures.h"
#include "model/past/span_findings.h"
#include "model/past/span_follows.h"
#include "model/past/span_hot.h"
#include "model/past/span_methods.h"
#include "model/past/span_rows.h"
#include "model/past/span_tree.h"
#include "nettop/model.h"

#include "base/alloc.h"

#include <stdlib.h>

/* Samples of so many intervals ago weigh a thousandth in the window. */
enum { WINDOW_INTERVALS = 10 * NT_WINDOW_HALF_LIFE };

struct spanning {
	nt_time from, to;
	nt_time t0, t1; /* what is covered; t0 = NT_TIME_UNKNOWN: nothing yet */
	uint64_t first; /* the sequence of the interval in which it begins */
	bool whole;     /* it begins and ends with an interval */
	struct nt_snapshot *base;
};

/* Of one process. */
struct part {
	const struct spanning *spanning;
	struct nt_process_snapshot *process; /* of the base */
	struct nt_span_methods methods;
	struct nt_span_tree tree;
	struct nt_span_rows rows;
	struct nt_span_findings findings;
	struct nt_alloc_sums allocated; /* over the whole intervals, */
	double allocation_sampled_s;
	struct nt_figures figures; /* over the whole intervals */
	nt_time told_ns;           /* samples are told for so long */
	uint64_t events_gone;      /* that the intervals themselves had no more */
	bool any, sampled;
};

static nt_time length_inside(const struct spanning *spanning, nt_time t0, nt_time t1)
{
	nt_time from = t0 > spanning->t0 ? t0 : spanning->t0, to = t1 < spanning->t1 ? t1 : spanning->t1;
	return to > from ? to - from : 0;
}

/* ---- which intervals ---- */

/* Those parts that begin in the span are in it. */
static bool cover(struct spanning *spanning, nt_time t0, nt_time t1)
{
	bool any = false;
	for (unsigned i = 0; i < NT_INTERVAL_PARTS; i++) {
		nt_time start = nt_interval_part_start(t0, t1, i), end = nt_interval_part_start(t0, t1, i + 1);
		if (start < spanning->from || start >= spanning->to || (start == end && i))
			continue;
		any = true;
		if (spanning->t0 == NT_TIME_UNKNOWN)
			spanning->t0 = start;
		spanning->t1 = end;
	}
	return any;
}

/* Folded samples are of a time that is told apart no more: all of it is in the span. */
static void widen(struct spanning *spanning, struct nt_past *past)
{
	nt_time t0, t1, from, to, folded_from = spanning->from, folded_to = spanning->to;
	uint64_t sequence = nt_past_at(past, spanning->from);
	for (; nt_past_times(past, sequence, &t0, &t1) && t0 < spanning->to; sequence++) {
		if (t1 <= spanning->from || !nt_past_folded(past, sequence, &from, &to))
			continue;
		folded_from = from < folded_from ? from : folded_from;
		folded_to = to > folded_to ? to : folded_to;
	}
	spanning->from = folded_from;
	spanning->to = folded_to;
}

/* Find the last interval that has a part in the span, and what the span covers. */
static void find_base(struct spanning *spanning, struct nt_past *past)
{
	uint64_t last = 0;
	nt_time t0, t1, begin = 0, end = 0;
	for (uint64_t sequence = nt_past_at(past, spanning->from); nt_past_times(past, sequence, &t0, &t1) && t0 < spanning->to;
	     sequence++) {
		if (!cover(spanning, t0, t1))
			continue;
		if (!last) {
			spanning->first = sequence;
			begin = t0;
		}
		last = sequence;
		end = t1;
	}
	spanning->whole = last && begin == spanning->t0 && end == spanning->t1;
	spanning->base = last ? nt_past_get(past, last) : NULL;
}

/* ---- one process ---- */

const struct nt_process_snapshot *nt_past_process(const struct nt_snapshot *interval, uint32_t pid)
{
	for (size_t i = 0; i < interval->process_count; i++)
		if (interval->processes[i].target.pid == pid)
			return &interval->processes[i];
	return NULL;
}

static void add_told(struct part *part, const struct nt_snapshot *interval, const struct nt_process_snapshot *process)
{
	nt_time inside = length_inside(part->spanning, interval->t0, interval->t1);
	if (!inside || !process->interval_samples.kept)
		return;
	part->sampled = true;
	if (nt_span_samples_are_told(interval, process))
		part->told_ns += inside;
}

/* There were more in the interval than are kept: those before its first row are gone, and when each of them was. */
static uint64_t events_gone(const struct nt_told *told, nt_time from)
{
	const struct nt_told_row *first = told->row_count ? told->rows[0] : NULL;
	return first && first->id > told->fresh_from && from < first->time ? first->id - told->fresh_from : 0;
}

static void add_interval(struct part *part, const struct nt_snapshot *interval)
{
	const struct spanning *spanning = part->spanning;
	const struct nt_process_snapshot *process = nt_past_process(interval, part->process->target.pid);
	uint64_t last = spanning->base->sequence;
	bool whole = interval->t0 >= spanning->t0 && interval->t1 <= spanning->t1;
	if (!process)
		return;
	if (whole) {
		nt_span_figures_add(&part->figures, &process->interval, interval->t1 - interval->t0, !part->any, spanning->base->arena);
		nt_alloc_sums_add(&part->allocated, &process->alloc_sampling.figures.interval, 1);
		part->allocation_sampled_s += process->alloc_sampling.interval_s;
		part->any = true;
	}
	if (length_inside(spanning, interval->t0, interval->t1)) {
		part->events_gone += events_gone(&process->told, spanning->t0);
		nt_span_findings_add(&part->findings, interval, process, spanning->t0, spanning->t1, spanning->base->arena);
	}
	add_told(part, interval, process);
	nt_span_methods_add(&part->methods, interval, process, spanning->t0, spanning->t1, spanning->base->arena);
	nt_span_tree_add(&part->tree, interval, &process->interval_samples, spanning->t0, spanning->t1, 1, spanning->base->arena);
	nt_span_rows_add(&part->rows, interval, process,
			 interval->sequence > last   ? NT_SPAN_LATER
			 : interval->sequence < last ? NT_SPAN_BEFORE
						     : NT_SPAN_LAST,
			 whole);
}

static nt_time lived(const struct nt_target_info *target, const struct spanning *spanning)
{
	nt_time end = target->ended && target->ended_at < spanning->t1 ? target->ended_at : spanning->t1;
	return end > spanning->t0 ? end - spanning->t0 : 0;
}

static bool is_of_one(const struct spanning *spanning)
{
	return spanning->t0 == spanning->base->t0 && spanning->t1 == spanning->base->t1;
}

static void fill_samples(const struct part *part, struct nt_cpu_figures *cpu)
{
	cpu->samples = nt_u64_if(part->sampled, part->methods.samples);
	cpu->samples_covered_ns = nt_u64_if(part->sampled, part->told_ns);
}

static void fill_figures(struct part *part)
{
	const struct spanning *spanning = part->spanning;
	struct nt_process_snapshot *process = part->process;
	if (is_of_one(spanning)) {
		fill_samples(part, &process->interval.cpu);
		return;
	}
	struct nt_figures figures = spanning->whole ? part->figures : (struct nt_figures){ 0 };
	figures.span_ns = spanning->t1 - spanning->t0;
	figures.lived_ns = lived(&process->target, spanning);
	if (spanning->whole)
		nt_span_figures_derive(&figures, figures.span_ns);
	else
		nt_span_figures_explain(&figures, "of parts of intervals what has a time of its own is told, and no sums");
	if (spanning->base->t1 == spanning->t1)
		nt_span_figures_take_states(&figures, &process->interval);
	fill_samples(part, &figures.cpu);
	process->interval = figures;
}

/* Of the window, or of the time since somebody looked at the code, which both are not the span. */
static void leave_out(struct nt_process_snapshot *process)
{
	for (int i = 0; i < NT_PURPOSE_COUNT; i++)
		process->window_purpose_pct[i] = process->interval.cpu.purposes.pct[i];
	process->annotation = (struct nt_annotation){ 0 };
	process->instruction_count = 0;
	process->interval_samples = (struct nt_interval_samples){ 0 };
	process->window_complete_pct = process->window_cut_pct = (struct nt_f64){ 0 };
	process->jit_startup.cause_count = 0;
}

/* What is so at a moment is known at the end of intervals. */
static void leave_out_states(struct nt_process_snapshot *process)
{
	process->gc_heap_count = process->jit_now_count = 0;
}

static void fill_allocations(const struct part *part, struct nt_alloc_sampling *sampling)
{
	sampling->figures.interval = part->allocated;
	sampling->figures.window = (struct nt_alloc_sums){ 0 };
	sampling->interval_s = part->allocation_sampled_s;
	sampling->window_s = 0;
}

static void fill_told(const struct part *part, struct nt_told *told)
{
	told->gone_count = part->events_gone + nt_span_rows_left_out(&part->rows, offsetof(struct nt_process_snapshot, told.rows));
	told->fresh_from = told->row_count ? told->rows[0]->id : UINT64_MAX;
}

static void fill_process(struct part *part)
{
	const struct spanning *spanning = part->spanning;
	struct nt_process_snapshot *process = part->process;
	size_t intervals = spanning->whole ? part->rows.intervals : 0;
	nt_span_methods_fill(&part->methods, spanning->base->arena, process);
	nt_span_tree_fill(&part->tree, part->sampled ? NT_STACKS_SIDES : NT_STACKS_NONE, spanning->base->arena, process);
	nt_span_rows_fill(&part->rows, spanning->whole, process);
	nt_span_hot_fill(spanning->base->arena, process);
	nt_span_findings_fill(&part->findings, spanning->base->arena, process);
	fill_figures(part);
	fill_allocations(part, &process->alloc_sampling);
	fill_told(part, &process->told);
	nt_span_follow_pauses(process, spanning->t1 - spanning->t0);
	nt_span_follow_sums(process, intervals);
	nt_span_cut_series(process, intervals);
	leave_out(process);
	if (spanning->base->t1 != spanning->t1)
		leave_out_states(process);
}

/* ---- all ---- */

/* The last interval that may tell of the span. */
static uint64_t last_that_tells(const struct spanning *spanning, const struct nt_past *past)
{
	uint64_t sequence = spanning->base->sequence;
	nt_time t0, t1;
	while (nt_past_times(past, sequence + 1, &t0, &t1) && t0 < spanning->t1 + NT_SPAN_LATE_NS)
		sequence++;
	return sequence;
}

static void add_intervals(const struct spanning *spanning, struct nt_past *past, struct part *parts)
{
	struct nt_snapshot *base = spanning->base;
	for (uint64_t sequence = last_that_tells(spanning, past); sequence >= spanning->first; sequence--) {
		struct nt_snapshot *interval = sequence == base->sequence ? nt_snapshot_retain(base) : nt_past_get(past, sequence);
		for (size_t i = 0; i < base->process_count; i++)
			add_interval(&parts[i], interval);
		nt_snapshot_release(interval);
	}
}

static void make_processes(const struct spanning *spanning, struct nt_past *past)
{
	struct nt_snapshot *base = spanning->base;
	struct part *parts = nt_alloc((base->process_count + 1) * sizeof(*parts));
	for (size_t i = 0; i < base->process_count; i++)
		parts[i] = (struct part){ .spanning = spanning,
					  .process = &base->processes[i],
					  .rows = { .t0 = spanning->t0, .t1 = spanning->t1, .arena = base->arena } };
	for (size_t i = 0; i < base->process_count; i++)
		nt_span_tree_init(&parts[i].tree);
	add_intervals(spanning, past, parts);
	for (size_t i = 0; i < base->process_count; i++) {
		fill_process(&parts[i]);
		nt_span_methods_fini(&parts[i].methods);
		nt_span_tree_fini(&parts[i].tree);
		nt_span_rows_fini(&parts[i].rows);
		nt_span_findings_fini(&parts[i].findings);
	}
	free(parts);
}

struct nt_snapshot *nt_past_span(struct nt_past *past, nt_time from, nt_time to)
{
	struct spanning spanning = { .from = from, .to = to, .t0 = NT_TIME_UNKNOWN };
	if (from < to)
		widen(&spanning, past);
	find_base(&spanning, past);
	struct nt_snapshot *base = spanning.base;
	if (!base)
		return NULL;
	make_processes(&spanning, past);
	if (!is_of_one(&spanning))
		base->self_pct = base->daemons_pct = base->target_cost_pct = (struct nt_f64){ 0 };
	base->t0 = spanning.t0;
	base->t1 = spanning.t1;
	return base;
}

/* ---- the call tree of a moment ---- */

/* The interval that has its samples. */
static uint64_t last_of_fold(const struct nt_past *past, uint64_t sequence)
{
	nt_time from, to, t0, t1;
	if (!nt_past_folded(past, sequence, &from, &to))
		return sequence;
	while (nt_past_times(past, sequence, &t0, &t1) && t1 < to)
		sequence++;
	return sequence;
}

static void add_stacks(struct nt_past *past, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct nt_span_tree tree;
	nt_span_tree_init(&tree);
	uint64_t last = last_of_fold(past, snapshot->sequence), first = last > WINDOW_INTERVALS ? last - WINDOW_INTERVALS : 1;
	for (uint64_t sequence = last; sequence >= first; sequence--) {
		struct nt_snapshot *interval = nt_past_get(past, sequence);
		const struct nt_process_snapshot *then = interval ? nt_past_process(interval, process->target.pid) : NULL;
		uint64_t ago = snapshot->sequence > sequence ? snapshot->sequence - sequence : 0;
		double weight = nt_window_power(nt_window_decay(NT_WINDOW_HALF_LIFE), ago);
		if (then)
			nt_span_tree_add(&tree, interval, &then->interval_samples, 0, NT_TIME_UNKNOWN, weight, snapshot->arena);
		nt_snapshot_release(interval);
	}
	nt_span_tree_fill(&tree, NT_STACKS_WINDOW, snapshot->arena, process);
	nt_span_tree_fini(&tree);
}

void nt_past_add_stacks(struct nt_past *past, struct nt_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->process_count; i++)
		if (snapshot->processes[i].interval_samples.kept)
			add_stacks(past, snapshot, &snapshot->processes[i]);
}
