// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/event_teller.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/told_text.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/clr_shapes.h"
#include "decode/eventpipe/nettrace_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIME_TEXT = 40, CHAR_TEXT = 4 };

/*
 * Of a payload at most so many bytes of text become of each byte, ends included: of a time of 8 bytes become TIME_TEXT, of a GUID's 16 bytes NT_GUID_TEXT; of two bytes of UTF-16 three, of its end one.
 */
enum { TEXT_PER_BYTE = 5 };
_Static_assert(TEXT_PER_BYTE * sizeof(uint64_t) >= TIME_TEXT && TEXT_PER_BYTE * 2 * sizeof(uint64_t) >= NT_GUID_TEXT &&
		       TEXT_PER_BYTE * sizeof(uint16_t) >= CHAR_TEXT,
	       "no text is longer");

struct nt_event_teller {
	const struct nt_event_pattern *patterns;
	size_t pattern_count;
	bool no_payload;
	struct nt_event_sink sink;
	struct nt_arena *kinds; /* owned; of struct kind */
	struct nt_nettrace_values values;
	struct nt_told_field fields[NT_NETTRACE_VALUES_MAX];
	char *texts; /* owned; of the event that is being told */
	size_t text_capacity;
	uint64_t came, lost;
};

/* What is known of the kind of an event, found once: nettrace_meta.user. */
struct kind {
	const char *name;
	const struct nt_nettrace_field *fields;
	uint32_t field_count;
	bool wanted;
	bool plain_names; /* as of struct nt_told_event */
};

static bool is_plain(const char *name)
{
	size_t length = strlen(name);
	return *name != '#' && nt_text_plain_length(name, length) == length && !strpbrk(name, "\"\\");
}

/* `named`: elements of arrays have no name. */
static bool are_plain(const struct nt_nettrace_field *fields, uint32_t count, bool named)
{
	enum { FEW = 64 }; /* each is compared with each */
	if (count > FEW)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		bool is_object = fields[i].type == NT_NETTRACE_OBJECT;
		if (named && (!*fields[i].name || !is_plain(fields[i].name)))
			return false;
		for (uint32_t k = 0; named && k < i; k++)
			if (strcmp(fields[k].name, fields[i].name) == 0)
				return false;
		if ((is_object || fields[i].type == NT_NETTRACE_ARRAY) && !are_plain(fields[i].children, fields[i].child_count, is_object))
			return false;
	}
	return true;
}

static const struct kind *kind_of(struct nt_event_teller *teller, struct nt_nettrace_meta *meta)
{
	if (meta->user)
		return meta->user;
	const struct nt_clr_shape *shape = strcmp(meta->provider, NT_CLR_PROVIDER) == 0 ? nt_clr_shape_find(meta->id) : NULL;
	struct kind *kind = nt_arena_alloc(teller->kinds, sizeof(*kind));
	*kind = shape ? (struct kind){ .name = shape->name, .fields = shape->fields, .field_count = shape->field_count }
		      : (struct kind){ .name = meta->name, .fields = meta->fields, .field_count = meta->field_count };
	kind->plain_names = is_plain(meta->provider) && is_plain(kind->name) && are_plain(kind->fields, kind->field_count, true);
	for (size_t i = 0; i < teller->pattern_count; i++)
		kind->wanted |= nt_event_pattern_has(&teller->patterns[i], meta->provider, kind->name, meta->id);
	meta->user = kind;
	return kind;
}

/* A FILETIME, 100 ns since 1601, as ISO 8601 has it. */
static size_t put_file_time(uint64_t ticks, char text[TIME_TEXT])
{
	static const uint64_t ticks_per_s = 10000000, epoch_s = UINT64_C(11644473600); /* 1601 to 1970 */
	time_t seconds = (time_t)(ticks / ticks_per_s) - (time_t)epoch_s;
	struct tm parts;
	if (!gmtime_r(&seconds, &parts))
		parts = (struct tm){ 0 };
	size_t length = strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%S", &parts);
	return length + (size_t)snprintf(text + length, TIME_TEXT - length, ".%07uZ", (unsigned)(ticks % ticks_per_s));
}

static size_t put_char(uint64_t unit, char text[CHAR_TEXT])
{
	const uint8_t bytes[2] = { (uint8_t)unit, (uint8_t)(unit >> 8) };
	return nt_utf16_to_utf8(bytes, 1, text, CHAR_TEXT);
}

static bool has_sign(uint32_t type)
{
	return type == NT_NETTRACE_I8 || type == NT_NETTRACE_I16 || type == NT_NETTRACE_I32 || type == NT_NETTRACE_I64;
}

