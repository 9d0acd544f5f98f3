// SPDX-License-Identifier: GPL-2.0-only
/* Which process an event is of. */
#include "model/whole/model_state.h"

#include <string.h>

struct nt_process_model *nt_model_process(const struct nt_model *model, uint32_t pid)
{
	for (size_t i = 0; i < model->process_count; i++)
		if (model->processes[i]->pid == pid || !model->processes[i]->pid)
			return model->processes[i];
	return NULL;
}

/* The number of a process whose own number is another one's now: no event has it. */
#define NOBODY UINT32_MAX

struct nt_process_model *nt_model_process_of(struct nt_model *model, const struct nt_event *event)
{
	struct nt_process_model *process = nt_model_process(model, event->pid);
	if (!process || event->kind != NT_EV_TARGET || !event->u.target.start_ticks || !process->proc.target.start_ticks ||
	    process->proc.target.start_ticks == event->u.target.start_ticks)
		return process;
	process->pid = NOBODY;
	return NULL;
}

/* Of so many that have ended it is still known what they did: a program that ends and begins anew again and again is another process each time. */
enum { ENDED_MOST = 16 };

static size_t ended_count(const struct nt_model *model)
{
	size_t count = 0;
	for (size_t i = 1; i < model->process_count; i++)
		count += model->processes[i]->proc.target.ended;
	return count;
}

/* Give up the one that ended first, never the first one. Returns whether there was one. */
static bool make_room(struct nt_model *model)
{
	size_t oldest = 0;
	for (size_t i = 1; i < model->process_count; i++) {
		const struct nt_target_info *target = &model->processes[i]->proc.target;
		if (target->ended && (!oldest || target->ended_at < model->processes[oldest]->proc.target.ended_at))
			oldest = i;
	}
	if (!oldest)
		return false;
	nt_process_model_free(model->processes[oldest]);
	model->process_count--;
	memmove(&model->processes[oldest], &model->processes[oldest + 1], (model->process_count - oldest) * sizeof(model->processes[0]));
	return true;
}

/* A process comes with its identity. It knows what the ids of all sources mean that were announced before it came. */
static struct nt_process_model *add(struct nt_model *model, const struct nt_event *event)
{
	nt_time from = event->time, latest = model->shared.t1;
	if (event->kind != NT_EV_TARGET || event->u.target.ended)
		return NULL;
	if (ended_count(model) == ENDED_MOST)
		make_room(model);
	if (model->process_count == NT_MODEL_PROCESSES && !make_room(model))
		return NULL;
	from = from < model->config.start ? model->config.start : from > latest ? latest : from;
	struct nt_process_model *process = nt_process_model_new(&model->shared, event->pid, from);
	nt_process_model_learn(process, model->processes[0]);
	model->processes[model->process_count++] = process;
	return process;
}

/* It is of a source as a whole, or of nettop: each process has it, and it counts once. */
static void take_for_all(struct nt_model *model, const struct nt_batch *batch, const struct nt_event *event)
{
	if (nt_event_attributes[event->kind].of == NT_EVENT_OF_PROCESS && model->process_count > 1) {
		nt_sources_count(&model->processes[0]->sources, batch->source, event); /* whose it is nobody knows */
		return;
	}
	for (size_t i = 0; i < model->process_count; i++) {
		struct nt_source_account *account = &model->processes[i]->sources.items[batch->source];
		struct nt_source_sums before = nt_source_sums(account);
		nt_process_model_take(model->processes[i], batch, event);
		if (i)
			nt_sources_told_elsewhere(account, &before);
	}
}

void nt_model_take(struct nt_model *model, const struct nt_batch *batch, const struct nt_event *event)
{
	if (!event->pid) {
		take_for_all(model, batch, event);
		return;
	}
	struct nt_process_model *process = add(model, event);
	if (process)
		nt_process_model_take(process, batch, event);
	else
		nt_sources_count(&model->processes[0]->sources, batch->source, event); /* of another process: counted, not looked at */
}
