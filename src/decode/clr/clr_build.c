// SPDX-License-Identifier: GPL-2.0-only
#include "decode/clr/clr.h"

#include "base/interner.h"
#include "base/text.h"
#include "decode/clr/clr_generations.h"
#include "decode/clr/clr_store.h"
#include "decode/names/method_name.h"
#include "decode/names/type_path.h"

#include <string.h>

/* Bytes of UTF-8 that are kept of one UTF-16 text: enough for signatures of generated code, small enough for a worker's stack. */
enum { TEXT_MAX = 16 * 1024 };

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

nt_str nt_clr_making_text(const struct nt_clr_making *making, const struct nt_clr_value *value)
{
	char buf[TEXT_MAX];
	struct nt_slice text = text_of(value, buf);
	return nt_interner_str(making->at->interner, making->at->batch, text.text, text.length);
}

/* Not inlined: its buffers are many pages, which other events need not touch. */
static __attribute__((noinline)) nt_str method_name(const struct nt_clr_making *making, const struct nt_clr_value *signature)
{
	char type[TEXT_MAX], method[TEXT_MAX], rest[TEXT_MAX], name[NT_METHOD_NAME_MAX];
	size_t length = nt_method_name_from_parts(text_of(&making->type, type), text_of(&making->method, method), text_of(signature, rest),
						  name, sizeof(name));
	return nt_interner_str(making->at->interner, making->at->batch, name, length);
}

nt_str nt_clr_making_namespace(const struct nt_clr_making *making)
{
	char buf[TEXT_MAX];
	struct nt_slice type = nt_method_name_cut(text_of(&making->type, buf));
	struct nt_slice namespace = nt_type_path_namespace(type);
	return nt_interner_str(making->at->interner, making->at->batch, namespace.text, namespace.length);
}

/* A method's texts lie one behind the other in a packed payload. 0: they do not. */
static size_t raw_length(const struct nt_clr_making *making, const struct nt_clr_value *signature)
{
	const struct nt_clr_value *type = &making->type, *method = &making->method;
	bool packed = type->type == NT_CLR_UTF16 && method->type == NT_CLR_UTF16 && signature->type == NT_CLR_UTF16 &&
		      type->u.bytes + type->length + 2 == method->u.bytes && method->u.bytes + method->length + 2 == signature->u.bytes;
	return packed ? (size_t)(signature->u.bytes + signature->length - type->u.bytes) : 0;
}

/* Each method is told of several times: when compiling it begins, when it has ended, when the code is freed. */
static nt_str known_method_name(const struct nt_clr_making *making, const struct nt_clr_value *signature)
{
	size_t length = raw_length(making, signature);
	nt_str name = length ? nt_interner_alias(making->at->interner, making->type.u.bytes, length) : 0;
	if (name)
		return name;
	name = method_name(making, signature);
	if (length && name)
		nt_interner_note_alias(making->at->interner, making->type.u.bytes, length, name);
	return name;
}

void nt_clr_making_store(struct nt_clr_making *making, const struct nt_clr_field *field, const struct nt_clr_value *value)
{
	struct nt_event *event = making->event;
	uint64_t integer;
	double real;
	switch ((enum nt_clr_action)field->action) {
	case NT_CLR_SKIP:
		break;
	case NT_CLR_TO_U32:
		put_u32(event, field->offset, field->wire == NT_WIRE_STR ? nt_clr_making_text(making, value) : (uint32_t)integer_of(value));
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
		making->type = *value;
		break;
	case NT_CLR_METHOD:
		making->method = *value;
		break;
	case NT_CLR_SIGNATURE:
		put_u32(event, field->offset, known_method_name(making, value));
		break;
	case NT_CLR_GENERATIONS:
		nt_clr_generations_take(value, &event->u.gc_heap_history);
		break;
	case NT_CLR_STEPS:
		nt_clr_steps_take(value, &event->u.gc_global_history);
		break;
	}
}

struct nt_event *nt_clr_build(const struct nt_clr_desc *desc, const struct nt_clr_value *values, const struct nt_clr_at *at)
{
	if (desc->kind == NT_EV_NONE)
		return NULL;
	struct nt_clr_making making;
	nt_clr_making_begin(&making, desc, at);
	for (unsigned i = 0; i < desc->field_count; i++)
		if (values[i].type != NT_CLR_NONE)
			nt_clr_making_store(&making, &desc->fields[i], &values[i]);
	nt_clr_making_end(&making);
	return making.event;
}

struct nt_event *nt_clr_build_unknown(const char *name, const struct nt_clr_at *at)
{
	struct nt_event *event = nt_batch_add(at->batch, NT_EV_CLR_UNKNOWN, at->time, at->pid, at->tid);
	event->u.clr_unknown.name = nt_interner_cstr(at->interner, at->batch, name);
	return event;
}
