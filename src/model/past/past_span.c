// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/past_span.h"

#include "model/common/decay.h"
#include "model/past/span_figures.h"
#include "model/past/span_methods.h"
#include "model/past/span_tree.h"
#include "nettop/model.h"

/* So much later an interval may count a sample: one that waited for its method's name, or came late. */
#define LATE_NS (4 * NT_NS_PER_S)

/* Samples of so many intervals ago weigh a thousandth in the window. */
enum { WINDOW_INTERVALS = 10 * NT_WINDOW_HALF_LIFE };

struct spanning {
	nt_time from, to;
	nt_time t0, t1; /* what is covered; t0 = NT_TIME_UNKNOWN: nothing yet */
	struct nt_snapshot *base;
};

/* Of one process. */
struct part {
	const struct spanning *spanning;
	struct nt_process_snapshot *process; /* of the base */
	struct nt_span_methods methods;
	struct nt_span_tree tree;
	struct nt_figures figures; /* sums over the whole intervals */
	nt_time whole_t0, whole_t1;
	nt_time told_ns; /* samples are told for so long */
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

/* Find the last interval that has a part in the span, and what the span covers. */
static void find_base(struct spanning *spanning, struct nt_past *past, uint64_t first)
{
	uint64_t last = 0;
	nt_time t0, t1;
	for (uint64_t sequence = first; nt_past_times(past, sequence, &t0, &t1) && t0 < spanning->to; sequence++)
		if (cover(spanning, t0, t1))
			last = sequence;
	spanning->base = last ? nt_past_get(past, last) : NULL;
}

/* ---- one process ---- */

static const struct nt_process_snapshot *process_in(const struct nt_snapshot *interval, uint32_t pid)
{
	for (size_t i = 0; i < interval->process_count; i++)
		if (interval->processes[i].target.pid == pid)
			return &interval->processes[i];
	return NULL;
}

static void add_whole(struct part *part, const struct nt_snapshot *interval, const struct nt_process_snapshot *process)
{
	if (!part->any)
		part->whole_t0 = interval->t0;
	nt_span_figures_add(&part->figures, &process->interval, !part->any);
	part->whole_t1 = interval->t1;
	part->any = true;
}

/* Of an interval that was sampled in part nobody knows in which: nothing of it is said to be told. */
static void add_told(struct part *part, const struct nt_snapshot *interval, const struct nt_process_snapshot *process)
{
	const struct nt_interval_samples *samples = &process->interval_samples;
	nt_time inside = length_inside(part->spanning, interval->t0, interval->t1);
	if (!inside || !samples->kept)
		return;
	part->sampled = true;
	if (!samples->left_out && !nt_is_partial(process->interval.cpu.samples_covered_ns, interval->t1 - interval->t0))
		part->told_ns += inside;
}

static void add_interval(struct part *part, const struct nt_snapshot *interval)
{
	const struct spanning *spanning = part->spanning;
	const struct nt_process_snapshot *process = process_in(interval, part->process->target.pid);
	if (!process)
		return;
	if (interval->t0 >= spanning->t0 && interval->t1 <= spanning->t1)
		add_whole(part, interval, process);
	add_told(part, interval, process);
	nt_span_methods_add(&part->methods, interval, process, spanning->t0, spanning->t1, spanning->base->arena);
	nt_span_tree_add(&part->tree, interval, &process->interval_samples, spanning->t0, spanning->t1, 1, spanning->base->arena);
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
	bool whole = part->any && part->whole_t0 == spanning->t0 && part->whole_t1 == spanning->t1;
	struct nt_figures figures = whole ? part->figures : (struct nt_figures){ 0 };
	figures.span_ns = spanning->t1 - spanning->t0;
	figures.lived_ns = lived(&process->target, spanning);
	if (whole)
		nt_span_figures_derive(&figures, figures.span_ns);
	if (spanning->base->t1 == spanning->t1)
		nt_span_figures_take_states(&figures, &process->interval);
	fill_samples(part, &figures.cpu);
	nt_span_figures_explain(&figures, whole ? "of a span of several intervals sums are told, and what was so at its end"
						: "of a part of an interval the samples are told, and nothing else");
	process->interval = figures;
}

/* Of the window, which is not the span. */
static void leave_out(struct nt_process_snapshot *process)
{
	for (int i = 0; i < NT_PURPOSE_COUNT; i++)
		process->window_purpose_pct[i] = (struct nt_f64){ 0 };
	process->pause_samples = (struct nt_pause_samples){ 0 };
	process->interval_samples = (struct nt_interval_samples){ 0 };
	process->window_complete_pct = process->window_cut_pct = (struct nt_f64){ 0 };
}

static void make_process(const struct spanning *spanning, struct nt_past *past, uint64_t first, struct nt_process_snapshot *process)
{
	struct part part = { .spanning = spanning, .process = process };
	nt_time t0, t1;
	nt_span_tree_init(&part.tree);
	for (uint64_t sequence = first; nt_past_times(past, sequence, &t0, &t1) && t0 < spanning->t1 + LATE_NS; sequence++) {
		struct nt_snapshot *interval = nt_past_get(past, sequence);
		add_interval(&part, interval);
		nt_snapshot_release(interval);
	}
	nt_span_methods_fill(&part.methods, spanning->base->arena, process);
	nt_span_tree_fill(&part.tree, part.sampled ? NT_STACKS_SIDES : NT_STACKS_NONE, spanning->base->arena, process);
	fill_figures(&part);
	leave_out(process);
	nt_span_methods_fini(&part.methods);
	nt_span_tree_fini(&part.tree);
}

/* ---- all ---- */

struct nt_snapshot *nt_past_span(struct nt_past *past, nt_time from, nt_time to)
{
	struct spanning spanning = { .from = from, .to = to, .t0 = NT_TIME_UNKNOWN };
	uint64_t first = nt_past_at(past, from);
	find_base(&spanning, past, first);
	struct nt_snapshot *base = spanning.base;
	if (!base)
		return NULL;
	for (size_t i = 0; i < base->process_count; i++)
		make_process(&spanning, past, first, &base->processes[i]);
	if (!is_of_one(&spanning))
		base->self_pct = base->daemons_pct = base->target_cost_pct = (struct nt_f64){ 0 };
	base->t0 = spanning.t0;
	base->t1 = spanning.t1;
	return base;
}

/* ---- the call tree of a moment ---- */

static void add_stacks(struct nt_past *past, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct nt_span_tree tree;
	nt_span_tree_init(&tree);
	uint64_t first = snapshot->sequence > WINDOW_INTERVALS ? snapshot->sequence - WINDOW_INTERVALS : 1;
	for (uint64_t sequence = first; sequence <= snapshot->sequence; sequence++) {
		struct nt_snapshot *interval = nt_past_get(past, sequence);
		const struct nt_process_snapshot *then = interval ? process_in(interval, process->target.pid) : NULL;
		double weight = nt_window_power(nt_window_decay(NT_WINDOW_HALF_LIFE), snapshot->sequence - sequence);
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
