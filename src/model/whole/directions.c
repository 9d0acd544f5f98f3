// SPDX-License-Identifier: GPL-2.0-only
/* What nettop decides for the model: it comes as events, so that a recording has it. They are checked, because a recording may come from anywhere. */
#include "model/whole/model_state.h"

#include <stdlib.h>

enum { SPLINTERS = 10 }; /* a last interval is no shorter than such a part of the others: it is added to the one before */

nt_time nt_model_cut_at_end(const struct nt_model *model, nt_time t1)
{
	return model->until && t1 + model->config.interval_ns / SPLINTERS > model->until ? model->until : t1;
}

/* No interval reaches beyond. What happened before may still be told: the interval that ends there closes with NT_TICK_CLOSE or NT_TICK_FINAL alone. */
static void end(struct nt_model *model, nt_time until)
{
	if (until == NT_TIME_UNKNOWN)
		return;
	model->until = until > model->t0 ? until : model->t0;
	model->t1 = nt_model_cut_at_end(model, model->t1);
}

static void ask(struct nt_model *model, nt_time now)
{
	nt_cpu_want(&model->cpu, now);
	free(model->questions);
	model->questions = nt_resolver_ask(model->resolver, now, model->config.pid, NT_QUESTION_LIMIT, &model->question_count);
}

const struct nt_question *nt_model_questions(const struct nt_model *model, size_t *count)
{
	*count = model->question_count;
	return model->questions;
}

void nt_model_obey(struct nt_model *model, const struct nt_event *event)
{
	switch (event->kind) {
	case NT_EV_LOOK:
		nt_annotate_turn_to(&model->annotate, event->u.look.method);
		break;
	case NT_EV_KEEP_STACKS:
		if (event->u.keep_stacks.wanted <= NT_STACKS_TIMED)
			nt_stacks_want(&model->cpu.stacks, (enum nt_stacks_wanted)event->u.keep_stacks.wanted);
		break;
	case NT_EV_INTERVAL:
		if (event->u.interval.ns >= NT_INTERVAL_MIN_NS && event->u.interval.ns <= NT_INTERVAL_MAX_NS)
			model->config.interval_ns = event->u.interval.ns;
		break;
	case NT_EV_END:
		end(model, event->time);
		break;
	case NT_EV_ASK:
		ask(model, event->time);
		break;
	default:
		break;
	}
}
