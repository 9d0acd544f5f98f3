// SPDX-License-Identifier: GPL-2.0-only
#include "model/alloc/allocations.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "model/alloc/alloc_sample.h"
#include "model/common/trend_push.h"
#include "nettop/source.h"
#include "symbol/type_names.h"

#include <stdlib.h>
#include <string.h>

static const char no_type[] = "(type not said)";
static const char other_types[] = "(other types)";

/* A source that promises nothing (LTTng) has stopped sampling when no sample came for so long. */
static const nt_time silence_ns = 3 * NT_NS_PER_S;

void nt_allocations_init(struct nt_allocations *allocations)
{
	*allocations = (struct nt_allocations){ 0 };
}

void nt_allocations_fini(struct nt_allocations *allocations)
{
	free(allocations->items);
	nt_alloc_sites_fini(&allocations->sites);
	nt_index_fini(&allocations->by_type);
	*allocations = (struct nt_allocations){ 0 };
}

/* ---- when it is sampled ---- */

static void begin(struct nt_allocations *allocations, nt_time time)
{
	allocations->sampling.on = true;
	allocations->since = allocations->begun = time;
	allocations->last_sample = time;
	allocations->sampling.window_s = 0;
	allocations->sampling.figures.window = (struct nt_alloc_sums){ 0 };
	for (size_t i = 0; i < allocations->count; i++)
		allocations->items[i].row.figures.window = (struct nt_alloc_sums){ 0 };
	nt_alloc_sites_begin(&allocations->sites);
}

static double seconds(nt_time from, nt_time until)
{
	return until > from ? (double)(until - from) / (double)NT_NS_PER_S : 0;
}

static void end(struct nt_allocations *allocations, nt_time time)
{
	allocations->sampling.on = false;
	allocations->ended = time;
	allocations->sampling.interval_s += seconds(allocations->since, time);
}

void nt_allocations_source(struct nt_allocations *allocations, const struct nt_ev_source_state *state, nt_time time)
{
	/* One that is starting again, because it is asked for something else besides, goes on with what it brings. */
	bool goes_on = state->state == NT_STATE_DELIVERING || (state->state == NT_STATE_STARTING && allocations->promised);
	bool samples = goes_on && state->brings & NT_WANT_ALLOC_SAMPLES;
	if (samples && !allocations->sampling.on)
		begin(allocations, time);
	else if (!samples && allocations->promised && allocations->sampling.on)
		end(allocations, time);
	allocations->promised = samples;
}

static void note_silence(struct nt_allocations *allocations, nt_time now)
{
	if (allocations->sampling.on && !allocations->promised && now > allocations->last_sample + silence_ns)
		end(allocations, allocations->last_sample);
}

/* ---- samples ---- */

static struct nt_alloc_type *type_new(struct nt_allocations *allocations, uint64_t id, const char *name)
{
	allocations->items = nt_grow(allocations->items, &allocations->capacity, allocations->count + 1, sizeof(*allocations->items));
	struct nt_alloc_type *type = &allocations->items[allocations->count];
	*type = (struct nt_alloc_type){ .row = { .id = id, .type = name, .fresh = true } };
	nt_index_put(&allocations->by_type, id, (uint32_t)allocations->count++);
	return type;
}

/* Events tell of a type within another one its own name alone, so there may be several of that name. */
static struct nt_alloc_type *type_of(struct nt_allocations *allocations, const char *name, size_t length, uint64_t type_id,
				     const struct nt_names *names)
{
	bool within = type_id && nt_type_names_may_be_within(name, length);
	uint64_t id = nt_hash_bytes(name, length) ^ (within ? nt_hash_number(type_id) : 0);
	uint32_t index = nt_index_get(&allocations->by_type, id);
	if (index != NT_INDEX_NONE)
		return &allocations->items[index];
	if (allocations->count >= NT_ALLOC_TYPES && name != other_types)
		return type_of(allocations, other_types, strlen(other_types), 0, names);
	struct nt_alloc_type *type = type_new(allocations, id, nt_type_names_keep(names, name, length));
	if (within) {
		type->type_id = type_id;
		type->own_name = nt_type_names_own(name, length);
	}
	return type;
}

static void note_time(struct nt_allocations *allocations, nt_time time)
{
	/* What was said of the end holds at once; samples wait for their interval. */
	if (!allocations->sampling.on && time > allocations->ended)
		begin(allocations, time);
	/* The first samples may have been taken before the source could say that it samples. */
	if (time < allocations->begun && allocations->since == allocations->begun)
		allocations->since = allocations->begun = time;
	if (time > allocations->last_sample)
		allocations->last_sample = time;
}

static const double most_bytes = 0x1p50; /* of one sample: beyond is nonsense of a recording */

void nt_allocations_sampled(struct nt_allocations *allocations, const struct nt_event *event, nt_text_ref type, nt_site_ref stack,
			    const struct nt_names *names)
{
	bool tick = event->kind == NT_EV_ALLOC_TICK;
	const struct nt_alloc_sums sums = tick ? nt_alloc_sums_of_tick(&event->u.alloc) : nt_alloc_sums_of(&event->u.alloc);
	size_t length;
	uint64_t type_id = event->u.alloc.type_id;
	const char *name = nt_heap_get(names->heap, type, &length);
	if (!length) { /* one row for all of them: no answer could be compared with a name */
		name = no_type;
		length = strlen(no_type);
		type_id = 0;
	}
	note_time(allocations, event->time);
	struct nt_alloc_type *item = type_of(allocations, name, length, type_id, names);
	nt_alloc_sums_add(&item->row.figures.interval, &sums, 1);
	nt_alloc_sums_add(&allocations->sampling.figures.interval, &sums, 1);
	if (sums.bytes < most_bytes)
		nt_alloc_sites_sampled(&allocations->sites, (uint32_t)(item - allocations->items), stack, &sums);
}

