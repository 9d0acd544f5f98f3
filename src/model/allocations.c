// SPDX-License-Identifier: GPL-2.0-only
#include "model/allocations.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/alloc_sample.h"
#include "model/trend.h"
#include "nettop/source.h"

#include <stdlib.h>
#include <string.h>

static const char no_type[] = "(type not said)";
static const char other_types[] = "(other types)";

/* A source that promises nothing (LTTng) has stopped sampling when no sample came for so long. */
static const nt_time silence_ns = 3 * NT_NS_PER_S;

/* What is left of a row in the window when nothing of it is to be seen any more, in samples. */
static const double nothing_left = 0.01;

void nt_allocations_init(struct nt_allocations *allocations)
{
	*allocations = (struct nt_allocations){ 0 };
}

void nt_allocations_fini(struct nt_allocations *allocations)
{
	free(allocations->items);
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
		allocations->items[i].figures.window = (struct nt_alloc_sums){ 0 };
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

static struct nt_alloc_row *row_new(struct nt_allocations *allocations, uint64_t id, const char *type)
{
	allocations->items = nt_grow(allocations->items, &allocations->capacity, allocations->count + 1, sizeof(*allocations->items));
	struct nt_alloc_row *row = &allocations->items[allocations->count];
	*row = (struct nt_alloc_row){ .id = id, .type = type, .fresh = true };
	nt_index_put(&allocations->by_type, id, (uint32_t)allocations->count++);
	return row;
}

static struct nt_alloc_row *row_of(struct nt_allocations *allocations, const char *type, size_t length, const struct nt_names *names)
{
	uint64_t id = nt_hash_bytes(type, length);
	uint32_t index = nt_index_get(&allocations->by_type, id);
	if (index != NT_INDEX_NONE)
		return &allocations->items[index];
	if (allocations->count >= NT_ALLOC_TYPES && type != other_types)
		return row_of(allocations, other_types, strlen(other_types), names);
	return row_new(allocations, id, nt_texts_intern(names->texts, type, nt_utf8_cut(type, length, NT_ALLOC_TYPE_BYTES)));
}

void nt_allocations_sampled(struct nt_allocations *allocations, const struct nt_event *event, nt_text_ref type,
			    const struct nt_names *names)
{
	size_t length;
	const char *text = nt_heap_get(names->heap, type, &length);
	if (!length) {
		text = no_type;
		length = strlen(no_type);
	}
	/* What was said of the end holds at once; samples wait for their interval. */
	if (!allocations->sampling.on && event->time > allocations->ended)
		begin(allocations, event->time);
	/* The first samples may have been taken before the source could say that it samples. */
	if (event->time < allocations->begun && allocations->since == allocations->begun)
		allocations->since = allocations->begun = event->time;
	if (event->time > allocations->last_sample)
		allocations->last_sample = event->time;
	const struct nt_alloc_sums sums = nt_alloc_sums_of(&event->u.alloc);
	nt_alloc_sums_add(&row_of(allocations, text, length, names)->figures.interval, &sums, 1);
	nt_alloc_sums_add(&allocations->sampling.figures.interval, &sums, 1);
}

/* ---- showing ---- */

/* The interval is over: into the window and the total with it. */
static void close_figures(struct nt_alloc_figures *figures, double decay)
{
	struct nt_alloc_sums before = figures->window;
	figures->window = figures->interval;
	nt_alloc_sums_add(&figures->window, &before, decay);
	if (figures->window.samples < nothing_left)
		figures->window = (struct nt_alloc_sums){ 0 };
	nt_alloc_sums_add(&figures->all, &figures->interval, 1);
}

static void close_row(struct nt_alloc_row *row, const struct nt_alloc_sampling *sampling, double decay)
{
	struct nt_f64 rate = { 0 };
	close_figures(&row->figures, decay);
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

void nt_allocations_close(struct nt_allocations *allocations, const struct nt_span *span, struct nt_process_snapshot *process)
{
	struct nt_alloc_sampling *sampling = &allocations->sampling;
	note_silence(allocations, span->t1);
	if (sampling->on)
		sampling->interval_s += seconds(allocations->since > span->t0 ? allocations->since : span->t0, span->t1);
	sampling->window_s = sampling->window_s * span->decay + sampling->interval_s;
	sampling->all_s += sampling->interval_s;
	close_figures(&sampling->figures, span->decay);
	process->alloc_sampling = *sampling;
	process->allocations = nt_realloc(NULL, allocations->count, sizeof(*process->allocations));
	process->allocation_count = allocations->count;
	for (size_t i = 0; i < allocations->count; i++) {
		struct nt_alloc_row *row = &allocations->items[i];
		close_row(row, sampling, span->decay);
		process->allocations[i] = *row;
		row->figures.interval = (struct nt_alloc_sums){ 0 };
		row->fresh = false;
	}
	qsort(process->allocations, process->allocation_count, sizeof(*process->allocations), compare_rows);
	sampling->interval_s = 0;
	sampling->figures.interval = (struct nt_alloc_sums){ 0 };
	if (allocations->since < span->t1)
		allocations->since = span->t1;
}
