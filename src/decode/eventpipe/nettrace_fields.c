// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/nettrace_fields.h"

#include "base/text.h"
#include "decode/common/reader.h"

#include <string.h>

/*
 * What an event costs is bounded by its bytes: fields without bytes (objects that have no fields, arrays of them) could be announced by the billion in a few. Each look at a
 * field or an element is a step. A value of one byte can lie as deep as metadata nest objects, 16; what beyond that takes no bytes is nobody's.
 */
enum { STEPS_PER_BYTE = 16, STEPS_AT_LEAST = 64 };

/* Arrays leave some room for the fields behind them. */
enum { LISTED_MAX = NT_NETTRACE_VALUES_MAX - 64 };

struct payload {
	struct nt_reader reader;
	size_t steps;    /* that are left */
	bool nested;     /* objects and arrays are values, with what is in them behind them */
	bool narrow;     /* bool and decimal are as EventSource.Write() writes them */
	bool has_narrow; /* there is one that could be */
};

/* False: the payload ended, or costs more than its bytes are worth. */
static bool step(struct payload *payload)
{
	if (!payload->steps)
		payload->reader.bad = true;
	else
		payload->steps--;
	return !payload->reader.bad;
}

/* How the bytes of a type become a value. */
enum form { FORM_UNKNOWN, FORM_UNSIGNED, FORM_SIGNED, FORM_REAL, FORM_BYTES };

static const struct type_form {
	uint8_t form; /* enum form */
	uint8_t size;
} forms[] = {
	[NT_NETTRACE_BOOL] = { FORM_UNSIGNED, 4 },  [NT_NETTRACE_CHAR] = { FORM_UNSIGNED, 2 },     [NT_NETTRACE_I8] = { FORM_SIGNED, 1 },
	[NT_NETTRACE_U8] = { FORM_UNSIGNED, 1 },    [NT_NETTRACE_I16] = { FORM_SIGNED, 2 },        [NT_NETTRACE_U16] = { FORM_UNSIGNED, 2 },
	[NT_NETTRACE_I32] = { FORM_SIGNED, 4 },     [NT_NETTRACE_U32] = { FORM_UNSIGNED, 4 },      [NT_NETTRACE_I64] = { FORM_SIGNED, 8 },
	[NT_NETTRACE_U64] = { FORM_UNSIGNED, 8 },   [NT_NETTRACE_F32] = { FORM_REAL, 4 },          [NT_NETTRACE_F64] = { FORM_REAL, 8 },
	[NT_NETTRACE_DECIMAL] = { FORM_BYTES, 16 }, [NT_NETTRACE_DATETIME] = { FORM_UNSIGNED, 8 }, [NT_NETTRACE_GUID] = { FORM_BYTES, 16 },
};

static const struct type_form *form_of(struct payload *payload, uint32_t type)
{
	static const struct type_form unknown = { FORM_UNKNOWN, 0 }, narrow_bool = { FORM_UNSIGNED, 1 }, narrow_decimal = { FORM_REAL, 8 };
	if (type == NT_NETTRACE_BOOL || type == NT_NETTRACE_DECIMAL) {
		payload->has_narrow = true;
		if (payload->narrow)
			return type == NT_NETTRACE_BOOL ? &narrow_bool : &narrow_decimal;
	}
	return type < sizeof(forms) / sizeof(*forms) ? &forms[type] : &unknown;
}

static void set_bytes(struct nt_clr_value *value, enum nt_clr_value_type type, const uint8_t *bytes, size_t length)
{
	value->type = type;
	value->length = (uint32_t)length;
	value->u.bytes = bytes;
}

