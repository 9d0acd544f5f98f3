// SPDX-License-Identifier: GPL-2.0-only
#include "output/events/event_json.h"

#include "base/text.h"
#include "base/told_text.h"
#include "nettop/snapshot.h"
#include "nettop/status.h"

#include <math.h>
#include <stdlib.h>

static void put_value(struct nt_text_buffer *out, const struct nt_told_field *field, bool plain_names);

static void put_time(struct nt_text_buffer *out, nt_time time, int64_t realtime_offset_ns)
{
	nt_text_put(out, ",\"time_unix_ns\":");
	if (time == NT_TIME_UNKNOWN)
		nt_text_put(out, "null");
	else
		nt_text_put_signed(out, (int64_t)time + realtime_offset_ns);
}

/* ---- names of members ---- */

/* What the escaping would leave as it is, and could not make equal to another one. */
static bool is_plain(const char *name)
{
	while (*name >= ' ' && *name < 0x7f && *name != '\\')
		name++;
	return !*name;
}

static bool is_same(const char *a, const char *b)
{
	if (is_plain(a) && is_plain(b))
		return strcmp(a, b) == 0;
	char *left = nt_text_escaped(a, strlen(a)), *right = nt_text_escaped(b, strlen(b));
	bool same = strcmp(left, right) == 0;
	free(left);
	free(right);
	return same;
}

/* A member that has no name, or one that another has before it, is called by its number; so is one whose name looks like a number of that kind. */
static bool has_name(const struct nt_told_field *first, const struct nt_told_field *field)
{
	if (!*field->name || *field->name == '#')
		return false;
	for (; first < field; first = nt_told_field_next(first))
		if (is_same(first->name, field->name))
			return false;
	return true;
}

static void put_name(struct nt_text_buffer *out, const char *name, bool plain)
{
	if (!plain) {
		nt_text_put_json(out, name);
		return;
	}
	nt_text_put_char(out, '"');
	nt_text_put(out, name);
	nt_text_put_char(out, '"');
}

static void put_members(struct nt_text_buffer *out, const struct nt_told_field *first, const struct nt_told_field *end, bool plain_names)
{
	uint64_t number = 0;
	nt_text_put_char(out, '{');
	for (const struct nt_told_field *field = first; field < end; field = nt_told_field_next(field), number++) {
		if (number)
			nt_text_put_char(out, ',');
		if (plain_names || has_name(first, field)) {
			put_name(out, field->name, plain_names);
		} else {
			nt_text_put(out, "\"#");
			nt_text_put_unsigned(out, number);
			nt_text_put_char(out, '"');
		}
		nt_text_put_char(out, ':');
		put_value(out, field, plain_names);
	}
	nt_text_put_char(out, '}');
}

static void put_elements(struct nt_text_buffer *out, const struct nt_told_field *first, const struct nt_told_field *end, bool plain_names)
{
	nt_text_put_char(out, '[');
	for (const struct nt_told_field *field = first; field < end; field = nt_told_field_next(field)) {
		if (field > first)
			nt_text_put_char(out, ',');
		put_value(out, field, plain_names);
	}
	nt_text_put_char(out, ']');
}

static void put_value(struct nt_text_buffer *out, const struct nt_told_field *field, bool plain_names)
{
	switch (field->kind) {
	case NT_TOLD_UNSIGNED:
		/* Readers of JSON have numbers of 64 bits with a sign, or reals. */
		if (field->u <= INT64_MAX)
			nt_text_put_unsigned(out, field->u);
		else
			nt_text_put_exact(out, (double)field->u);
		return;
	case NT_TOLD_SIGNED:
		nt_text_put_signed(out, field->i);
		return;
	case NT_TOLD_BOOL:
		nt_text_put(out, field->u ? "true" : "false");
		return;
	case NT_TOLD_REAL:
		if (isfinite(field->real))
			nt_text_put_exact(out, field->real);
		else
			nt_text_put(out, "null");
		return;
	case NT_TOLD_TEXT:
		nt_text_put_json(out, field->text);
		return;
	case NT_TOLD_LIST:
		put_elements(out, field + 1, nt_told_field_next(field), plain_names);
		return;
	case NT_TOLD_OBJECT:
		put_members(out, field + 1, nt_told_field_next(field), plain_names);
		return;
	case NT_TOLD_BYTES:
		break;
	}
	nt_text_put(out, "null");
}

