// SPDX-License-Identifier: GPL-2.0-only
/*
 * The packed layout: all fields one after the other, natural size, little endian, no padding, texts as UTF-16 with a NUL. It is what LTTng carries in
 * `__data__`, and the payload of every native event over EventPipe and user_events (genLttngProvider.py, NetTraceFormat_v5.md).
 */
#include "decode/clr/clr.h"

#include "base/hash.h"
#include "base/interner.h"
#include "base/text.h"
#include "decode/clr/clr_generations.h"
#include "decode/clr/clr_store.h"

#include <string.h>

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

static uint64_t count_before(const uint8_t *bytes)
{
	return read_unsigned(bytes - sizeof(uint32_t), sizeof(uint32_t));
}

/* A field that is no number; an array has its count, a u32, before it. Returns its bytes, SIZE_MAX = it does not fit. */
static size_t read_wide(const struct nt_clr_field *field, const uint8_t *bytes, size_t length, struct nt_clr_value *value)
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
	if (field->action == NT_CLR_GENERATIONS && !nt_clr_generations_fit(count_before(bytes), length))
		return SIZE_MAX;
	if (field->action == NT_CLR_STEPS && !nt_clr_steps_fit(count_before(bytes), length))
		return SIZE_MAX;
	set_bytes(value, NT_CLR_BYTES, bytes, length);
	return length;
}

enum nt_status nt_clr_values_from_packed(const struct nt_clr_desc *desc, const uint8_t *bytes, size_t length,
					 struct nt_clr_value values[NT_CLR_FIELDS_MAX])
{
	if (length > NT_CLR_PAYLOAD_MAX)
		return NT_ERR_MALFORMED;
	for (unsigned i = 0; i < desc->field_count; i++) {
		const struct nt_clr_field *field = &desc->fields[i];
		size_t used = field->bytes;
		if (!used)
			used = read_wide(field, bytes, length, &values[i]);
		else if (used <= length)
			set_number((enum nt_clr_wire)field->wire, read_unsigned(bytes, (unsigned)used), &values[i]);
		if (used > length)
			return NT_ERR_MALFORMED;
		bytes += used;
		length -= used;
	}
	return NT_OK;
}

/* Where the bytes of a text are kept for the next event: what lies before it (often the id of what it names), its beginning, and what is left of the payload. */
static uint64_t hint_of(const uint8_t *payload, const uint8_t *bytes, size_t length)
{
	uint64_t before = 0, first = 0;
	if ((size_t)(bytes - payload) >= sizeof(before))
		memcpy(&before, bytes - sizeof(before), sizeof(before));
	if (length >= sizeof(first))
		memcpy(&first, bytes, sizeof(first));
	return nt_hash_fold(before ^ length, first ^ UINT64_C(0x9e3779b97f4a7c15));
}

/* What has to be looked at. Returns its bytes, SIZE_MAX = it does not fit. */
static size_t store_other(struct nt_clr_making *making, const struct nt_clr_field *field, const uint8_t *bytes, size_t length)
{
	struct nt_clr_value value;
	size_t used = field->bytes;
	if (used) {
		set_number((enum nt_clr_wire)field->wire, read_unsigned(bytes, (unsigned)used), &value);
	} else {
		used = read_wide(field, bytes, length, &value);
		if (used == SIZE_MAX)
			return SIZE_MAX;
	}
	nt_clr_making_store(making, field, &value);
	return used;
}

/* A text that is kept as it is: most are those of an event before. */
static size_t store_text(struct nt_clr_making *making, const struct nt_clr_field *field, const uint8_t *payload, const uint8_t *bytes,
			 size_t length)
{
	struct nt_interner *interner = making->at->interner;
	uint64_t hint = hint_of(payload, bytes, length);
	size_t used;
	nt_str id = nt_interner_recent(interner, hint, bytes, length, &used);
	if (!id) {
		used = nt_utf16_length(bytes, length);
		if (used == SIZE_MAX)
			return SIZE_MAX;
		struct nt_clr_value value;
		set_bytes(&value, NT_CLR_UTF16, bytes, used);
		id = nt_clr_making_text(making, &value);
		used += 2;
		if (id)
			nt_interner_note_recent(interner, hint, bytes, used, id);
	}
	memcpy((char *)making->event + field->offset, &id, sizeof(id));
	return used;
}

/* Most fields by far are whole numbers that are kept as they are, or are not kept. */
static bool store_packed(struct nt_clr_making *making, const struct nt_clr_desc *desc, const uint8_t *bytes, size_t length)
{
	const uint8_t *payload = bytes;
	char *event = (char *)making->event;
	for (const struct nt_clr_field *field = desc->fields, *end = field + desc->field_count; field < end; field++) {
		size_t used = field->bytes;
		uint64_t wide = 0;
		uint32_t narrow = 0;
		if (used > length)
			return false;
		switch ((enum nt_clr_copy)field->copy) {
		case NT_CLR_COPY_8_TO_32:
			narrow = *bytes;
			memcpy(event + field->offset, &narrow, sizeof(narrow));
			break;
		case NT_CLR_COPY_16_TO_32:
			memcpy(&narrow, bytes, sizeof(uint16_t));
			memcpy(event + field->offset, &narrow, sizeof(narrow));
			break;
		case NT_CLR_COPY_32_TO_32:
			memcpy(event + field->offset, bytes, sizeof(narrow));
			break;
		case NT_CLR_COPY_32_TO_64:
			memcpy(&wide, bytes, sizeof(narrow));
			memcpy(event + field->offset, &wide, sizeof(wide));
			break;
		case NT_CLR_COPY_64_TO_64:
			memcpy(event + field->offset, bytes, sizeof(wide));
			break;
		case NT_CLR_COPY_NOT:
			break;
		case NT_CLR_COPY_TEXT:
			if ((used = store_text(making, field, payload, bytes, length)) == SIZE_MAX)
				return false;
			break;
		case NT_CLR_COPY_OTHER:
			if ((used = store_other(making, field, bytes, length)) == SIZE_MAX)
				return false;
			break;
		}
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
