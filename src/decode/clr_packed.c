// SPDX-License-Identifier: GPL-2.0-only
/*
 * The packed layout: all fields one after the other, natural size, little endian, no padding, texts as UTF-16 with a NUL. It is what LTTng carries in
 * `__data__`, and the payload of every native event over EventPipe and user_events (genLttngProvider.py, NetTraceFormat_v5.md).
 */
#include "decode/clr.h"

#include "base/text.h"
#include "decode/clr_generations.h"
#include "decode/clr_store.h"

#include <string.h>

/* Of a number; 0 = no number. */
static const uint8_t wire_bytes[] = {
	[NT_WIRE_U8] = 1,  [NT_WIRE_U16] = 2, [NT_WIRE_U32] = 4,  [NT_WIRE_I32] = 4, [NT_WIRE_U64] = 8,
	[NT_WIRE_F64] = 8, [NT_WIRE_PTR] = 8, [NT_WIRE_BOOL] = 4, [NT_WIRE_STR] = 0, [NT_WIRE_REST] = 0,
};

/* Each width by itself: a copy of fixed size is one instruction. */
static uint64_t read_unsigned(const uint8_t *bytes, unsigned size)
{
	uint64_t wide;
	uint32_t word;
	uint16_t half;
	switch (size) {
	case sizeof(wide):
		memcpy(&wide, bytes, sizeof(wide));
		return wide;
	case sizeof(word):
		memcpy(&word, bytes, sizeof(word));
		return word;
	case sizeof(half):
		memcpy(&half, bytes, sizeof(half));
		return half;
	default:
		return *bytes;
	}
}

static void set_number(enum nt_clr_wire wire, uint64_t raw, struct nt_clr_value *value)
{
	if (wire == NT_WIRE_F64) {
		double real;
		memcpy(&real, &raw, sizeof(real));
		nt_clr_set_real(value, real);
	} else if (wire == NT_WIRE_I32) {
		nt_clr_set_signed(value, (int32_t)raw);
	} else {
		nt_clr_set_integer(value, raw);
	}
}

static void set_bytes(struct nt_clr_value *value, enum nt_clr_value_type type, const uint8_t *bytes, size_t length)
{
	value->type = type;
	value->length = (uint32_t)length;
	value->u.bytes = bytes;
}

/* A field that is no number. `count`: the u32 before an array. Returns its bytes, SIZE_MAX = it does not fit. */
static size_t read_wide(const struct nt_clr_field *field, const uint8_t *bytes, size_t length, const uint8_t *count,
			struct nt_clr_value *value)
{
	if (field->wire == NT_WIRE_STR) {
		/*
		 * A null text writes nothing at all, so what follows is read as the text and the fields behind it do not fit any more: every
		 * known event with texts ends in numbers, and the payload comes out too short.
		 */
		size_t text = nt_utf16_length(bytes, length);
		if (text == SIZE_MAX)
			return SIZE_MAX;
		set_bytes(value, NT_CLR_UTF16, bytes, text);
		return text + 2;
	}
	if (field->action == NT_CLR_GENERATIONS && !nt_clr_generations_fit(read_unsigned(count, sizeof(uint32_t)), length))
		return SIZE_MAX;
	set_bytes(value, NT_CLR_BYTES, bytes, length);
	return length;
}

enum nt_status nt_clr_values_from_packed(const struct nt_clr_desc *desc, const uint8_t *bytes, size_t length,
					 struct nt_clr_value values[NT_CLR_FIELDS_MAX])
{
	const uint8_t *before = bytes; /* the number before */
	if (length > NT_CLR_PAYLOAD_MAX)
		return NT_ERR_MALFORMED;
	for (unsigned i = 0; i < desc->field_count; i++) {
		const struct nt_clr_field *field = &desc->fields[i];
		size_t used = wire_bytes[field->wire];
		if (!used)
			used = read_wide(field, bytes, length, before, &values[i]);
		else if (used <= length)
			set_number((enum nt_clr_wire)field->wire, read_unsigned(bytes, (unsigned)used), &values[i]);
		if (used > length)
			return NT_ERR_MALFORMED;
		before = bytes;
		bytes += used;
		length -= used;
	}
	return NT_OK;
}

/* Most fields by far: a whole number as it is. */
static void copy_number(struct nt_event *event, const struct nt_clr_field *field, const uint8_t *bytes)
{
	char *to = (char *)event + field->offset;
	uint64_t wide = 0;
	uint32_t narrow = 0;
	switch ((enum nt_clr_copy)field->copy) {
	case NT_CLR_COPY_8_TO_32:
		narrow = *bytes;
		memcpy(to, &narrow, sizeof(narrow));
		break;
	case NT_CLR_COPY_16_TO_32:
		memcpy(&narrow, bytes, sizeof(uint16_t));
		memcpy(to, &narrow, sizeof(narrow));
		break;
	case NT_CLR_COPY_32_TO_32:
		memcpy(to, bytes, sizeof(narrow));
		break;
	case NT_CLR_COPY_32_TO_64:
		memcpy(&wide, bytes, sizeof(narrow));
		memcpy(to, &wide, sizeof(wide));
		break;
	case NT_CLR_COPY_64_TO_64:
		memcpy(to, bytes, sizeof(wide));
		break;
	case NT_CLR_COPY_NOT:
	case NT_CLR_COPY_OTHER:
		break;
	}
}

static bool store_packed(struct nt_clr_making *making, const struct nt_clr_desc *desc, const uint8_t *bytes, size_t length)
{
	const uint8_t *before = bytes; /* the number before */
	for (const struct nt_clr_field *field = desc->fields, *end = field + desc->field_count; field < end; field++) {
		struct nt_clr_value value;
		size_t used = wire_bytes[field->wire];
		if (!used) {
			used = read_wide(field, bytes, length, before, &value);
			if (used == SIZE_MAX)
				return false;
			nt_clr_making_store(making, field, &value);
		} else if (used > length) {
			return false;
		} else if (field->copy != NT_CLR_COPY_OTHER) {
			copy_number(making->event, field, bytes);
		} else {
			set_number((enum nt_clr_wire)field->wire, read_unsigned(bytes, (unsigned)used), &value);
			nt_clr_making_store(making, field, &value);
		}
		before = bytes;
		bytes += used;
		length -= used;
	}
	return true;
}

enum nt_status nt_clr_build_packed(const struct nt_clr_desc *desc, const uint8_t *bytes, size_t length, const struct nt_clr_at *at,
				   struct nt_event **built)
{
	*built = NULL;
	if (desc->kind == NT_EV_NONE)
		return NT_OK;
	struct nt_clr_making making;
	nt_clr_making_begin(&making, desc, at);
	if (length > NT_CLR_PAYLOAD_MAX || !store_packed(&making, desc, bytes, length)) {
		nt_batch_take_back(at->batch);
		return NT_ERR_MALFORMED;
	}
	nt_clr_making_end(&making);
	*built = making.event;
	return NT_OK;
}