/* ---- whole names ---- */

void nt_allocations_typed(struct nt_allocations *allocations, uint64_t type_id, const char *raw, size_t length,
			  const struct nt_names *names)
{
	uint64_t own_name = nt_type_names_own(raw, length);
	for (size_t i = 0; type_id && i < allocations->count; i++) {
		struct nt_alloc_type *type = &allocations->items[i];
		if (type->type_id != type_id)
			continue;
		type->type_id = 0;
		/* Its memory may have another type by now, or none. */
		if (own_name && own_name == type->own_name)
			type->row.type = nt_type_names_keep(names, raw, length);
	}
}

void nt_allocations_ask(struct nt_allocations *allocations, uint32_t pid, struct nt_process_snapshot *process)
{
	enum { TIMES = 3, AT_ONCE = 64 };
	size_t count = 0;
	for (size_t i = 0; i < allocations->count && count < AT_ONCE; i++) {
		struct nt_alloc_type *type = &allocations->items[i];
		if (!type->type_id || type->asked == TIMES)
			continue;
		type->asked++;
		count++;
		process->questions = nt_realloc(process->questions, process->question_count + 1, sizeof(*process->questions));
		process->questions[process->question_count++] =
			(struct nt_question){ .pid = pid, .offset = type->type_id, .image = NT_TYPES_IMAGE };
	}
}

/* ---- showing ---- */

/* Where its bytes came from, those of the interval included. */
static void locate(struct nt_alloc_type *type, struct nt_sites *sites, struct nt_snapshot *snapshot)
{
	struct nt_alloc_row *row = &type->row;
	nt_site_counts_keep(&type->sites, sites, row->figures.interval.samples > 0);
	const struct nt_site_count *first = nt_site_counts_first(&type->sites);
	row->site = first->site.name;
	row->allocated_from = nt_sites_stack(sites, first->stack, snapshot);
	row->site_pct = (struct nt_f64){ 0 };
	if (row->site && row->figures.all.bytes > 0) {
		double share = (double)first->count / row->figures.all.bytes;
		row->site_pct = nt_f64_of(share < 1 ? 100 * share : 100); /* counts are never too low */
	}
}

static void close_row(struct nt_alloc_row *row, const struct nt_alloc_sampling *sampling, double decay)
{
	struct nt_f64 rate = { 0 };
	nt_alloc_figures_close(&row->figures, decay);
	if (sampling->interval_s > 0)
		rate = nt_f64_of(row->figures.interval.bytes / sampling->interval_s);
	nt_trend_push(&row->trend, rate);
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_alloc_row *x = a, *y = b;
	if (x->figures.window.bytes != y->figures.window.bytes)
		return x->figures.window.bytes > y->figures.window.bytes ? -1 : 1;
	int order = strcmp(x->type, y->type);
	return order ? order : x->id < y->id ? -1 : x->id > y->id;
}

static void close_time(struct nt_allocations *allocations, const struct nt_span *span)
{
	struct nt_alloc_sampling *sampling = &allocations->sampling;
	note_silence(allocations, span->t1);
	if (sampling->on)
		sampling->interval_s += seconds(allocations->since > span->t0 ? allocations->since : span->t0, span->t1);
	sampling->window_s = sampling->window_s * span->decay + sampling->interval_s;
	sampling->all_s += sampling->interval_s;
}

static void begin_interval(struct nt_allocations *allocations, nt_time t0)
{
	allocations->sampling.interval_s = 0;
	allocations->sampling.figures.interval = (struct nt_alloc_sums){ 0 };
	if (allocations->since < t0)
		allocations->since = t0;
}

void nt_allocations_close(struct nt_allocations *allocations, const struct nt_span *span, struct nt_sites *sites,
			  struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	close_time(allocations, span);
	nt_alloc_figures_close(&allocations->sampling.figures, span->decay);
	nt_alloc_sites_settle(&allocations->sites, sites);
	for (size_t i = 0; i < allocations->sites.from_count; i++) {
		const struct nt_alloc_from *from = &allocations->sites.from[i];
		struct nt_alloc_type *type = &allocations->items[from->type];
		nt_site_counts_add(&type->sites, sites, from->stack, (uint64_t)from->sums.bytes);
		nt_alloc_sites_add(&allocations->sites, sites, from, type->row.type);
	}
	process->alloc_sampling = allocations->sampling;
	nt_alloc_sites_close(&allocations->sites, sites, span->decay, snapshot, process);
	process->allocations = nt_realloc(NULL, allocations->count, sizeof(*process->allocations));
	process->allocation_count = allocations->count;
	for (size_t i = 0; i < allocations->count; i++) {
		struct nt_alloc_row *row = &allocations->items[i].row;
		close_row(row, &allocations->sampling, span->decay);
		locate(&allocations->items[i], sites, snapshot);
		process->allocations[i] = *row;
		row->figures.interval = (struct nt_alloc_sums){ 0 };
		row->fresh = false;
	}
	qsort(process->allocations, process->allocation_count, sizeof(*process->allocations), compare_rows);
	begin_interval(allocations, span->t1);
}

void nt_allocations_each_text(const struct nt_allocations *allocations, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < allocations->count; i++) {
		visit(allocations->items[i].row.type, context);
		visit(allocations->items[i].row.site, context);
		nt_site_counts_each_text(&allocations->items[i].sites, visit, context);
	}
	nt_alloc_sites_each_text(&allocations->sites, visit, context);
}
