// SPDX-License-Identifier: GPL-2.0-only
/* Counters that the target publishes go to the subject of their own, and to those whose figures they are. */
#include "model/whole/arrival.h"

static void named_counter(const struct nt_arrival *arrival, nt_text_ref name)
{
	size_t length;
	const char *text = nt_heap_get(arrival->model->names.heap, name, &length);
	enum nt_jit_counter which = nt_jit_counter_of(text, length);
	enum nt_pool_counter pool = nt_pool_counter_of(text, length);
	if (pool < NT_POOL_COUNTERS)
		nt_pool_counted(&arrival->model->pool, pool, &arrival->event->u.counter, arrival->event->time);
	if (which < NT_JIT_COUNTERS)
		nt_jit_counters_told(&arrival->model->jit.counters, which, &arrival->event->u.counter, arrival->event->time);
}

static void request(const struct nt_arrival *arrival, const struct nt_counter_texts *texts)
{
	const struct nt_names *names = &arrival->model->names;
	char name[64];
	size_t length, tags_length;
	const char *provider = nt_heap_get(names->heap, texts->provider, &length);
	if (!texts->name)
		nt_requests_left_out(&arrival->model->requests);
	if (!nt_requests_is_provider(provider, length))
		return;
	const char *raw = nt_heap_get(names->heap, texts->name, &length);
	if (length >= sizeof(name))
		return;
	memcpy(name, raw, length);
	name[length] = '\0';
	const char *tags = nt_heap_get(names->heap, texts->tags, &tags_length);
	nt_requests_apply(&arrival->model->requests, arrival->event, name, tags, tags_length, names->texts);
}

void nt_dispatch_counter(const struct nt_arrival *arrival)
{
	const struct nt_ev_counter *told = &arrival->event->u.counter;
	const struct nt_counter_texts texts = { .provider = nt_arrival_text(arrival, told->provider),
						.name = nt_arrival_text(arrival, told->name),
						.display_name = nt_arrival_text(arrival, told->display_name),
						.unit = nt_arrival_text(arrival, told->unit),
						.tags = nt_arrival_text(arrival, told->tags) };
	nt_counters_apply(&arrival->model->counters, arrival->event, &texts, &arrival->model->names);
	request(arrival, &texts);
	if (!nt_arrival_is_text(arrival, texts.provider, "System.Runtime"))
		return;
	if (nt_arrival_is_text(arrival, texts.name, "alloc-rate"))
		nt_alloc_counted(&arrival->model->alloc, arrival->event);
	else if (nt_arrival_is_text(arrival, texts.name, "gc-fragmentation"))
		nt_gc_counted(&arrival->model->gc, told);
	else if (nt_arrival_is_text(arrival, texts.name, "gc-committed"))
		nt_gc_committed(&arrival->model->gc, told, arrival->event->time);
	else
		named_counter(arrival, texts.name);
}

void nt_dispatch_instrument(const struct nt_arrival *arrival)
{
	const struct nt_ev_instrument *said = &arrival->event->u.instrument;
	const struct nt_instrument_texts texts = { .provider = nt_arrival_text(arrival, said->provider),
						   .name = nt_arrival_text(arrival, said->name),
						   .description = nt_arrival_text(arrival, said->description),
						   .tags = nt_arrival_text(arrival, said->tags),
						   .meter_tags = nt_arrival_text(arrival, said->meter_tags) };
	nt_instruments_said(&arrival->model->counters.instruments, said->number, &texts, &arrival->model->names);
}
