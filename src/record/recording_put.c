// SPDX-License-Identifier: GPL-2.0-only
#include "record/recording_put.h"

#include <string.h>

void nt_recording_put_init(struct nt_recording_put *put)
{
	*put = (struct nt_recording_put){ .out = { 0 } };
	nt_event_field_places_init(&put->places);
}

void nt_recording_put_fini(struct nt_recording_put *put)
{
	nt_text_buffer_fini(&put->out);
	nt_text_buffer_fini(&put->record);
}

void nt_recording_put_frame(struct nt_recording_put *put)
{
	put->out.length = 0;
	put->before = (struct nt_recorded_before){ 0 };
}

static void put_difference(struct nt_text_buffer *out, uint64_t value, uint64_t before)
{
	nt_text_put_varint(out, nt_zigzag(value - before));
}

/* What is in `record` becomes one. */
static void end_record(struct nt_recording_put *put, enum nt_recorded type)
{
	nt_text_put_char(&put->out, (char)type);
	nt_text_put_varint(&put->out, put->record.length);
	nt_text_put_bytes(&put->out, put->record.bytes, put->record.length);
	put->record.length = 0;
}

/* ---- settings and ticks ---- */

void nt_recording_put_settings(struct nt_recording_put *put, const struct nt_model_config *config, int64_t realtime_offset_ns)
{
	struct nt_text_buffer *out = &put->record;
	nt_text_put_varint(out, config->pid);
	nt_text_put_varint(out, config->start);
	nt_text_put_varint(out, config->interval_ns);
	nt_text_put_varint(out, config->watermark_ns);
	nt_text_put_varint(out, config->window_half_life);
	nt_text_put_varint(out, config->history_limit);
	nt_text_put_varint(out, config->site_frames);
	nt_text_put_varint(out, config->text_slack_bytes);
	put_difference(out, (uint64_t)realtime_offset_ns, 0);
	end_record(put, NT_RECORDED_SETTINGS);
}

void nt_recording_put_tick(struct nt_recording_put *put, const struct nt_tick *tick)
{
	struct nt_text_buffer *out = &put->record;
	put_difference(out, tick->now, put->before.tick);
	nt_text_put_char(out, (char)tick->how);
	nt_text_put_char(out, tick->complete);
	put->before.tick = tick->now;
	end_record(put, NT_RECORDED_TICK);
}

void nt_recording_put_note(struct nt_recording_put *put, const char *note)
{
	nt_text_put(&put->record, note);
	end_record(put, NT_RECORDED_NOTE);
}

/* ---- batches ---- */

static void put_addresses(struct nt_text_buffer *out, const struct nt_batch *batch)
{
	nt_text_put_varint(out, batch->address_count);
	for (size_t i = 0; i < batch->address_count; i++)
		put_difference(out, batch->addresses[i], i ? batch->addresses[i - 1] : 0);
}

static void put_strs(struct nt_text_buffer *out, const struct nt_batch *batch)
{
	uint64_t end = 0;
	nt_text_put_varint(out, batch->str_count);
	for (size_t i = 0; i < batch->str_count; i++) {
		const struct nt_batch_str *str = &batch->strs[i];
		nt_text_put_varint(out, str->id);
		nt_text_put_varint(out, str->length);
		put_difference(out, str->offset, end);
		end = str->offset + str->length;
	}
}

static void put_stacks(struct nt_text_buffer *out, const struct nt_batch *batch)
{
	uint64_t end = 0;
	nt_text_put_varint(out, batch->stack_count);
	for (size_t i = 0; i < batch->stack_count; i++) {
		const struct nt_batch_stack *stack = &batch->stacks[i];
		nt_text_put_varint(out, stack->id);
		nt_text_put_varint(out, stack->count);
		nt_text_put_varint(out, stack->kernel_count);
		put_difference(out, stack->offset, end);
		end = stack->offset + stack->count;
	}
}

static void put_lines(struct nt_text_buffer *out, const struct nt_batch *batch)
{
	uint64_t end = 0;
	nt_text_put_varint(out, batch->line_count);
	for (size_t i = 0; i < batch->line_count; i++) {
		const struct nt_batch_line *line = &batch->lines[i];
		put_difference(out, line->start, i ? line[-1].start : 0);
		nt_text_put_varint(out, line->size);
		nt_text_put_varint(out, line->length);
		nt_text_put_varint(out, line->kind);
		put_difference(out, line->offset, end);
		end = (uint64_t)line->offset + line->length;
	}
}

