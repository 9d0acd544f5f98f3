// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: which event of the table, as u16, then for each of its fields a byte, what sort of value a trace has for it, and the value: as babeltrace hands them over, of whatever type the trace declares.
 */
#include "fuzz.h"

#include "base/interner.h"
#include "decode/clr/clr.h"

#include <string.h>

struct input {
	const uint8_t *data;
	size_t size;
};

static const uint8_t *take(struct input *input, size_t size)
{
	static const uint8_t nothing[16];
	if (size > input->size) {
		input->size = 0;
		return size <= sizeof(nothing) ? nothing : NULL;
	}
	input->data += size;
	input->size -= size;
	return input->data - size;
}

static void set(struct input *input, struct nt_clr_value *value)
{
	enum { INTEGER, REAL, TEXT, KINDS };
	uint64_t integer;
	double real;
	switch (*take(input, 1) % (KINDS + 1)) {
	case INTEGER:
		memcpy(&integer, take(input, sizeof(integer)), sizeof(integer));
		nt_clr_set_integer(value, integer);
		break;
	case REAL:
		memcpy(&real, take(input, sizeof(real)), sizeof(real));
		nt_clr_set_real(value, real);
		break;
	case TEXT: {
		size_t length = *take(input, 1);
		length = length < input->size ? length : input->size;
		nt_clr_set_utf8(value, (const char *)take(input, length), length);
		break;
	}
	default:
		break; /* not delivered */
	}
}

static size_t table_size(void)
{
	size_t count = 0;
	while (nt_clr_at_index(count))
		count++;
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	struct nt_clr_value values[NT_CLR_FIELDS_MAX];
	uint16_t which;
	memcpy(&which, take(&input, sizeof(which)), sizeof(which));
	const struct nt_clr_desc *desc = nt_clr_at_index(which % table_size());
	nt_clr_values_clear(desc, values);
	for (unsigned i = 0; i < desc->field_count; i++)
		set(&input, &values[i]);
	struct nt_interner *interner = nt_interner_new(0);
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_LTTNG);
	nt_interner_begin(interner, batch);
	const struct nt_clr_at at = { .interner = interner, .batch = batch, .time = 1, .pid = 2, .tid = 3 };
	const struct nt_event *event = nt_clr_build(desc, values, &at);
	FUZZ_CHECK(!event == (desc->kind == NT_EV_NONE));
	FUZZ_CHECK(batch->event_count == (event ? 1 : 0));
	nt_batch_free(batch);
	nt_interner_free(interner);
	return 0;
}
