// SPDX-License-Identifier: GPL-2.0-only
#include "app/many/many_events.h"

#include "app/session/demand.h"
#include "source/eventpipe/eventpipe.h"
#include "target/needs/lttng_delivers.h"

/* As for one process on a screen that shows nothing of that alone; what costs a process more comes when it is opened. */
unsigned nt_many_demand_of(const struct nt_many_sources *sources, enum nt_source_id id, const struct nt_many_target *target)
{
	if (id == NT_SOURCE_RUNTIME) /* for names alone, which are asked for one by one */
		return 0;
	const struct nt_demand_facts facts = { .mode = target ? target->target->mode : NT_MODE_NONE,
					       .left_out = target ? nt_target_lttng_leaves_out(target->target) : 0,
					       .lttng = target && target->lttng_carries.carries,
					       .eventpipe = true,
					       .looked_at = sources->options->with,
					       .requests = target && (target->wants_requests || sources->options->with & NT_WANT_REQUESTS),
					       .compilations = target && target->wants_compilations };
	return nt_demand_of(id, &facts);
}

static void want_of(struct nt_many_sources *sources, struct nt_many_target *target)
{
	target->demand = nt_many_demand_of(sources, NT_SOURCE_EVENTPIPE, target);
	nt_eventpipe_want_of(sources->sources[NT_SOURCE_EVENTPIPE], target->target->pid, target->demand);
}

void nt_many_events_given(struct nt_many_sources *sources, enum nt_source_id id, struct nt_many_target *target)
{
	if (id == NT_SOURCE_LTTNG) {
		target->lttng = NT_STATE_STARTING;
		nt_handover_init(&target->lttng_carries, true);
	} else if (id == NT_SOURCE_EVENTPIPE) {
		want_of(sources, target);
	}
}

/* Requests are asked for from then on, compilations as long as there are that many, what LTTng brings while it does not. */
void nt_many_events_want(struct nt_many_sources *sources, const struct nt_snapshot *known)
{
	nt_time now = nt_clock_now();
	for (size_t i = 0; sources->sources[NT_SOURCE_EVENTPIPE] && i < known->process_count; i++) {
		const struct nt_process_snapshot *process = &known->processes[i];
		size_t place = nt_many_target_place(sources, process->target.pid);
		if (place == sources->target_count || sources->targets[place].target->start_ticks != process->target.start_ticks)
			continue;
		struct nt_many_target *target = &sources->targets[place];
		nt_handover_see(&target->lttng_carries, target->lttng, now);
		target->wants_requests |= process->wants_requests;
		target->wants_compilations = process->wants_compilations;
		if (target->demand != nt_many_demand_of(sources, NT_SOURCE_EVENTPIPE, target))
			want_of(sources, target);
	}
}

/* It differs from process to process. */
void nt_many_events_note(struct nt_many_sources *sources, const struct nt_batch *batch)
{
	for (size_t i = 0; i < batch->event_count; i++) {
		const struct nt_event *event = &batch->events[i];
		size_t place = event->kind == NT_EV_SOURCE_STATE ? nt_many_target_place(sources, event->pid) : sources->target_count;
		if (place < sources->target_count && sources->targets[place].lttng != NT_STATE_UNUSED)
			sources->targets[place].lttng = (enum nt_source_state)event->u.source_state.state;
	}
}

void nt_many_events_closed(struct nt_many_sources *sources, enum nt_source_id id)
{
	for (size_t i = 0; id == NT_SOURCE_LTTNG && i < sources->target_count; i++)
		if (sources->targets[i].lttng != NT_STATE_UNUSED)
			sources->targets[i].lttng = NT_STATE_ENDED;
}
