// SPDX-License-Identifier: GPL-2.0-only
#include "app/many/many_samples.h"

#include "source/common/sources.h"

enum {
	LEAST_SAMPLES = 3, /* in an interval: who hardly runs has no method that is hot */
	RESTS_S = 30,      /* one that was not sampled for so long is not named any more */
};

/* Those that name code, beside the model. */
static const struct nt_source_ops *const namers[] = { &nt_source_codemap, &nt_source_runtime };
enum { NAMERS = sizeof(namers) / sizeof(namers[0]) };

static bool is_allowed(const struct nt_many_sources *sources, enum nt_source_id id)
{
	return sources->options->source_mask & 1u << id;
}

static void begin_naming(struct nt_many_sources *sources, struct nt_many_target *target, struct nt_inputs *inputs)
{
	target->named = true;
	for (size_t i = 0; i < NAMERS; i++)
		if (is_allowed(sources, namers[i]->id))
			nt_many_sources_give(sources, namers[i], target->target, inputs);
}

static void end_naming(struct nt_many_sources *sources, struct nt_many_target *target, struct nt_inputs *inputs)
{
	target->named = false;
	for (size_t i = 0; i < NAMERS; i++) {
		struct nt_source *source = sources->sources[namers[i]->id];
		if (!source)
			continue;
		source->ops->remove(source, target->target->pid);
		nt_many_sources_state(inputs, namers[i]->id, target->target->pid, NT_STATE_UNUSED, "it has not run for a while", "");
	}
}

/* ---- begin and end ---- */

static void begin(struct nt_many_sources *sources, struct nt_inputs *inputs)
{
	for (size_t i = 0; is_allowed(sources, NT_SOURCE_PERF) && i < sources->target_count; i++)
		nt_many_sources_give(sources, &nt_source_perf, sources->targets[i].target, inputs);
}

static void end_of(struct nt_many_sources *sources, enum nt_source_id id, struct nt_inputs *inputs)
{
	for (size_t i = 0; sources->sources[id] && i < sources->target_count; i++)
		nt_many_sources_state(inputs, id, sources->targets[i].target->pid, NT_STATE_UNUSED, "nobody looks at what runs", "");
	if (sources->sources[id])
		nt_many_sources_close(sources, id);
}

static void end(struct nt_many_sources *sources, struct nt_inputs *inputs)
{
	nt_many_sources_drain(sources, inputs);
	end_of(sources, NT_SOURCE_PERF, inputs);
	for (size_t i = 0; i < NAMERS; i++)
		end_of(sources, namers[i]->id, inputs);
	for (size_t i = 0; i < sources->target_count; i++)
		sources->targets[i].named = false;
}

void nt_many_samples_want(struct nt_many_sources *sources, bool wanted, struct nt_inputs *inputs)
{
	if (wanted == sources->samples)
		return;
	sources->samples = wanted;
	if (!inputs)
		return;
	if (wanted)
		begin(sources, inputs);
	else
		end(sources, inputs);
}

/* ---- whose code is named ---- */

static uint64_t samples_of(const struct nt_snapshot *known, const struct nt_target *target)
{
	for (size_t i = 0; i < known->process_count; i++) {
		const struct nt_process_snapshot *process = &known->processes[i];
		if (process->target.pid == target->pid && process->target.start_ticks == target->start_ticks)
			return process->interval.cpu.samples.known ? process->interval.cpu.samples.v : 0;
	}
	return 0;
}

/* NULL: nobody else is worth it. */
static struct nt_many_target *busiest_unnamed(const struct nt_many_sources *sources, const struct nt_snapshot *known)
{
	struct nt_many_target *busiest = NULL;
	uint64_t most = LEAST_SAMPLES - 1;
	for (size_t i = 0; i < sources->target_count; i++) {
		struct nt_many_target *target = &sources->targets[i];
		uint64_t samples = target->named || target->gone ? 0 : samples_of(known, target->target);
		if (samples > most) {
			most = samples;
			busiest = target;
		}
	}
	return busiest;
}

void nt_many_samples_name(struct nt_many_sources *sources, const struct nt_snapshot *known, struct nt_inputs *inputs)
{
	size_t named = 0;
	for (size_t i = 0; sources->samples && i < sources->target_count; i++) {
		struct nt_many_target *target = &sources->targets[i];
		if (target->named && samples_of(known, target->target))
			target->ran = known->t1;
		else if (target->named && known->t1 - target->ran >= RESTS_S * NT_NS_PER_S)
			end_naming(sources, target, inputs);
		named += target->named;
	}
	for (struct nt_many_target *next; sources->samples && named < NT_MANY_NAMED_MOST && (next = busiest_unnamed(sources, known));
	     named++) {
		next->ran = known->t1;
		begin_naming(sources, next, inputs);
	}
}

void nt_many_samples_ask(struct nt_many_sources *sources, const struct nt_question *questions, size_t count)
{
	for (size_t i = 0; count && i < NAMERS; i++) {
		struct nt_source *source = sources->sources[namers[i]->id];
		if (source)
			source->ops->ask(source, questions, count);
	}
}
