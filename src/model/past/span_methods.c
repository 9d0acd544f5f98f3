// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_methods.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

void nt_span_methods_fini(struct nt_span_methods *methods)
{
	free(methods->rows);
	free(methods->counted);
	nt_index_fini(&methods->by_id);
	*methods = (struct nt_span_methods){ 0 };
}

bool nt_span_samples_are_told(const struct nt_snapshot *interval, const struct nt_process_snapshot *process)
{
	const struct nt_interval_samples *samples = &process->interval_samples;
	return samples->kept && !samples->left_out && !nt_is_partial(process->interval.cpu.samples_covered_ns, interval->t1 - interval->t0);
}

/* ---- counting ---- */

struct counting {
	struct nt_span_methods *methods;
	const struct nt_process_snapshot *process;
	struct nt_index rows;   /* owned: places of the interval's methods, by id */
	struct nt_index frames; /* owned: places of the frames of its samples, by nt_sample_frame() */
	uint32_t *numbers;      /* owned: of the row of each of these, and 1; 0 = not looked for yet */
	struct nt_arena *arena;
};

/* What a row of an interval says of the method itself. */
static struct nt_method_row method_of(const struct counting *counting, const struct nt_method_row *from)
{
	struct nt_method_row row = {
		.id = from->id,
		.name = nt_arena_copy(counting->arena, from->name),
		.raw_name = nt_arena_copy(counting->arena, from->raw_name),
		.module = nt_arena_copy(counting->arena, from->module),
		.reason = nt_arena_copy(counting->arena, from->reason),
		.thread = nt_arena_copy(counting->arena, from->thread),
		.caller = nt_arena_copy(counting->arena, from->caller),
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
		row.self_samples_all = from->weights[NT_SAMPLES_CPU].self_samples_all;
		row.total_samples_all = from->weights[NT_SAMPLES_CPU].total_samples_all;
	}
	return row;
}

/* Of one that the interval's list has not: a thread that waited for it is of no interest here, nor is who called it. */
static struct nt_method_row method_of_frame(const struct counting *counting, const struct nt_stack_frame *from)
{
	return (struct nt_method_row){ .id = from->id,
				       .name = nt_arena_copy(counting->arena, from->name),
				       .raw_name = nt_arena_copy(counting->arena, from->raw_name),
				       .module = nt_arena_copy(counting->arena, from->module),
				       .reason = nt_arena_copy(counting->arena, from->reason),
				       .sample_kind = NT_SAMPLES_CPU,
				       .kind = from->kind,
				       .tier = from->tier,
				       .own = from->own };
}

/* The newest interval with it names it: of those that list it, if there is one. */
static void name_method(const struct counting *counting, struct nt_method_row *row, uint64_t id, uint32_t frame)
{
	const struct nt_process_snapshot *process = counting->process;
	uint32_t listed = nt_index_get(&counting->rows, id);
	struct nt_method_row named = *row;
	if (listed != NT_INDEX_NONE && !row->total_samples_all)
		named = method_of(counting, &process->methods[listed]);
	else if (!row->id)
		named = method_of_frame(counting, &process->interval_samples.frames[frame]);
	named.self_samples = row->self_samples;
	named.total_samples = row->total_samples;
	*row = named;
}

/* The number of a method's row, made when new. */
static uint32_t number_of(struct nt_span_methods *methods, uint64_t id)
{
	uint32_t number = nt_index_get(&methods->by_id, id);
	if (number != NT_INDEX_NONE)
		return number;
	methods->rows = nt_grow(methods->rows, &methods->capacity, methods->count + 1, sizeof(*methods->rows));
	methods->counted = nt_grow(methods->counted, &methods->counted_capacity, methods->count + 1, sizeof(*methods->counted));
	number = (uint32_t)methods->count++;
	methods->rows[number] = (struct nt_method_row){ 0 };
	methods->counted[number] = 0;
	nt_index_put(&methods->by_id, id, number);
	return number;
}

/* The number of the row that a frame of the interval counts for. */
static uint32_t row_of(const struct counting *counting, uint64_t frame)
{
	uint32_t place = nt_index_get(&counting->frames, frame);
	nt_assert(place != NT_INDEX_NONE);
	if (counting->numbers[place])
		return counting->numbers[place] - 1;
	uint32_t number = number_of(counting->methods, nt_sample_method(frame));
	name_method(counting, &counting->methods->rows[number], nt_sample_method(frame), place);
	counting->numbers[place] = number + 1;
	return number;
}

/* Of recursion each method counts once. */
static void count_stack(const struct counting *counting, const struct nt_sample_stack *stack, uint64_t samples)
{
	struct nt_span_methods *methods = counting->methods;
	methods->stacks++;
	methods->samples += samples;
	for (uint32_t i = 0; i < stack->count; i++) {
		uint32_t number = row_of(counting, stack->frames[i]);
		methods->rows[number].self_samples += i ? 0 : samples;
		methods->rows[number].total_samples += methods->counted[number] == methods->stacks ? 0 : samples;
		methods->counted[number] = methods->stacks;
	}
}

/* How many samples of each stack are in [from, to): the caller's. NULL: there is no stack. */
static uint64_t *samples_by_stack(const struct nt_snapshot *interval, const struct nt_interval_samples *samples, nt_time from, nt_time to)
{
	uint64_t *by_stack = samples->stack_count ? nt_alloc(samples->stack_count * sizeof(*by_stack)) : NULL;
	for (uint32_t i = 0; i < samples->row_count; i++) {
		nt_time time = nt_sample_start(samples, &samples->rows[i], interval->t0, interval->t1);
		if (time >= from && time < to)
			by_stack[samples->rows[i].stack] += samples->rows[i].count;
	}
	return by_stack;
}

void nt_span_methods_add(struct nt_span_methods *methods, const struct nt_snapshot *interval, const struct nt_process_snapshot *process,
			 nt_time from, nt_time to, void *arena)
{
	const struct nt_interval_samples *samples = &process->interval_samples;
	uint64_t *by_stack = samples_by_stack(interval, samples, from, to);
	if (!by_stack)
		return;
	struct counting counting = { .methods = methods,
				     .process = process,
				     .arena = arena,
				     .numbers = nt_alloc(samples->frame_count * sizeof(*counting.numbers)) };
	for (size_t i = 0; i < process->method_count; i++)
		nt_index_put(&counting.rows, process->methods[i].id, (uint32_t)i);
	for (uint32_t i = 0; i < samples->frame_count; i++)
		nt_index_put(&counting.frames, nt_sample_frame(samples->frames[i].id, samples->frames[i].tier), i);
	for (uint32_t i = 0; i < samples->stack_count; i++)
		if (by_stack[i])
			count_stack(&counting, &samples->stacks[i], by_stack[i]);
	nt_index_fini(&counting.rows);
	nt_index_fini(&counting.frames);
	free(counting.numbers);
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