/* Returns the bytes of text that it took. */
static size_t fill_integer(const struct nt_nettrace_value *value, struct nt_told_field *field, char *text)
{
	uint64_t integer = value->value.u.integer;
	if (value->type == NT_NETTRACE_CHAR || value->type == NT_NETTRACE_DATETIME) {
		field->kind = NT_TOLD_TEXT;
		field->text = text;
		return (value->type == NT_NETTRACE_CHAR ? put_char(integer, text) : put_file_time(integer, text)) + 1;
	}
	field->kind = has_sign(value->type) ? NT_TOLD_SIGNED : value->type == NT_NETTRACE_BOOL ? NT_TOLD_BOOL : NT_TOLD_UNSIGNED;
	field->u = integer;
	return 0;
}

/* What is no value of one place: text, objects, arrays, bytes. Returns the bytes of text that it took. */
static size_t fill_other(const struct nt_nettrace_value *value, struct nt_told_field *field, char *text)
{
	field->kind = NT_TOLD_BYTES;
	field->byte_count = value->value.length;
	if (value->type == NT_NETTRACE_OBJECT) {
		field->kind = NT_TOLD_OBJECT;
	} else if (value->type == NT_NETTRACE_ARRAY) {
		field->kind = NT_TOLD_LIST;
		field->element_count = nt_nettrace_value_elements(value);
	} else if (value->value.type == NT_CLR_UTF16) {
		field->kind = NT_TOLD_TEXT;
		field->text = text;
		return nt_utf16_to_utf8(value->value.u.bytes, value->value.length / 2, text, value->value.length / 2 * 3 + 1) + 1;
	} else if (value->type == NT_NETTRACE_GUID && value->value.length == sizeof(uint64_t) * 2) {
		field->kind = NT_TOLD_TEXT;
		field->text = nt_guid_text(value->value.u.bytes, text);
		return NT_GUID_TEXT;
	}
	return 0;
}

static size_t fill(const struct nt_nettrace_value *value, struct nt_told_field *field, char *text)
{
	field->name = value->name;
	field->inner = value->inner;
	if (value->value.type == NT_CLR_INTEGER)
		return fill_integer(value, field, text);
	if (value->value.type != NT_CLR_REAL)
		return fill_other(value, field, text);
	field->kind = NT_TOLD_REAL;
	field->real = value->value.u.real;
	return 0;
}

static void on_event(void *context, const struct nt_nettrace_event *event)
{
	struct nt_event_teller *teller = context;
	const struct kind *kind = kind_of(teller, event->meta);
	teller->came++;
	if (!kind->wanted)
		return;
	enum nt_status status = nt_nettrace_values_read_nested(event, kind->fields, kind->field_count, &teller->values);
	size_t used = 0;
	teller->texts = nt_grow(teller->texts, &teller->text_capacity, (size_t)event->payload_length * TEXT_PER_BYTE + 1, 1);
	for (size_t i = 0; i < teller->values.count; i++)
		used += fill(&teller->values.items[i], &teller->fields[i], teller->texts + used);
	const struct nt_told_event told = { .provider = event->meta->provider,
					    .name = kind->name,
					    .id = event->meta->id,
					    .time = event->time,
					    .tid = event->thread,
					    .activity = { event->activity[0], event->activity[1] },
					    .payload_bytes = event->payload_length,
					    .addresses = event->stack ? event->stack->addresses : NULL,
					    .address_count = event->stack ? event->stack->count : 0,
					    .fields = teller->no_payload ? NULL : teller->fields,
					    .field_count = teller->no_payload ? 0 : teller->values.count,
					    .plain_names = kind->plain_names,
					    .left_bytes = teller->values.left_bytes,
					    .cut = status != NT_OK || teller->values.left_bytes || teller->values.passed_over };
	teller->sink.event(teller->sink.context, &told);
}

static void on_loss(void *context, const struct nt_nettrace_lost *lost)
{
	struct nt_event_teller *teller = context;
	teller->lost += lost->count;
	teller->sink.lost(teller->sink.context, lost->count, lost->until);
}

struct nt_event_teller *nt_event_teller_new(const struct nt_event_pattern *patterns, size_t count, bool no_payload,
					    const struct nt_event_sink *sink)
{
	struct nt_event_teller *teller = nt_alloc(sizeof(*teller));
	teller->patterns = patterns;
	teller->pattern_count = count;
	teller->no_payload = no_payload;
	teller->sink = *sink;
	teller->kinds = nt_arena_new();
	return teller;
}

void nt_event_teller_free(struct nt_event_teller *teller)
{
	if (!teller)
		return;
	nt_arena_free(teller->kinds);
	free(teller->texts);
	free(teller);
}

struct nt_nettrace_sink nt_event_teller_sink(struct nt_event_teller *teller)
{
	return (struct nt_nettrace_sink){ .context = teller, .event = on_event, .lost = on_loss };
}

uint64_t nt_event_teller_came(const struct nt_event_teller *teller)
{
	return teller->came;
}

uint64_t nt_event_teller_lost(const struct nt_event_teller *teller)
{
	return teller->lost;
}