static double real_of(const uint8_t *bytes, unsigned size)
{
	float narrow;
	double wide;
	if (size == sizeof(narrow)) {
		memcpy(&narrow, bytes, sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, bytes, sizeof(wide));
	return wide;
}

/* Of each size a load of its own: a copy of so many bytes would be a call. */
static uint64_t integer_of(const uint8_t *bytes, unsigned size)
{
	uint64_t wide;
	uint32_t word;
	uint16_t half;
	switch (size) {
	case sizeof(uint8_t):
		return *bytes;
	case sizeof(half):
		memcpy(&half, bytes, sizeof(half));
		return half;
	case sizeof(word):
		memcpy(&word, bytes, sizeof(word));
		return word;
	default:
		memcpy(&wide, bytes, sizeof(wide));
		return wide;
	}
}

static void read_number(struct nt_reader *reader, const struct type_form *form, struct nt_clr_value *value)
{
	const uint8_t *bytes = nt_reader_bytes(reader, form->size);
	if (!bytes)
		return;
	unsigned unused_bits = 8 * (sizeof(uint64_t) - form->size);
	switch ((enum form)form->form) {
	case FORM_UNSIGNED:
		nt_clr_set_integer(value, integer_of(bytes, form->size));
		break;
	case FORM_SIGNED:
		nt_clr_set_signed(value, (int64_t)(integer_of(bytes, form->size) << unused_bits) >> unused_bits);
		break;
	case FORM_REAL:
		nt_clr_set_real(value, real_of(bytes, form->size));
		break;
	default:
		set_bytes(value, NT_CLR_BYTES, bytes, form->size);
		break;
	}
}

/* Over an element of an array: what it holds is not looked at. */
static void skip(struct payload *payload, const struct nt_nettrace_field *field)
{
	struct nt_reader *reader = &payload->reader;
	const struct type_form *form = form_of(payload, field->type);
	size_t units;
	if (!step(payload))
		return;
	if (form->form != FORM_UNKNOWN) {
		nt_reader_bytes(reader, form->size);
	} else if (field->type == NT_NETTRACE_TEXT) {
		nt_reader_utf16(reader, &units);
	} else if (field->type == NT_NETTRACE_OBJECT) {
		for (uint32_t i = 0; i < field->child_count && !reader->bad; i++)
			skip(payload, &field->children[i]);
	} else if (field->type == NT_NETTRACE_ARRAY && field->child_count) {
		for (uint16_t left = nt_reader_u16(reader); left && !reader->bad; left--)
			skip(payload, &field->children[0]);
	} else {
		reader->bad = true;
	}
}

static void read_value(struct payload *payload, const struct nt_nettrace_field *field, struct nt_clr_value *value)
{
	struct nt_reader *reader = &payload->reader;
	const struct type_form *form = form_of(payload, field->type);
	const uint8_t *start = reader->at;
	size_t units;
	if (form->form != FORM_UNKNOWN) {
		read_number(reader, form, value);
	} else if (field->type == NT_NETTRACE_TEXT) {
		const uint8_t *text = nt_reader_utf16(reader, &units);
		if (text)
			set_bytes(value, NT_CLR_UTF16, text, 2 * units);
	} else {
		skip(payload, field);
		if (!reader->bad)
			set_bytes(value, NT_CLR_BYTES, start, (size_t)(reader->at - start));
	}
}

static void read_field(struct payload *payload, const struct nt_nettrace_field *field, bool is_value, struct nt_nettrace_values *out);

static void read_fields(struct payload *payload, const struct nt_nettrace_field *fields, uint32_t count, struct nt_nettrace_values *out)
{
	for (uint32_t i = 0; i < count && out->count < NT_NETTRACE_VALUES_MAX && step(payload); i++) {
		const struct nt_nettrace_field *field = &fields[i];
		const struct type_form *form = form_of(payload, field->type);
		if (form->form == FORM_UNKNOWN) {
			read_field(payload, field, payload->nested && *field->name, out);
			continue;
		}
		/* Numbers are most of all fields, and need nothing of what follows there. */
		struct nt_nettrace_value *item = &out->items[out->count];
		item->name = field->name;
		item->type = field->type;
		item->inner = 0;
		read_number(&payload->reader, form, &item->value);
		out->count += !payload->reader.bad;
	}
}

static void read_elements(struct payload *payload, const struct nt_nettrace_field *element, struct nt_nettrace_values *out)
{
	uint16_t count = nt_reader_u16(&payload->reader);
	for (uint16_t i = 0; i < count && !payload->reader.bad; i++) {
		if (i < NT_NETTRACE_ELEMENTS_MAX && out->count < LISTED_MAX && step(payload)) {
			read_field(payload, element, true, out);
			continue;
		}
		out->passed_over = true;
		skip(payload, element);
	}
}

/* An object or an array, and what is in it behind it. */
static void read_inner(struct payload *payload, const struct nt_nettrace_field *field, struct nt_nettrace_value *item,
		       struct nt_nettrace_values *out)
{
	const uint8_t *start = payload->reader.at;
	size_t first = ++out->count;
	if (field->type == NT_NETTRACE_OBJECT)
		read_fields(payload, field->children, field->child_count, out);
	else
		read_elements(payload, field->children, out);
	item->inner = (uint32_t)(out->count - first);
	set_bytes(&item->value, NT_CLR_BYTES, start, (size_t)(payload->reader.at - start));
}

/* `is_value`: an object is a value of its own. One without a name is none: what EventSource.Write() is given has one around all. */
static void read_field(struct payload *payload, const struct nt_nettrace_field *field, bool is_value, struct nt_nettrace_values *out)
{
	bool is_object = field->type == NT_NETTRACE_OBJECT;
	struct nt_nettrace_value *item = &out->items[out->count];
	if (is_object && !is_value) {
		read_fields(payload, field->children, field->child_count, out);
		return;
	}
	*item = (struct nt_nettrace_value){ .name = field->name, .type = field->type };
	if (payload->nested && (is_object || (field->type == NT_NETTRACE_ARRAY && field->child_count))) {
		read_inner(payload, field, item, out);
		return;
	}
	read_value(payload, field, &item->value);
	out->count += !payload->reader.bad;
}

static enum nt_status read_all(struct payload *payload, const struct nt_nettrace_event *event, const struct nt_nettrace_field *fields,
			       uint32_t count, struct nt_nettrace_values *out)
{
	payload->reader = nt_reader_of(event->payload, event->payload_length);
	payload->steps = STEPS_AT_LEAST + (size_t)event->payload_length * STEPS_PER_BYTE;
	out->count = 0;
	out->passed_over = false;
	read_fields(payload, fields, count, out);
	out->left_bytes = nt_reader_left(&payload->reader);
	return payload->reader.bad ? NT_ERR_MALFORMED : NT_OK;
}

enum nt_status nt_nettrace_values_read(const struct nt_nettrace_event *event, struct nt_nettrace_values *out)
{
	struct payload payload = { .nested = false };
	return read_all(&payload, event, event->meta->fields, event->meta->field_count, out);
}

enum nt_status nt_nettrace_values_read_nested(const struct nt_nettrace_event *event, const struct nt_nettrace_field *fields, uint32_t count,
					      struct nt_nettrace_values *out)
{
	struct payload payload = { .nested = true };
	enum nt_status status = read_all(&payload, event, fields, count, out);
	/* The runtime's own are of one form. */
	if ((status == NT_OK && !out->left_bytes) || !payload.has_narrow || fields != event->meta->fields)
		return status;
	payload.narrow = true;
	if (read_all(&payload, event, fields, count, out) == NT_OK && !out->left_bytes)
		return NT_OK;
	payload.narrow = false;
	return read_all(&payload, event, fields, count, out);
}

uint32_t nt_nettrace_value_elements(const struct nt_nettrace_value *value)
{
	struct nt_reader reader = nt_reader_of(value->value.u.bytes, value->value.length);
	return value->type == NT_NETTRACE_ARRAY ? nt_reader_u16(&reader) : 0;
}

const struct nt_clr_value *nt_nettrace_values_find(const struct nt_nettrace_values *values, const char *name)
{
	for (size_t i = 0; i < values->count; i++)
		if (strcmp(values->items[i].name, name) == 0)
			return &values->items[i].value;
	return NULL;
}

bool nt_nettrace_values_real(const struct nt_nettrace_values *values, const char *name, double *out)
{
	const struct nt_clr_value *value = nt_nettrace_values_find(values, name);
	if (value && value->type == NT_CLR_REAL)
		*out = value->u.real;
	else if (value && value->type == NT_CLR_INTEGER)
		*out = (double)(int64_t)value->u.integer;
	else
		return false;
	return true;
}

size_t nt_nettrace_values_text(const struct nt_nettrace_values *values, const char *name, char *buf, size_t size)
{
	const struct nt_clr_value *value = nt_nettrace_values_find(values, name);
	bool is_text = value && value->type == NT_CLR_UTF16;
	return nt_utf16_to_utf8(is_text ? value->u.bytes : NULL, is_text ? value->length / 2 : 0, buf, size);
}
