// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/event.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct nt_batch *nt_batch_new(enum nt_source_id source)
{
	struct nt_batch *batch = nt_alloc(sizeof(*batch));
	batch->source = source;
	nt_batch_reset(batch);
	return batch;
}

void nt_batch_free(struct nt_batch *batch)
{
	if (!batch)
		return;
	free(batch->events);
	free(batch->strs);
	free(batch->stacks);
	free(batch->lines);
	free(batch->places);
	free(batch->bytes);
	free(batch->addresses);
	free(batch);
}

/*
 * The lines of a whole perf map pass through once: the next batch need not begin with the room for them. Events come in bursts, too, but also in a stream of full
 * batches, where to ask for the room again and again would cost half as much as to decode them: it goes when one has come that needed little of it.
 */
static void give_back_burst(struct nt_batch *batch)
{
	batch->events = nt_shrink(batch->events, &batch->event_capacity, batch->event_count, sizeof(*batch->events));
	batch->strs = nt_shrink(batch->strs, &batch->str_capacity, batch->str_count, sizeof(*batch->strs));
	batch->stacks = nt_shrink(batch->stacks, &batch->stack_capacity, batch->stack_count, sizeof(*batch->stacks));
	batch->lines = nt_shrink(batch->lines, &batch->line_capacity, 0, sizeof(*batch->lines));
	batch->places = nt_shrink(batch->places, &batch->place_capacity, 0, sizeof(*batch->places));
	batch->bytes = nt_shrink(batch->bytes, &batch->byte_capacity, 0, 1);
	batch->addresses = nt_shrink(batch->addresses, &batch->address_capacity, batch->address_count, sizeof(*batch->addresses));
}

void nt_batch_reset(struct nt_batch *batch)
{
	give_back_burst(batch);
	batch->event_count = batch->str_count = batch->stack_count = 0;
	batch->line_count = batch->place_count = batch->byte_count = batch->address_count = 0;
	batch->pid = 0;
	batch->newest_ns = 0;
	batch->own_count = 0;
}

static void *copy_array(const void *from, size_t count, size_t size)
{
	void *to = nt_realloc(NULL, count, size);
	if (count)
		memcpy(to, from, count * size);
	return to;
}

struct nt_batch *nt_batch_copy(const struct nt_batch *batch)
{
	struct nt_batch *copy = nt_alloc(sizeof(*copy));
	*copy = *batch;
	copy->event_capacity = batch->event_count;
	copy->str_capacity = batch->str_count;
	copy->stack_capacity = batch->stack_count;
	copy->line_capacity = batch->line_count;
	copy->place_capacity = batch->place_count;
	copy->byte_capacity = batch->byte_count;
	copy->address_capacity = batch->address_count;
	copy->events = copy_array(batch->events, batch->event_count, sizeof(*batch->events));
	copy->strs = copy_array(batch->strs, batch->str_count, sizeof(*batch->strs));
	copy->stacks = copy_array(batch->stacks, batch->stack_count, sizeof(*batch->stacks));
	copy->lines = copy_array(batch->lines, batch->line_count, sizeof(*batch->lines));
	copy->places = copy_array(batch->places, batch->place_count, sizeof(*batch->places));
	copy->bytes = copy_array(batch->bytes, batch->byte_count, 1);
	copy->addresses = copy_array(batch->addresses, batch->address_count, sizeof(*batch->addresses));
	return copy;
}

/*
 * In two halves, each small enough for the compiler to write a few stores of 16 bytes; for the whole it would write `rep stos`, which takes many times as
 * long.
 */
static void clear(struct nt_event *event)
{
	enum { HALF = 64 };
	memset(event, 0, HALF);
	memset((char *)event + HALF, 0, sizeof(*event) - HALF);
}

