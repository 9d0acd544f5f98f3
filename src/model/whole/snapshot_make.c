// SPDX-License-Identifier: GPL-2.0-only
/* What is known at the end of an interval, of all processes. */
#include "model/whole/model_state.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/texts.h"
#include "model/alloc/alloc_source.h"

/* Of a process that came later the first interval begins there. */
static struct nt_span span_of(const struct nt_process_model *process, const struct nt_span *span)
{
	struct nt_span own = *span;
	own.start = process->start;
	if (own.t0 < own.start)
		own.t0 = own.start < own.t1 ? own.start : own.t1;
	return own;
}

struct nt_snapshot *nt_model_snapshot(struct nt_model *model, const struct nt_span *span)
{
	struct nt_snapshot *snapshot = nt_alloc(sizeof(*snapshot));
	*snapshot = (struct nt_snapshot){ .sequence = span->number,
					  .t0 = span->t0,
					  .t1 = span->t1,
					  .start = span->start,
					  .final = span->final,
					  .refs = 1,
					  .arena = nt_arena_new(),
					  .texts = nt_texts_pin(model->shared.texts) };
	snapshot->process_count = model->process_count;
	snapshot->processes = nt_alloc(model->process_count * sizeof(*snapshot->processes));
	for (size_t i = 0; i < model->process_count; i++) {
		struct nt_process_model *process = model->processes[i];
		const struct nt_span own = span_of(process, span);
		nt_process_model_settle(process, &own);
		nt_process_model_close(process, &own, snapshot, &snapshot->processes[i]);
		nt_sources_close(&process->sources, &own, snapshot);
	}
	nt_alloc_source_add(&snapshot->processes[0], snapshot);
	/* What watching takes is told of all together; which process pays for it is not. */
	if (model->process_count > 1)
		snapshot->target_cost_pct.known = snapshot->target_cost_total_pct.known = false;
	return snapshot;
}
