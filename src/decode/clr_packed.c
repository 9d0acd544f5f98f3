// SPDX-License-Identifier: GPL-2.0-only
/*
 * The packed layout: all fields one after the other, natural size, little endian, no padding, texts as UTF-16 with a NUL. It is what LTTng carries in
 * `__data__`, and the payload of every native event over EventPipe and user_events (genLttngProvider.py, NetTraceFormat_v5.md).
 */
#include "decode/clr.h"

#include "base/text.h"
#include "decode/clr_generations.h"

#include <string.h>

static const uint8_t wire_bytes[] = {
	[NT_WIRE_U8] = 1,  [NT_WIRE_U16] = 2, [NT_WIRE_U32] = 4, [NT_WIRE_I32] = 4,
	[NT_WIRE_U64] = 8, [NT_WIRE_F64] = 8, [NT_WIRE_PTR] = 8, [NT_WIRE_BOOL] = 4,
};

static uint64_t read_unsigned(const uint8_t *bytes, unsigned size)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

static void read_number(enum nt_clr_wire wire, const uint8_t *bytes, struct nt_clr_value *value)
{
	uint64_t raw = read_unsigned(bytes, wire_bytes[wire]);
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

enum nt_status nt_clr_values_from_packed(const struct nt_clr_desc *desc, const uint8_t *bytes, size_t length,
					 struct nt_clr_value values[NT_CLR_FIELDS_MAX])
{
	if (length > NT_CLR_PAYLOAD_MAX)
		return NT_ERR_MALFORMED;
	for (unsigned i = 0; i < desc->field_count; i++) {
		const struct nt_clr_field *field = &desc->fields[i];
		size_t used;
		if (field->wire == NT_WIRE_STR) {
			/*
			 * A null text writes nothing at all, so what follows is read as the text and the fields behind it do not fit any more: every
			 * known event with texts ends in numbers, and the payload comes out too short.
			 */
			size_t text = nt_utf16_length(bytes, length);
			if (text == SIZE_MAX)
				return NT_ERR_MALFORMED;
			set_bytes(&values[i], NT_CLR_UTF16, bytes, text);
			used = text + 2;
		} else if (field->wire == NT_WIRE_REST) {
			if (field->action == NT_CLR_GENERATIONS && !nt_clr_generations_fit(&values[i - 1], length))
				return NT_ERR_MALFORMED;
			set_bytes(&values[i], NT_CLR_BYTES, bytes, length);
			used = length;
		} else {
			used = wire_bytes[field->wire];
			if (used > length)
				return NT_ERR_MALFORMED;
			read_number((enum nt_clr_wire)field->wire, bytes, &values[i]);
		}
		bytes += used;
		length -= used;
	}
	return NT_OK;
}