/* ---- an event ---- */

static void put_activity(struct nt_text_buffer *out, const uint64_t activity[2])
{
	char text[NT_GUID_TEXT];
	if (activity[0] || activity[1])
		nt_text_put_json(out, nt_guid_text(activity, text));
	else
		nt_text_put(out, "null");
}

void nt_event_json_put(struct nt_text_buffer *out, const struct nt_told_event *event, int64_t realtime_offset_ns)
{
	nt_text_put(out, "{\"type\":\"event\"");
	put_time(out, event->time, realtime_offset_ns);
	nt_text_put(out, ",\"provider\":");
	put_name(out, event->provider, event->plain_names);
	nt_text_put(out, ",\"name\":");
	if (*event->name)
		put_name(out, event->name, event->plain_names);
	else
		nt_text_put(out, "null");
	nt_text_put(out, ",\"id\":");
	nt_text_put_unsigned(out, event->id);
	nt_text_put(out, ",\"tid\":");
	nt_text_put_unsigned(out, event->tid);
	nt_text_put(out, ",\"activity\":");
	put_activity(out, event->activity);
	nt_text_put(out, ",\"fields\":");
	put_members(out, event->fields, event->fields + event->field_count, event->plain_names);
	nt_text_put(out, event->cut ? ",\"cut\":true}" : ",\"cut\":false}");
}

static void put_frame(struct nt_text_buffer *out, const struct nt_call_frame *frame)
{
	nt_text_put(out, "{\"method\":");
	nt_text_put_json(out, frame->name);
	nt_text_put(out, ",\"module\":");
	if (frame->module)
		nt_text_put_json(out, frame->module);
	else
		nt_text_put(out, "null");
	nt_text_put(out, frame->native ? ",\"native\":true}" : ",\"native\":false}");
}

void nt_event_json_put_stack(struct nt_text_buffer *out, const struct nt_call_stack *stack)
{
	nt_assert(out->length && out->bytes[out->length - 1] == '}');
	out->length--;
	nt_text_put(out, stack ? ",\"stack\":[" : ",\"stack\":null");
	for (uint32_t i = 0; stack && i < stack->count; i++) {
		if (i)
			nt_text_put_char(out, ',');
		put_frame(out, &stack->frames[i]);
	}
	nt_text_put(out, !stack ? ",\"stack_cut\":false}" : stack->cut ? "],\"stack_cut\":true}" : "],\"stack_cut\":false}");
}

static void put_count(struct nt_text_buffer *out, const char *type, uint64_t count, nt_time time, int64_t realtime_offset_ns)
{
	nt_text_put(out, "{\"type\":\"");
	nt_text_put(out, type);
	nt_text_put(out, "\",\"count\":");
	nt_text_put_unsigned(out, count);
	put_time(out, time, realtime_offset_ns);
	nt_text_put_char(out, '}');
}

void nt_event_json_put_more(struct nt_text_buffer *out, uint64_t count, nt_time time, int64_t realtime_offset_ns)
{
	put_count(out, "more", count, time, realtime_offset_ns);
}

void nt_event_json_put_lost(struct nt_text_buffer *out, uint64_t count, nt_time time, int64_t realtime_offset_ns)
{
	put_count(out, "lost", count, time, realtime_offset_ns);
}

void nt_event_json_put_gap(struct nt_text_buffer *out, nt_time time, int64_t realtime_offset_ns)
{
	nt_text_put(out, "{\"type\":\"lost\",\"count\":null");
	put_time(out, time, realtime_offset_ns);
	nt_text_put_char(out, '}');
}
