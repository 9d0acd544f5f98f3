// SPDX-License-Identifier: GPL-2.0-only
#include "decode/clr.h"

#include "base/interner.h"
#include "base/text.h"
#include "decode/clr_generations.h"
#include "decode/method_name.h"

#include <string.h>

/* Bytes of UTF-8 that are kept of one UTF-16 text: enough for signatures of generated code, small enough for a worker's stack. */
enum { TEXT_MAX = 16 * 1024 };

/* The texts of a method's name, as they come by. */
struct method_texts {
	struct nt_slice type, method, signature;
	char type_buf[TEXT_MAX], method_buf[TEXT_MAX], signature_buf[TEXT_MAX];
};

void nt_clr_values_clear(const struct nt_clr_desc *desc, struct nt_clr_value values[NT_CLR_FIELDS_MAX])
{
	memset(values, 0, desc->field_count * sizeof(*values));
}

void nt_clr_set_utf8(struct nt_clr_value *value, const char *text, size_t length)
{
	value->type = NT_CLR_UTF8;
	value->length = length > NT_CLR_PAYLOAD_MAX ? NT_CLR_PAYLOAD_MAX : (uint32_t)length;
	value->u.bytes = (const uint8_t *)text;
}

/* The value as UTF-8: borrowed from the carrier, or converted into buf. */
static struct nt_slice text_of(const struct nt_clr_value *value, char buf[TEXT_MAX])
{
	if (value->type == NT_CLR_UTF8)
		return (struct nt_slice){ (const char *)value->u.bytes, value->length };
	if (value->type == NT_CLR_UTF16)
		return (struct nt_slice){ buf, nt_utf16_to_utf8(value->u.bytes, value->length / 2, buf, TEXT_MAX) };
	return (struct nt_slice){ "", 0 };
}

static uint64_t integer_of(const struct nt_clr_value *value)
{
	if (value->type == NT_CLR_INTEGER)
		return value->u.integer;
	if (value->type == NT_CLR_REAL && value->u.real >= 0 && value->u.real < 0x1p64)
		return (uint64_t)value->u.real;
	return 0;
}

static double real_of(const struct nt_clr_value *value)
{
	return value->type == NT_CLR_REAL ? value->u.real : (double)integer_of(value);
}

static void put(struct nt_event *event, size_t offset, const void *value, size_t size)
{
	nt_assert(offset >= offsetof(struct nt_event, u) && offset + size <= sizeof(*event));
	memcpy((char *)event + offset, value, size);
}

static void put_u32(struct nt_event *event, size_t offset, uint32_t value)
{
	put(event, offset, &value, sizeof(value));
}

static nt_str intern(const struct nt_clr_at *at, struct nt_slice text)
{
	return nt_interner_str(at->interner, at->batch, text.text, text.length);
}

static nt_str method_name(const struct method_texts *texts, const struct nt_clr_at *at)
{
	char name[NT_METHOD_NAME_MAX];
	size_t length = nt_method_name_from_parts(texts->type, texts->method, texts->signature, name, sizeof(name));
	return nt_interner_str(at->interner, at->batch, name, length);
}

static void store(struct nt_event *event, const struct nt_clr_field *field, const struct nt_clr_value *value, struct method_texts *texts,
		  const struct nt_clr_at *at)
{
	uint64_t integer;
	double real;
	switch ((enum nt_clr_action)field->action) {
	case NT_CLR_SKIP:
		break;
	case NT_CLR_TO_U32:
		if (field->wire == NT_WIRE_STR)
			put_u32(event, field->offset, intern(at, text_of(value, texts->type_buf)));
		else
			put_u32(event, field->offset, (uint32_t)integer_of(value));
		break;
	case NT_CLR_TO_U64:
		integer = integer_of(value);
		put(event, field->offset, &integer, sizeof(integer));
		break;
	case NT_CLR_TO_F64:
		real = real_of(value);
		put(event, field->offset, &real, sizeof(real));
		break;
	case NT_CLR_TYPE:
		texts->type = text_of(value, texts->type_buf);
		break;
	case NT_CLR_METHOD:
		texts->method = text_of(value, texts->method_buf);
		break;
	case NT_CLR_SIGNATURE:
		texts->signature = text_of(value, texts->signature_buf);
		put_u32(event, field->offset, method_name(texts, at));
		break;
	case NT_CLR_GENERATIONS:
		nt_clr_generations_sum(value, &event->u.gc_heap_history);
		break;
	}
}

struct nt_event *nt_clr_build(const struct nt_clr_desc *desc, const struct nt_clr_value *values, const struct nt_clr_at *at)
{
	if (desc->kind == NT_EV_NONE)
		return NULL;
	struct nt_event *event = nt_batch_add(at->batch, (enum nt_event_kind)desc->kind, at->time, at->pid, at->tid);
	event->version = desc->version;
	if (desc->constant_member)
		put_u32(event, desc->constant_offset, desc->constant_value);
	struct method_texts texts;
	texts.type = texts.method = texts.signature = (struct nt_slice){ "", 0 };
	for (unsigned i = 0; i < desc->field_count; i++)
		if (values[i].type != NT_CLR_NONE)
			store(event, &desc->fields[i], &values[i], &texts, at);
	if (desc->kind == NT_EV_METHOD_LOAD || desc->kind == NT_EV_METHOD_UNLOAD)
		event->u.method.tier = (event->u.method.flags >> 7) & 7; /* MethodFlags, eventtracebase.h of the runtime */
	return event;
}

struct nt_event *nt_clr_build_unknown(const char *name, const struct nt_clr_at *at)
{
	struct nt_event *event = nt_batch_add(at->batch, NT_EV_CLR_UNKNOWN, at->time, at->pid, at->tid);
	event->u.clr_unknown.name = nt_interner_cstr(at->interner, at->batch, name);
	return event;
}
