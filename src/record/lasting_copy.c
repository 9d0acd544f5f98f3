// SPDX-License-Identifier: GPL-2.0-only
#include "record/lasting_copy.h"

/* Lies [first, first + count) in what has so many? What was recorded need not be so. */
static bool lies_in(size_t all, uint32_t first, uint32_t count)
{
	return first <= all && count <= all - first;
}

static void copy_code(struct nt_batch *to, const struct nt_batch *from, const struct nt_ev_code *code)
{
	struct nt_ev_code *added = &to->events[to->event_count - 1].u.code;
	added->first = (uint32_t)(code->map ? to->place_count : to->line_count);
	added->count = 0;
	if (code->map && lies_in(from->place_count, code->first, code->count))
		nt_batch_add_places(to, from->places + code->first, code->count);
	else if (!code->map && lies_in(from->line_count, code->first, code->count))
		nt_batch_add_lines(to, from->lines + code->first, code->count, from->bytes);
}

/* The names of files, which several lines share, are copied as a piece. */
static void copy_source_lines(struct nt_batch *to, const struct nt_batch *from, const struct nt_ev_source_lines *asked)
{
	size_t count = lies_in(from->line_count, asked->first, asked->count) ? asked->count : 0;
	nt_batch_add_source_lines(to, from->lines + (count ? asked->first : 0), count, from->bytes, count ? from->byte_count : 0);
}

void nt_lasting_copy_str(struct nt_batch *to, const struct nt_batch *from, size_t index)
{
	nt_batch_announce_str(to, from->strs[index].id, from->bytes + from->strs[index].offset, from->strs[index].length);
}

void nt_lasting_copy_stack(struct nt_batch *to, const struct nt_batch *from, size_t index)
{
	const struct nt_batch_stack *stack = &from->stacks[index];
	nt_batch_announce_stack(to, stack->id, from->addresses + stack->offset, stack->kernel_count, stack->count);
}

void nt_lasting_copy_event(struct nt_batch *to, const struct nt_batch *from, const struct nt_event *event)
{
	struct nt_event *added = nt_batch_add(to, (enum nt_event_kind)event->kind, event->time, event->pid, event->tid);
	*added = *event;
	switch (event->kind) {
	case NT_EV_CODE:
		copy_code(to, from, &event->u.code);
		break;
	case NT_EV_ASSEMBLY:
		if (lies_in(from->line_count, event->u.assembly.first, event->u.assembly.count))
			nt_batch_add_instructions(to, from->lines + event->u.assembly.first, event->u.assembly.count, from->bytes);
		break;
	case NT_EV_IL_MAP:
		if (lies_in(from->place_count, event->u.il_map.first, event->u.il_map.count))
			nt_batch_add_il_map(to, from->places + event->u.il_map.first, event->u.il_map.count);
		break;
	case NT_EV_SOURCE_LINES:
		copy_source_lines(to, from, &event->u.source_lines);
		break;
	default:
		break;
	}
}

void nt_lasting_each_id(const struct nt_event_field_places *places, const struct nt_event *event, nt_lasting_visit *visit, void *context)
{
	const struct nt_event_field *fields = nt_event_fields + places->first[event->kind];
	if (event->stack)
		visit(context, true, event->stack);
	for (size_t i = 0; i < places->count[event->kind]; i++) {
		bool is_stack = fields[i].type == NT_EVENT_FIELD_STACK;
		uint32_t id = is_stack || fields[i].type == NT_EVENT_FIELD_STR ? (uint32_t)nt_event_field_get(event, &fields[i], 0) : 0;
		if (id)
			visit(context, is_stack, id);
	}
}