static void put_places(struct nt_text_buffer *out, const struct nt_batch *batch)
{
	nt_text_put_varint(out, batch->place_count);
	for (size_t i = 0; i < batch->place_count; i++) {
		const struct nt_batch_place *place = &batch->places[i];
		put_difference(out, place->start, i ? place[-1].start : 0);
		nt_text_put_varint(out, place->size);
		nt_text_put_varint(out, place->offset);
	}
}

static void put_tag(struct nt_text_buffer *out, const struct nt_event_field *field, enum nt_recorded_value value)
{
	nt_text_put_varint(out, (uint64_t)field->number << 2 | value);
}

static void put_one(struct nt_text_buffer *out, const struct nt_event_field *field, uint64_t value)
{
	if (!value)
		return;
	put_tag(out, field, NT_RECORDED_NUMBER);
	nt_text_put_varint(out, value);
}

static void put_list(struct nt_text_buffer *out, const struct nt_event *event, const struct nt_event_field *field)
{
	bool any = false;
	for (size_t i = 0; i < field->count; i++)
		any |= nt_event_field_get(event, field, i) != 0;
	if (!any)
		return;
	put_tag(out, field, NT_RECORDED_LIST);
	nt_text_put_varint(out, field->count);
	for (size_t i = 0; i < field->count; i++)
		nt_text_put_varint(out, nt_event_field_get(event, field, i));
}

static void put_field(struct nt_text_buffer *out, const struct nt_event *event, const struct nt_event_field *field)
{
	uint64_t value = nt_event_field_get(event, field, 0);
	switch ((enum nt_event_field_type)field->type) {
	case NT_EVENT_FIELD_TIME:
		if (value) {
			put_tag(out, field, NT_RECORDED_NUMBER);
			put_difference(out, value, event->time);
		}
		break;
	case NT_EVENT_FIELD_F64:
		if (value) {
			put_tag(out, field, NT_RECORDED_EIGHT);
			nt_text_put_bytes(out, (const char *)&value, sizeof(value));
		}
		break;
	case NT_EVENT_FIELD_U32S:
	case NT_EVENT_FIELD_U64S:
		put_list(out, event, field);
		break;
	default:
		put_one(out, field, value);
		break;
	}
}

static void put_event(struct nt_recording_put *put, const struct nt_event *event)
{
	struct nt_text_buffer *out = &put->record;
	struct nt_recorded_before *before = &put->before;
	unsigned says = (event->beside ? NT_RECORDED_BESIDE : 0) | (event->version ? NT_RECORDED_VERSION : 0) |
			(event->pid != before->pid ? NT_RECORDED_PID : 0) | (event->tid != before->tid ? NT_RECORDED_TID : 0) |
			(event->stack ? NT_RECORDED_STACK : 0);
	nt_text_put_varint(out, event->kind);
	nt_text_put_char(out, (char)says);
	put_difference(out, event->time, before->time);
	if (says & NT_RECORDED_VERSION)
		nt_text_put_char(out, (char)event->version);
	if (says & NT_RECORDED_PID)
		nt_text_put_varint(out, event->pid);
	if (says & NT_RECORDED_TID)
		nt_text_put_varint(out, event->tid);
	if (says & NT_RECORDED_STACK)
		nt_text_put_varint(out, event->stack);
	before->time = event->time;
	before->pid = event->pid;
	before->tid = event->tid;
	nt_assert(nt_event_kind_exists(event->kind));
	const struct nt_event_field *fields = nt_event_fields + put->places.first[event->kind];
	for (size_t i = 0; i < put->places.count[event->kind]; i++)
		put_field(out, event, &fields[i]);
	nt_text_put_char(out, 0);
}

bool nt_recording_put_batch(struct nt_recording_put *put, const struct nt_batch *batch)
{
	struct nt_text_buffer *out = &put->record;
	const struct nt_recorded_before before = put->before;
	nt_text_put_varint(out, batch->source);
	nt_text_put_varint(out, batch->pid);
	nt_text_put_varint(out, batch->epoch);
	nt_text_put_varint(out, batch->byte_count);
	nt_text_put_bytes(out, batch->byte_count ? batch->bytes : "", batch->byte_count);
	put_addresses(out, batch);
	put_strs(out, batch);
	put_stacks(out, batch);
	put_lines(out, batch);
	put_places(out, batch);
	nt_text_put_varint(out, batch->event_count);
	for (size_t i = 0; i < batch->event_count; i++)
		put_event(put, &batch->events[i]);
	if (batch->event_count > NT_RECORDING_EVENTS_MAX || out->length > NT_RECORDING_FRAME_MAX / 2) {
		out->length = 0;
		put->before = before;
		return false;
	}
	end_record(put, NT_RECORDED_BATCH);
	return true;
}
