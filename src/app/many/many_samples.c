// SPDX-License-Identifier: GPL-2.0-only
#include "app/many/many_samples.h"

#include "source/common/sources.h"

#include <math.h>

enum {
	LEAST_LOAD = 3, /* who hardly runs has no method that is hot */
	BUSIER = 2, /* so many times as busy as another one, and by more than chance, to be named in its place: which takes new helpers */
	BEYOND_CHANCE = 3,
};

/* One that runs no more is not named any more: an interval's samples have come down to this in some ten of them. */
#define RESTS_LOAD 0.1

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
		nt_many_sources_state(inputs, namers[i]->id, target->target->pid, NT_STATE_UNUSED, "others run more", "");
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
	for (size_t i = 0; is_allowed(sources, id) && i < sources->target_count; i++)
		nt_many_sources_state(inputs, id, sources->targets[i].target->pid, NT_STATE_UNUSED, "nobody looks at what runs", "");
	if (sources->sources[id])
		nt_many_sources_close(sources, id);
}

static void end(struct nt_many_sources *sources, struct nt_inputs *inputs)
{
	struct nt_source *perf = sources->sources[NT_SOURCE_PERF];
	if (perf)
		perf->ops->stop(perf); /* its last round says up to when it told */
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

static void note_loads(struct nt_many_sources *sources, const struct nt_snapshot *known)
{
	for (size_t i = 0; i < sources->target_count; i++) {
		struct nt_many_target *target = &sources->targets[i];
		target->load = target->load / 2 + (double)samples_of(known, target->target);
	}
}

/* The busiest of those that are not named and are there; NULL: none of them is worth it. */
static struct nt_many_target *next_to_name(const struct nt_many_sources *sources)
{
	struct nt_many_target *busiest = NULL;
	for (size_t i = 0; i < sources->target_count; i++) {
		struct nt_many_target *target = &sources->targets[i];
		if (!target->named && !target->gone && target->load >= LEAST_LOAD && (!busiest || target->load > busiest->load))
			busiest = target;
	}
	return busiest;
}

/* Of twenty that are alike some have by chance twice the samples of others at any time: these must not take turns. */
static bool is_busier(const struct nt_many_target *target, const struct nt_many_target *than)
{
	return target->load > BUSIER * than->load + BEYOND_CHANCE * sqrt(target->load);
}

/* The one of those that are named that runs least; NULL: none is. */
static struct nt_many_target *least_named(const struct nt_many_sources *sources, size_t *count)
{
	struct nt_many_target *least = NULL;
	*count = 0;
	for (size_t i = 0; i < sources->target_count; i++) {
		struct nt_many_target *target = &sources->targets[i];
		*count += target->named;
		if (target->named && (!least || target->load < least->load))
			least = target;
	}
	return least;
}

void nt_many_samples_name(struct nt_many_sources *sources, const struct nt_snapshot *known, struct nt_inputs *inputs)
{
	if (!sources->samples)
		return;
	note_loads(sources, known);
	for (struct nt_many_target *next; (next = next_to_name(sources));) {
		size_t count;
		struct nt_many_target *least = least_named(sources, &count);
		if (count >= NT_MANY_NAMED_MOST && !is_busier(next, least))
			break;
		if (count >= NT_MANY_NAMED_MOST)
			end_naming(sources, least, inputs);
		begin_naming(sources, next, inputs);
	}
	for (size_t i = 0; i < sources->target_count; i++)
		if (sources->targets[i].named && sources->targets[i].load < RESTS_LOAD)
			end_naming(sources, &sources->targets[i], inputs);
}

bool nt_many_samples_has_names(const struct nt_many_sources *sources, const struct nt_process_row *row)
{
	const struct nt_many_target *target = nt_many_sources_target(sources, row);
	return target && target->named;
}

void nt_many_samples_ask(struct nt_many_sources *sources, const struct nt_question *questions, size_t count)
{
	for (size_t i = 0; count && i < NAMERS; i++) {
		struct nt_source *source = sources->sources[namers[i]->id];
		if (source)
			source->ops->ask(source, questions, count);
	}
}