/* Apart, so that an event that finds room costs no saving of registers. */
static __attribute__((noinline)) struct nt_event *add_to_full(struct nt_batch *batch, enum nt_event_kind kind, nt_time time, uint32_t pid,
							      uint32_t tid)
{
	batch->events = nt_grow(batch->events, &batch->event_capacity, batch->event_count + 1, sizeof(*batch->events));
	return nt_batch_add(batch, kind, time, pid, tid);
}

struct nt_event *nt_batch_add(struct nt_batch *batch, enum nt_event_kind kind, nt_time time, uint32_t pid, uint32_t tid)
{
	if (batch->event_count == batch->event_capacity)
		return add_to_full(batch, kind, time, pid, tid);
	struct nt_event *event = &batch->events[batch->event_count++];
	clear(event);
	event->kind = (uint16_t)kind;
	event->time = time;
	event->pid = pid;
	event->tid = tid;
	if (nt_event_is_own(kind))
		batch->own_count++;
	else if (time > batch->newest_ns && time != NT_TIME_UNKNOWN)
		batch->newest_ns = time;
	return event;
}

void nt_batch_take_back(struct nt_batch *batch)
{
	nt_assert(batch->event_count);
	batch->event_count--;
	if (nt_event_is_own(batch->events[batch->event_count].kind))
		batch->own_count--;
}

void nt_batch_leave_out(struct nt_batch *batch, bool (*stays)(const void *context, const struct nt_event *event), const void *context)
{
	size_t kept = 0;
	for (size_t i = 0; i < batch->event_count; i++) {
		const struct nt_event *event = &batch->events[i];
		if (stays(context, event))
			batch->events[kept++] = *event;
		else
			batch->own_count -= nt_event_is_own(event->kind);
	}
	batch->event_count = kept;
}

static void copy_name(struct nt_batch *batch, struct nt_batch_line *line, const char *text)
{
	nt_assert(batch->byte_count + line->length <= UINT32_MAX);
	batch->bytes = nt_grow(batch->bytes, &batch->byte_capacity, batch->byte_count + line->length, 1);
	memcpy(batch->bytes + batch->byte_count, text + line->offset, line->length);
	line->offset = (uint32_t)batch->byte_count;
	batch->byte_count += line->length;
}

/* The newest event, to which lines (or places) are added, of which there are so many by now. */
static struct nt_ev_code *newest_code(struct nt_batch *batch, bool places, size_t before)
{
	nt_assert(batch->event_count);
	struct nt_event *event = &batch->events[batch->event_count - 1];
	struct nt_ev_code *code = &event->u.code;
	nt_assert(event->kind == NT_EV_CODE && (code->map != 0) == places && code->first + code->count == before);
	return code;
}

static void append_lines(struct nt_batch *batch, const struct nt_batch_line *lines, size_t count, const char *text)
{
	batch->lines = nt_grow(batch->lines, &batch->line_capacity, batch->line_count + count, sizeof(*batch->lines));
	struct nt_batch_line *added = batch->lines + batch->line_count;
	memcpy(added, lines, count * sizeof(*added));
	batch->line_count += count;
	for (size_t i = 0; i < count; i++)
		copy_name(batch, &added[i], text);
}

void nt_batch_add_lines(struct nt_batch *batch, const struct nt_batch_line *lines, size_t count, const char *text)
{
	newest_code(batch, false, batch->line_count)->count += (uint32_t)count;
	append_lines(batch, lines, count, text);
}

void nt_batch_add_instructions(struct nt_batch *batch, const struct nt_batch_line *lines, size_t count, const char *text)
{
	nt_assert(batch->event_count);
	struct nt_event *event = &batch->events[batch->event_count - 1];
	nt_assert(event->kind == NT_EV_ASSEMBLY);
	event->u.assembly.first = (uint32_t)batch->line_count;
	event->u.assembly.count = (uint32_t)count;
	if (count)
		append_lines(batch, lines, count, text);
}

