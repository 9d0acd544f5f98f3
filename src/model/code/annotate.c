// SPDX-License-Identifier: GPL-2.0-only
#include "model/code/annotate.h"

#include "base/alloc.h"

#include <stdlib.h>

void nt_annotate_init(struct nt_annotate *annotate, struct nt_resolver *resolver)
{
	*annotate = (struct nt_annotate){ .resolver = resolver };
	annotate->recent = nt_alloc(NT_ANNOTATE_RECENT * sizeof(*annotate->recent));
}

static void forget_code(struct nt_annotate *annotate)
{
	nt_assembly_fini(&annotate->assembly);
	nt_origin_fini(&annotate->origin);
	annotate->asked_from = annotate->asked_to = annotate->asked = 0;
}

static void forget_places(struct nt_annotate *annotate)
{
	free(annotate->places);
	annotate->places = NULL;
	annotate->place_count = annotate->place_capacity = 0;
	nt_index_fini(&annotate->place_of);
}

void nt_annotate_fini(struct nt_annotate *annotate)
{
	forget_code(annotate);
	forget_places(annotate);
	free(annotate->recent);
	*annotate = (struct nt_annotate){ 0 };
}

/* ---- samples ---- */

static void count(struct nt_annotate *annotate, uint64_t address, nt_time time, unsigned samples)
{
	uint32_t index = nt_index_get(&annotate->place_of, address);
	if (index == NT_INDEX_NONE) {
		if (annotate->place_count == NT_ANNOTATE_PLACES)
			return;
		index = (uint32_t)annotate->place_count;
		annotate->places =
			nt_grow(annotate->places, &annotate->place_capacity, annotate->place_count + 1, sizeof(*annotate->places));
		annotate->places[annotate->place_count++] = (struct nt_annotate_place){ .address = address };
		nt_index_put(&annotate->place_of, address, index);
	}
	annotate->places[index].count += samples;
	if (time > annotate->places[index].newest)
		annotate->places[index].newest = time;
}

static uint64_t method_at(const struct nt_annotate *annotate, const struct nt_annotate_recent *sample)
{
	struct nt_resolved resolved = nt_resolver_resolve(annotate->resolver, sample->address, false, sample->time, 0);
	return nt_resolver_key(annotate->resolver, resolved.key)->id;
}

void nt_annotate_turn_to(struct nt_annotate *annotate, uint64_t method)
{
	if (annotate->method == method)
		return;
	annotate->method = method;
	forget_code(annotate);
	forget_places(annotate);
	for (size_t i = 0; method && i < NT_ANNOTATE_RECENT; i++) {
		const struct nt_annotate_recent *sample = &annotate->recent[i];
		if (sample->address && method_at(annotate, sample) == method)
			count(annotate, sample->address, sample->time, sample->samples);
	}
}

void nt_annotate_sample(struct nt_annotate *annotate, uint64_t address, nt_time time, unsigned samples, uint64_t method)
{
	annotate->recent[annotate->next++ & (NT_ANNOTATE_RECENT - 1)] =
		(struct nt_annotate_recent){ .address = address, .time = time, .samples = samples };
	if (annotate->method && annotate->method == method)
		count(annotate, address, time, samples);
}

/* ---- the code ---- */

void nt_annotate_answer(struct nt_annotate *annotate, const struct nt_ev_assembly *said, const struct nt_batch *batch, const char *reason)
{
	if (annotate->asked_to && said->start == annotate->asked_from) /* else to a question that nobody has any more */
		nt_assembly_take(&annotate->assembly, said, batch, reason);
}

void nt_annotate_each_text(const struct nt_annotate *annotate, nt_text_visit *visit, void *context)
{
	visit(annotate->assembly.reason, context);
	visit(annotate->origin.reason, context);
	for (size_t i = 0; i < annotate->origin.line_count; i++)
		visit(annotate->origin.lines[i].file, context);
}
