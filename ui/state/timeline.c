// SPDX-License-Identifier: GPL-2.0-only
#include "ui/state/timeline.h"

#include "base/alloc.h"

#include <stdlib.h>

void nt_timeline_fini(struct nt_timeline *timeline)
{
	free(timeline->moments);
	*timeline = (struct nt_timeline){ 0 };
}

/* `value` of the time that was covered, a second. */
static struct nt_f64 per_second(struct nt_u64 value, struct nt_u64 covered_ns, double unit)
{
	bool known = value.known && covered_ns.known && covered_ns.v;
	return known ? nt_f64_of((double)value.v / unit / ((double)covered_ns.v / (double)NT_NS_PER_S)) : (struct nt_f64){ 0 };
}

static void read_figures(const struct nt_figures *figures, struct nt_f64 values[NT_TIMELINE_STRIPS])
{
	values[NT_TIMELINE_CPU] = figures->cpu.usage_pct;
	values[NT_TIMELINE_GC] = figures->gc.pause_pct;
	values[NT_TIMELINE_JIT] = per_second(figures->jit.time_ns, figures->jit.covered_ns, NT_NS_PER_MS);
	values[NT_TIMELINE_WAITS] = per_second(figures->waits.spent_ns, figures->waits.covered_ns, NT_NS_PER_S);
	values[NT_TIMELINE_REQUESTS] = per_second(figures->requests.count, figures->requests.covered_ns, 1);
}

void nt_timeline_add(struct nt_timeline *timeline, const struct nt_snapshot *snapshot)
{
	if (!snapshot->process_count)
		return;
	if (!timeline->moments)
		timeline->moments = nt_alloc(NT_TIMELINE_MOMENTS * sizeof(*timeline->moments));
	struct nt_timeline_moment *moment = &timeline->moments[timeline->count++ % NT_TIMELINE_MOMENTS];
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	*moment = (struct nt_timeline_moment){ .sequence = snapshot->sequence,
					       .t0 = snapshot->t0,
					       .t1 = snapshot->t1,
					       .marked = process->finding_count > 0,
					       .samples = process->interval_samples };
	/* What it points to is the snapshot's. */
	moment->samples.rows = NULL;
	moment->samples.stacks = NULL;
	moment->samples.frames = moment->samples.threads = NULL;
	moment->samples.row_count = moment->samples.stack_count = moment->samples.frame_count = moment->samples.thread_count = 0;
	read_figures(&process->interval, moment->values);
}

size_t nt_timeline_count(const struct nt_timeline *timeline)
{
	return timeline->count < NT_TIMELINE_MOMENTS ? (size_t)timeline->count : NT_TIMELINE_MOMENTS;
}

const struct nt_timeline_moment *nt_timeline_at(const struct nt_timeline *timeline, size_t back)
{
	return &timeline->moments[(timeline->count - 1 - back) % NT_TIMELINE_MOMENTS];
}
