// SPDX-License-Identifier: GPL-2.0-only
#include "decode/clr/clr_payload.h"

#include "base/text.h"
#include "base/text_buffer.h"
#include "decode/names/display_parts.h"

#include <string.h>

/* A null text, as EventPipe writes it (NULL_TEXT in clr_events.def). */
static const char null_text[] = "NULL";

/* Events whose newest version has fields that nettop does not keep, and that say something wrong when they are 0. */
enum { NEVER = -1 };
static const struct {
	const char *base;
	int version; /* the newest one that is whole */
} limits[] = {
	{ "GCStart", 1 },              /* ClientSequenceNumber */
	{ "GCGlobalHeapHistory", 2 },  /* CondemnReasons */
	{ "GCPerHeapHistory", NEVER }, /* all generations one by one: of most of it the sum is kept */
	{ "ThreadPoolWorkerThreadAdjustmentStats", NEVER },
	{ "ThreadPoolMinMaxThreads", NEVER },
	{ "ExceptionFilterStart", NEVER }, /* which filter */
	{ "ExceptionFilterStop", NEVER },
};

static int newest_whole(const struct nt_clr_desc *desc)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (strcmp(limits[i].base, desc->base) == 0)
			return limits[i].version;
	return desc->version;
}

static uint64_t member(const struct nt_event *event, size_t offset, size_t width)
{
	uint64_t value = 0; /* nettop runs on little-endian machines only */
	memcpy(&value, (const char *)event + offset, width);
	return value;
}

/* Where the name of the method is, of an event that has one. */
static const struct nt_clr_field *name_field(const struct nt_clr_desc *desc)
{
	for (unsigned i = 0; i < desc->field_count; i++)
		if (desc->fields[i].action == NT_CLR_SIGNATURE)
			return &desc->fields[i];
	return NULL;
}

/* Several events become one kind: start and stop, with a name and without one. */
static bool is_of(const struct nt_clr_desc *desc, const struct nt_event *event)
{
	if (desc->kind != event->kind || desc->version > event->version || desc->version > newest_whole(desc))
		return false;
	if (desc->constant_member && member(event, desc->constant_offset, sizeof(uint32_t)) != desc->constant_value)
		return false;
	bool named = (event->kind == NT_EV_METHOD_LOAD || event->kind == NT_EV_METHOD_UNLOAD) && event->u.method.name;
	return !named || name_field(desc);
}

const struct nt_clr_desc *nt_clr_payload_desc(const struct nt_event *event)
{
	const struct nt_clr_desc *desc, *best = NULL;
	for (size_t i = 0; event->kind != NT_EV_NONE && (desc = nt_clr_at_index(i)); i++)
		if (is_of(desc, event) && (!best || desc->version > best->version))
			best = desc;
	return best;
}

/* ---- fields ---- */

struct putting {
	struct nt_text_buffer *out;
	const struct nt_clr_desc *desc;
	const struct nt_event *event;
	const struct nt_clr_texts *texts;
	struct nt_display_parts name; /* of the method, if it has one */
};

static struct nt_slice text_of(const struct putting *putting, nt_str id)
{
	size_t length = 0;
	const char *text = id ? putting->texts->get(putting->texts->context, id, &length) : NULL;
	return (struct nt_slice){ text ? text : "", text ? length : 0 };
}

static void put_text(const struct putting *putting, struct nt_slice text)
{
	nt_text_put_utf16(putting->out, text.text, nt_utf8_cut(text.text, text.length, NT_CLR_PAYLOAD_TEXT_MAX));
}

static void put_said_text(const struct putting *putting, const struct nt_clr_field *field)
{
	const char *why;
	struct nt_slice text = text_of(putting, (nt_str)member(putting->event, field->offset, sizeof(nt_str)));
	enum nt_clr_null null = nt_clr_null_text(putting->desc->base, field->name, &why);
	if (!text.length && (null == NT_CLR_NULL_ENDS || null == NT_CLR_NULL_LEFT_OUT))
		text = (struct nt_slice){ null_text, sizeof(null_text) - 1 };
	put_text(putting, text);
}

static void put_number(const struct putting *putting, const struct nt_clr_field *field)
{
	uint64_t value = 0;
	if (field->action != NT_CLR_SKIP)
		value = member(putting->event, field->offset, field->action == NT_CLR_TO_U32 ? sizeof(uint32_t) : sizeof(uint64_t));
	if (field->wire == NT_WIRE_F64 && field->action != NT_CLR_TO_F64) {
		double real = (double)value;
		memcpy(&value, &real, sizeof(value));
	}
	nt_text_put_bytes(putting->out, (const char *)&value, field->bytes);
}

/* Behind the last field that is described. */
static void put_rest(const struct putting *putting)
{
	/* Of a module: GUID, age and path of its symbols, and of those of its precompiled code. */
	enum { SYMBOLS_BYTES = 2 * (16 + 4 + 2) };
	memset(nt_text_buffer_room(putting->out, SYMBOLS_BYTES), 0, SYMBOLS_BYTES);
	putting->out->length += SYMBOLS_BYTES;
}

static void put_field(const struct putting *putting, const struct nt_clr_field *field)
{
	if (field->bytes)
		put_number(putting, field);
	else if (field->action == NT_CLR_TYPE)
		put_text(putting, putting->name.type);
	else if (field->action == NT_CLR_METHOD)
		put_text(putting, putting->name.method);
	else if (field->action == NT_CLR_SIGNATURE)
		put_text(putting, putting->name.args);
	else if (field->wire == NT_WIRE_REST)
		put_rest(putting);
	else if (field->action == NT_CLR_SKIP)
		put_text(putting, (struct nt_slice){ "", 0 });
	else
		put_said_text(putting, field);
}

void nt_clr_payload_put(struct nt_text_buffer *out, const struct nt_clr_desc *desc, const struct nt_event *event,
			const struct nt_clr_texts *texts)
{
	struct putting putting = { .out = out, .desc = desc, .event = event, .texts = texts };
	const struct nt_clr_field *name = name_field(desc);
	if (name)
		putting.name = nt_display_parts_of(text_of(&putting, (nt_str)member(event, name->offset, sizeof(nt_str))));
	for (unsigned i = 0; i < desc->field_count; i++)
		put_field(&putting, &desc->fields[i]);
}
