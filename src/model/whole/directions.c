// SPDX-License-Identifier: GPL-2.0-only
/* What nettop decides for the model: it comes as events, so that a recording has it. They are checked, because a recording may come from anywhere. */
#include "base/alloc.h"
#include "model/whole/model_state.h"

#include <stdlib.h>

enum { SPLINTERS = 10 }; /* a last interval is no shorter than such a part of the others: it is added to the one before */

nt_time nt_model_cut_at_end(const struct nt_model *model, nt_time t1)
{
	return model->shared.until && t1 + model->config.interval_ns / SPLINTERS > model->shared.until ? model->shared.until : t1;
}

/* No interval reaches beyond. What happened before may still be told: the interval that ends there closes with NT_TICK_CLOSE or NT_TICK_FINAL alone. */
static void end(struct nt_model *model, nt_time until)
{
	if (until == NT_TIME_UNKNOWN)
		return;
	model->shared.until = until > model->shared.t0 ? until : model->shared.t0;
	model->shared.t1 = nt_model_cut_at_end(model, model->shared.t1);
}

bool nt_model_has_ended(const struct nt_model *model)
{
	return model->shared.until && model->shared.t0 >= model->shared.until;
}

static void ask(struct nt_model *model, struct nt_process_model *process, nt_time now)
{
	size_t count;
	nt_cpu_kinds_want(&process->cpu, now);
	if (nt_model_has_ended(model)) {
		nt_cpu_kinds_want_waiting(&process->cpu); /* no interval closes any more that would ask for it */
		nt_resolver_asks_last(process->resolver);
	}
	struct nt_question *questions = nt_resolver_ask(process->resolver, now, process->pid, NT_QUESTION_LIMIT, &count);
	if (!model->question_count) {
		free(model->questions);
		model->questions = questions;
		model->question_count = count;
		return;
	}
	model->questions = nt_realloc(model->questions, model->question_count + count, sizeof(*questions));
	for (size_t i = 0; i < count; i++)
		model->questions[model->question_count++] = questions[i];
	free(questions);
}

bool nt_model_awaits_mappings(const struct nt_model *model)
{
	for (size_t i = 0; i < model->process_count; i++)
		if (nt_resolver_awaits_mappings(model->processes[i]->resolver))
			return true;
	return false;
}

const struct nt_question *nt_model_questions(const struct nt_model *model, size_t *count)
{
	*count = model->question_count;
	return model->questions;
}

/* What nettop says in words, in the table. */
static const char *text_of(const struct nt_process_model *process, nt_str id)
{
	return nt_names_keep(&process->names, nt_ids_text(process->ids[NT_SOURCE_APP], id));
}

/* Of one process. */
static void obey(struct nt_model *model, struct nt_process_model *process, const struct nt_event *event)
{
	switch (event->kind) {
	case NT_EV_LOOK:
		nt_annotate_turn_to(&process->annotate, event->u.look.method);
		break;
	case NT_EV_KEEP_STACKS:
		if (event->u.keep_stacks.wanted < NT_STACKS_WANTED_COUNT)
			nt_cpu_kinds_want_stacks(&process->cpu, (enum nt_stacks_wanted)event->u.keep_stacks.wanted);
		break;
	case NT_EV_KEEP_SAMPLES:
		nt_samples_kept_want(&process->cpu.of[NT_SAMPLES_CPU]->kept, event->u.keep_samples.wanted);
		break;
	case NT_EV_TELL:
		nt_told_turn_to(&process->told, event->time, &event->u.tell, text_of(process, event->u.tell.patterns),
				text_of(process, event->u.tell.note));
		break;
	case NT_EV_ASK:
		ask(model, process, event->time);
		break;
	default:
		break;
	}
}

static void obey_by_process(struct nt_model *model, const struct nt_event *event)
{
	if (event->kind == NT_EV_ASK)
		model->question_count = 0;
	for (size_t i = 0; i < model->process_count; i++) {
		struct nt_process_model *process = model->processes[i];
		if (!event->pid || !process->pid || event->pid == process->pid)
			obey(model, process, event);
	}
}

void nt_model_obey(struct nt_model *model, const struct nt_event *event)
{
	switch (event->kind) {
	case NT_EV_INTERVAL:
		if (event->u.interval.ns >= NT_INTERVAL_MIN_NS && event->u.interval.ns <= NT_INTERVAL_MAX_NS)
			model->config.interval_ns = event->u.interval.ns;
		break;
	case NT_EV_END:
		end(model, event->time);
		break;
	default:
		obey_by_process(model, event);
		break;
	}
}