void nt_batch_add_told(struct nt_batch *batch, const char *fields, size_t length)
{
	nt_assert(batch->event_count && length <= UINT16_MAX);
	struct nt_event *event = &batch->events[batch->event_count - 1];
	nt_assert(event->kind == NT_EV_TOLD);
	if (!length)
		return;
	append_lines(batch, &(struct nt_batch_line){ .length = (uint16_t)length }, 1, fields);
	event->u.told.fields = (uint32_t)batch->line_count;
}

void nt_batch_add_source_lines(struct nt_batch *batch, const struct nt_batch_line *lines, size_t count, const char *text, size_t length)
{
	nt_assert(batch->event_count);
	struct nt_event *event = &batch->events[batch->event_count - 1];
	nt_assert(event->kind == NT_EV_SOURCE_LINES && batch->byte_count + length <= UINT32_MAX);
	event->u.source_lines.first = (uint32_t)batch->line_count;
	event->u.source_lines.count = (uint32_t)count;
	if (!count)
		return;
	batch->lines = nt_grow(batch->lines, &batch->line_capacity, batch->line_count + count, sizeof(*batch->lines));
	for (size_t i = 0; i < count; i++) {
		struct nt_batch_line *line = &batch->lines[batch->line_count++];
		*line = lines[i];
		line->offset += (uint32_t)batch->byte_count;
	}
	batch->bytes = nt_grow(batch->bytes, &batch->byte_capacity, batch->byte_count + length, 1);
	if (length)
		memcpy(batch->bytes + batch->byte_count, text, length);
	batch->byte_count += length;
}

static void append_places(struct nt_batch *batch, const struct nt_batch_place *places, size_t count)
{
	batch->places = nt_grow(batch->places, &batch->place_capacity, batch->place_count + count, sizeof(*batch->places));
	memcpy(batch->places + batch->place_count, places, count * sizeof(*places));
	batch->place_count += count;
}

void nt_batch_add_places(struct nt_batch *batch, const struct nt_batch_place *places, size_t count)
{
	newest_code(batch, true, batch->place_count)->count += (uint32_t)count;
	append_places(batch, places, count);
}

void nt_batch_add_il_map(struct nt_batch *batch, const struct nt_batch_place *places, size_t count)
{
	nt_assert(batch->event_count);
	struct nt_event *event = &batch->events[batch->event_count - 1];
	nt_assert(event->kind == NT_EV_IL_MAP);
	event->u.il_map.first = (uint32_t)batch->place_count;
	event->u.il_map.count = (uint32_t)count;
	if (count)
		append_places(batch, places, count);
}

void nt_batch_announce_str(struct nt_batch *batch, nt_str id, const char *text, size_t length)
{
	batch->strs = nt_grow(batch->strs, &batch->str_capacity, batch->str_count + 1, sizeof(*batch->strs));
	batch->bytes = nt_grow(batch->bytes, &batch->byte_capacity, batch->byte_count + length, 1);
	batch->strs[batch->str_count++] = (struct nt_batch_str){ .id = id, .length = (uint32_t)length, .offset = batch->byte_count };
	if (length)
		memcpy(batch->bytes + batch->byte_count, text, length);
	batch->byte_count += length;
}

void nt_batch_announce_stack(struct nt_batch *batch, nt_stack id, const uint64_t *addresses, unsigned kernel_count, unsigned count)
{
	nt_assert(kernel_count <= count && count <= UINT16_MAX);
	batch->stacks = nt_grow(batch->stacks, &batch->stack_capacity, batch->stack_count + 1, sizeof(*batch->stacks));
	batch->addresses = nt_grow(batch->addresses, &batch->address_capacity, batch->address_count + count, sizeof(*batch->addresses));
	batch->stacks[batch->stack_count++] = (struct nt_batch_stack){
		.id = id, .kernel_count = (uint16_t)kernel_count, .count = (uint16_t)count, .offset = batch->address_count
	};
	if (count)
		memcpy(batch->addresses + batch->address_count, addresses, count * sizeof(*addresses));
	batch->address_count += count;
}
