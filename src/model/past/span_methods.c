// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_methods.h"

#include "base/alloc.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

void nt_span_methods_fini(struct nt_span_methods *methods)
{
	free(methods->rows);
	nt_index_fini(&methods->by_id);
	*methods = (struct nt_span_methods){ 0 };
}

/* ---- counting ---- */

struct counting {
	struct nt_span_methods *methods;
	const struct nt_process_snapshot *process;
	struct nt_index rows; /* owned: places of the interval's methods, by id */
	struct nt_arena *arena;
};

/* One that is in `before` already is not copied again: most names stay what they are. */
static const char *keep(const struct counting *counting, const char *text, const char *before)
{
	if (!text || (before && strcmp(text, before) == 0))
		return text ? before : NULL;
	return nt_arena_text(counting->arena, text, strlen(text));
}

/* What a row of an interval says of the method itself. */
static void take_names(const struct counting *counting, const struct nt_method_row *from, struct nt_method_row *to)
{
	const struct nt_method_row before = *to;
	*to = (struct nt_method_row){
		.id = from->id,
		.name = keep(counting, from->name, before.name),
		.raw_name = keep(counting, from->raw_name, before.raw_name),
		.module = keep(counting, from->module, before.module),
		.reason = keep(counting, from->reason, before.reason),
		.thread = keep(counting, from->thread, before.thread),
		.caller = keep(counting, from->caller, before.caller),
		.self_samples = before.self_samples,
		.total_samples = before.total_samples,
		.self_samples_all = from->self_samples_all,
		.total_samples_all = from->total_samples_all,
		.sample_kind = NT_SAMPLES_CPU,
		.kind = from->kind,
		.tier = from->tier,
		.naming = from->naming,
		.ended = from->ended,
		.own = from->own,
	};
	/* Of several kinds of samples in an interval the row's own figures may be of another. */
	if (from->weights) {
		to->self_samples_all = from->weights[NT_SAMPLES_CPU].self_samples_all;
		to->total_samples_all = from->weights[NT_SAMPLES_CPU].total_samples_all;
	}
}

/* NULL: the interval has no such row. */
static struct nt_method_row *row_of(const struct counting *counting, uint64_t id)
{
	struct nt_span_methods *methods = counting->methods;
	uint32_t place = nt_index_get(&counting->rows, id), number = nt_index_get(&methods->by_id, id);
	if (place == NT_INDEX_NONE)
		return NULL;
	if (number == NT_INDEX_NONE) {
		methods->rows = nt_grow(methods->rows, &methods->capacity, methods->count + 1, sizeof(*methods->rows));
		number = (uint32_t)methods->count++;
		methods->rows[number] = (struct nt_method_row){ 0 };
		nt_index_put(&methods->by_id, id, number);
	}
	take_names(counting, &counting->process->methods[place], &methods->rows[number]);
	return &methods->rows[number];
}

static void count_stack(const struct counting *counting, const struct nt_sample_stack *stack, uint64_t samples)
{
	for (uint32_t i = 0; i < stack->count; i++) {
		struct nt_method_row *row = row_of(counting, stack->methods[i]);
		if (!row)
			continue;
		row->total_samples += samples;
		row->self_samples += i ? 0 : samples;
	}
	counting->methods->samples += samples;
}

/* When a part of the interval begins, or one before or behind it that is as long. */
static nt_time start_of(const struct nt_snapshot *interval, int32_t part)
{
	nt_time length = interval->t1 - interval->t0, size = length / NT_INTERVAL_PARTS;
	if (part >= 0 && part < NT_INTERVAL_PARTS)
		return nt_interval_part_start(interval->t0, interval->t1, (unsigned)part);
	if (part >= NT_INTERVAL_PARTS)
		return interval->t1 + size * (nt_time)(part - NT_INTERVAL_PARTS);
	nt_time back = size * (nt_time) - (int64_t)part;
	return back < interval->t0 ? interval->t0 - back : 0;
}

void nt_span_methods_add(struct nt_span_methods *methods, const struct nt_snapshot *interval, const struct nt_process_snapshot *process,
			 nt_time from, nt_time to, void *arena)
{
	const struct nt_interval_samples *samples = &process->interval_samples;
	struct counting counting = { .methods = methods, .process = process, .arena = arena };
	uint64_t *by_stack = samples->stack_count ? nt_alloc(samples->stack_count * sizeof(*by_stack)) : NULL;
	for (uint32_t i = 0; i < samples->row_count; i++) {
		nt_time time = start_of(interval, samples->rows[i].part);
		if (time >= from && time < to)
			by_stack[samples->rows[i].stack] += samples->rows[i].count;
	}
	for (size_t i = 0; i < process->method_count && by_stack; i++)
		nt_index_put(&counting.rows, process->methods[i].id, (uint32_t)i);
	for (uint32_t i = 0; i < samples->stack_count; i++)
		if (by_stack[i])
			count_stack(&counting, &samples->stacks[i], by_stack[i]);
	nt_index_fini(&counting.rows);
	free(by_stack);
}

/* ---- filling ---- */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static int compare(const void *a, const void *b)
{
	const struct nt_method_row *x = a, *y = b;
	if (x->self_samples != y->self_samples)
		return x->self_samples > y->self_samples ? -1 : 1;
	if (x->total_samples != y->total_samples)
		return x->total_samples > y->total_samples ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void nt_span_methods_fill(const struct nt_span_methods *methods, void *arena, struct nt_process_snapshot *process)
{
	process->methods = NULL;
	process->method_count = methods->count;
	process->methods_hidden = 0;
	process->window_samples_milli = methods->samples * 1000;
	process->sample_kind = NT_SAMPLES_CPU;
	if (!methods->count)
		return;
	process->methods = memcpy(nt_arena_alloc(arena, methods->count * sizeof(*methods->rows)), methods->rows,
				  methods->count * sizeof(*methods->rows));
	for (size_t i = 0; i < methods->count; i++) {
		struct nt_method_row *row = &process->methods[i];
		row->window_self = (double)row->self_samples;
		row->window_total = (double)row->total_samples;
		row->self_pct = row->window_self_pct = percent(row->self_samples, methods->samples);
		row->total_pct = row->window_total_pct = percent(row->total_samples, methods->samples);
		row->all_self_pct = percent(row->self_samples_all, process->samples_all);
		row->all_total_pct = percent(row->total_samples_all, process->samples_all);
	}
	qsort(process->methods, methods->count, sizeof(*process->methods), compare);
}
