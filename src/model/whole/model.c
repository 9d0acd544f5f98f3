// SPDX-License-Identifier: GPL-2.0-only
/* Batches in, snapshots out: the intervals, and when they close. */
#include "nettop/model.h"

#include "base/alloc.h"
#include "model/common/decay.h"
#include "model/whole/model_state.h"

#include <stdlib.h>

enum { FOLD_INTERVALS = 600 }; /* more overdue intervals than this become one: nettop was stopped */

static const nt_time stall_ns = 2 * NT_NS_PER_S;    /* without a tick, besides an interval */
static const nt_time patience_ns = 3 * NT_NS_PER_S; /* then; what is not there by then comes late */

struct nt_model *nt_model_new(const struct nt_model_config *config)
{
	nt_assert(config->interval_ns > 0 && config->window_half_life > 0);
	struct nt_model *model = nt_alloc(sizeof(*model));
	model->config = *config;
	model->decay = nt_window_decay(config->window_half_life);
	model->shared = (struct nt_shared){ .config = &model->config,
					    .texts = nt_texts_new(&(struct nt_texts_config){ .slack_bytes = config->text_slack_bytes }),
					    .t0 = config->start,
					    .t1 = config->start + config->interval_ns };
	model->processes[model->process_count++] = nt_process_model_new(&model->shared, config->pid, config->start);
	return model;
}

void nt_model_free(struct nt_model *model)
{
	if (!model)
		return;
	for (size_t i = 0; i < model->process_count; i++)
		nt_process_model_free(model->processes[i]);
	free(model->questions);
	nt_texts_free(model->shared.texts);
	free(model);
}

void nt_model_show_events(struct nt_model *model, void (*see)(void *context, const struct nt_shown_event *shown), void *context)
{
	model->shared.see = see;
	model->shared.see_context = context;
}

nt_time nt_model_interval_end(const struct nt_model *model)
{
	return model->shared.t1;
}

static void take_one(struct nt_model *model, const struct nt_batch *batch, const struct nt_event *event)
{
	if (!nt_event_kind_exists(event->kind))
		return;
	if (!nt_event_is_direction(event->kind))
		nt_model_take(model, batch, event);
	else if (batch->source == NT_SOURCE_APP)
		nt_model_obey(model, event);
}

static bool is_for(const struct nt_process_model *process, const struct nt_batch *batch)
{
	return !batch->pid || !process->pid || process->pid == batch->pid;
}

void nt_model_apply(struct nt_model *model, const struct nt_batch *batch)
{
	if ((unsigned)batch->source >= NT_SOURCE_COUNT)
		return;
	for (size_t i = 0; i < model->process_count; i++)
		if (is_for(model->processes[i], batch))
			nt_process_model_announce(model->processes[i], batch);
	for (size_t i = 0; i < batch->event_count;) {
		const struct nt_event *event = &batch->events[i];
		if (batch->pid && event->pid != batch->pid) { /* its ids would be another's */
			i++;
			continue;
		}
		struct nt_process_model *process = event->pid ? nt_model_process_of(model, event) : NULL;
		if (process && !nt_event_is_direction(event->kind))
			i += nt_process_model_take_run(process, batch, i);
		else
			take_one(model, batch, &batch->events[i++]);
	}
}

/* Begin a generation of texts, when so many have come that it is worth looking who uses them. Snapshots have pinned theirs. */
static void sweep_texts(struct nt_model *model)
{
	struct nt_texts *texts = model->shared.texts;
	if (!nt_texts_grown(texts))
		return;
	for (size_t i = 0; i < model->process_count; i++)
		nt_process_model_mark_texts(model->processes[i]);
	nt_texts_sweep(texts);
}

static void resume(struct nt_model *model, bool all)
{
	for (size_t i = 0; i < model->process_count; i++)
		nt_process_model_resume(model->processes[i], all);
}

/* Close [t0, t1) and open the next interval. */
static struct nt_snapshot *close_interval(struct nt_model *model, nt_time t1, bool final)
{
	struct nt_shared *open = &model->shared;
	if (open->until && t1 > open->until)
		t1 = open->until;
	if (t1 > open->t1) /* longer than it was meant to be: what waited for later is of it now */
		open->t1 = t1;
	resume(model, final);
	struct nt_span span = {
		.t0 = open->t0, .t1 = t1, .start = model->config.start, .number = ++model->sequence, .decay = model->decay, .final = final
	};
	struct nt_snapshot *snapshot = nt_model_snapshot(model, &span);
	for (size_t i = 0; i < model->process_count; i++)
		nt_process_model_sweep(model->processes[i]);
	sweep_texts(model);
	for (size_t i = 0; i < model->process_count; i++)
		nt_coverage_next(&model->processes[i]->coverage, &model->processes[i]->sources, t1);
	open->t0 = t1;
	open->t1 = nt_model_cut_at_end(model, t1 + model->config.interval_ns);
	resume(model, false);
	return snapshot;
}

/* Nobody looked for a while: the sources still have what happened meanwhile, and deliver it now. */
static void note_stall(struct nt_model *model, nt_time now)
{
	if (model->ticked && now > model->ticked + stall_ns + model->config.interval_ns)
		model->patience = now + patience_ns;
	model->ticked = now;
}

static bool all_past(const struct nt_model *model, nt_time time)
{
	for (size_t i = 0; i < model->process_count; i++) {
		const struct nt_target_info *target = &model->processes[i]->proc.target;
		bool is_over = target->ended && target->ended_at < model->shared.t0; /* whoever told of it need not say so any more */
		if (!is_over && !nt_sources_past(&model->processes[i]->sources, time))
			return false;
	}
	return true;
}

static struct nt_snapshot *close_due(struct nt_model *model, nt_time now)
{
	note_stall(model, now);
	if (now < model->shared.t1 || model->shared.t1 == model->shared.until)
		return NULL; /* the last one has time until all sources were read to their end: what they tell at their end is in it */
	if (!all_past(model, model->shared.t1) && (now < model->shared.t1 + model->config.watermark_ns || now < model->patience))
		return NULL;
	nt_time overdue = (now - model->shared.t1) / model->config.interval_ns;
	nt_time t1 = overdue > FOLD_INTERVALS ? model->shared.t1 + (overdue - 1) * model->config.interval_ns : model->shared.t1;
	return close_interval(model, t1, false);
}

struct nt_snapshot *nt_model_take_tick(struct nt_model *model, const struct nt_tick *tick)
{
	if (tick->how == NT_TICK_DUE)
		return close_due(model, tick->now);
	bool final = tick->how == NT_TICK_FINAL;
	struct nt_snapshot *snapshot = close_interval(model, tick->now > model->shared.t0 ? tick->now : model->shared.t0, final);
	snapshot->complete = final && tick->complete;
	return snapshot;
}
