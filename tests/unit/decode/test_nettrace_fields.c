// SPDX-License-Identifier: GPL-2.0-only
/* Payloads that describe themselves: counters as a runtime published them, and every type of field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/eventpipe/nettrace_fields.h"
#include "nettrace_stream.h"

/* What a test found among the counters. */
struct found {
	double alloc_rate, gen0_count;
	unsigned mean_count, sum_count, reported_count;
	char unit[64];
};

static void on_counter(void *context, const struct nt_nettrace_event *event)
{
	struct found *found = context;
	struct nt_nettrace_values values;
	char name[64], type[16];
	if (!event->meta->field_count)
		return;
	assert_int_equal(nt_nettrace_values_read(event, &values), NT_OK);
	nt_nettrace_values_text(&values, "Name", name, sizeof(name));
	nt_nettrace_values_text(&values, "CounterType", type, sizeof(type));
	found->mean_count += strcmp(type, "Mean") == 0;
	found->sum_count += strcmp(type, "Sum") == 0;
	if (strcmp(name, "alloc-rate") == 0) {
		assert_true(nt_nettrace_values_real(&values, "Increment", &found->alloc_rate));
		assert_true(nt_nettrace_values_text(&values, "DisplayUnits", found->unit, sizeof(found->unit)) == 1);
		assert_false(nt_nettrace_values_real(&values, "Name", &found->gen0_count));
		assert_null(nt_nettrace_values_find(&values, "Mean"));
	}
	if (strcmp(event->meta->name, "UpDownCounterRateValuePublished") == 0) {
		char meter[64], tags[64];
		nt_nettrace_values_text(&values, "meterName", meter, sizeof(meter));
		assert_string_equal(meter, "System.Runtime");
		assert_int_equal(nt_nettrace_values_text(&values, "no such field", tags, sizeof(tags)), 0);
		found->reported_count++;
	}
}

static void counters_of_dotnet_10(void **state)
{
	(void)state;
	size_t length;
	uint8_t *bytes = recording("counters.nettrace", &length);
	struct found found = { .alloc_rate = -1 };
	struct nt_nettrace_sink sink = { .context = &found, .event = on_counter };
	struct nt_nettrace *trace = nt_nettrace_new(&sink, NULL);
	assert_int_equal(nt_nettrace_feed(trace, bytes, length, NULL), NT_END);
	assert_true(found.alloc_rate > 0);
	assert_string_equal(found.unit, "B");
	assert_int_equal(found.mean_count, 72);
	assert_int_equal(found.sum_count, 36);
	assert_int_equal(found.reported_count, 30);
	nt_nettrace_free(trace);
	free(bytes);
}

static struct nt_nettrace_values values;
static enum nt_status status;
static bool nested;                               /* what is read next */
static uint32_t elements[NT_NETTRACE_VALUES_MAX]; /* of each value that is an array */

static void on_event(void *context, const struct nt_nettrace_event *event)
{
	/* The payload is gone after this: what the test looks at are numbers, and texts that it compares here. */
	size_t *length = context;
	struct nt_nettrace_event cut = *event;
	if (*length < cut.payload_length)
		cut.payload_length = (uint32_t)*length;
	status = nested ? nt_nettrace_values_read_nested(&cut, cut.meta->fields, cut.meta->field_count, &values)
			: nt_nettrace_values_read(&cut, &values);
	for (size_t i = 0; i < values.count; i++)
		elements[i] = nt_nettrace_value_elements(&values.items[i]);
	*length = event->payload_length;
	char text[16];
	nt_nettrace_values_text(&values, "text", text, sizeof(text));
	if (status == NT_OK && nt_nettrace_values_find(&values, "text"))
		assert_string_equal(text, "abc");
}

static void put_field(struct stream *s, uint32_t type, const char *name)
{
	put_u32(s, type);
	put_utf16(s, name);
}

/* One event of kind 1 with the fields of `rest` and this payload; payload_length: how much of it the reader gets. The decoder has the fields' names. */
static struct nt_nettrace *read_event(const struct stream *rest, const struct stream *payload, size_t payload_length)
{
	struct stream s = { .length = 0 }, block = event_block();
	put_start(&s, 0, NT_NS_PER_S);
	put_metadata(&s, 1, 1, rest);
	put_u8(&block, 1 | 128);
	put_varuint(&block, 1);
	put_varuint(&block, 5);
	put_varuint(&block, payload->length);
	put(&block, payload->bytes, payload->length);
	put_block(&s, "EventBlock", &block);
	put_u8(&s, 1);
	struct nt_nettrace_sink sink = { .context = &payload_length, .event = on_event };
	struct nt_nettrace *trace = nt_nettrace_new(&sink, NULL);
	assert_int_equal(nt_nettrace_feed(trace, s.bytes, s.length, NULL), NT_END);
	return trace;
}

static double real(const char *name)
{
	double value = -1;
	assert_true(nt_nettrace_values_real(&values, name, &value));
	return value;
}

static void fields_of_every_type(void **state)
{
	(void)state;
	struct stream rest = { .length = 0 }, payload = { .length = 0 };
	put_u32(&rest, 7);
	put_field(&rest, NT_NETTRACE_I8, "small");
	put_u8(&payload, (uint8_t)-3);
	put_field(&rest, NT_NETTRACE_BOOL, "flag");
	put_u32(&payload, 1);
	put_field(&rest, NT_NETTRACE_TEXT, "text");
	put_utf16(&payload, "abc");
	put_u32(&rest, NT_NETTRACE_OBJECT); /* its fields, then its name */
	put_u32(&rest, 2);
	put_field(&rest, NT_NETTRACE_F64, "inner");
	put_f64(&payload, 2.5);
	put_field(&rest, NT_NETTRACE_U16, "short");
	put_u16(&payload, 65535);
	put_utf16(&rest, "Payload");
	put_field(&rest, NT_NETTRACE_GUID, "guid");
	put(&payload, "0123456789abcdef", 16);
	put_field(&rest, NT_NETTRACE_I64, "big");
	put_u64(&payload, (uint64_t)-5);
	put_field(&rest, NT_NETTRACE_F32, "narrow");
	float narrow = 0.5f;
	put(&payload, &narrow, sizeof(narrow));

	struct nt_nettrace *trace = read_event(&rest, &payload, SIZE_MAX);
	assert_int_equal(status, NT_OK);
	assert_int_equal(values.count, 8);
	assert_true(real("small") == -3 && real("flag") == 1 && real("inner") == 2.5 && real("short") == 65535);
	assert_true(real("big") == -5 && real("narrow") == 0.5);
	assert_int_equal(nt_nettrace_values_find(&values, "guid")->length, 16);
	nt_nettrace_free(trace);
	for (size_t length = 0; length < payload.length; length++) {
		nt_nettrace_free(read_event(&rest, &payload, length));
		assert_int_equal(status, NT_ERR_MALFORMED);
	}
}

/* Arrays do not fit the old layout: the fields come in a tag behind it. */
static void fields_with_an_array(void **state)
{
	(void)state;
	struct stream rest = { .length = 0 }, fields = { .length = 0 }, payload = { .length = 0 };
	put_u32(&fields, 2);
	put_u32(&fields, 4 + 12 + 8);
	put_utf16(&fields, "array");
	put_u32(&fields, NT_NETTRACE_ARRAY);
	put_u32(&fields, NT_NETTRACE_U32);
	put_u32(&fields, 4 + 10 + 4 + 3); /* three bytes of a version to come */
	put_utf16(&fields, "text");
	put_u32(&fields, NT_NETTRACE_TEXT);
	put(&fields, "???", 3);
	put_u32(&rest, 0);
	put_u32(&rest, 1);
	put_u8(&rest, 1);
	put_u8(&rest, 4); /* the opcode: not looked at */
	put_u32(&rest, (uint32_t)fields.length);
	put_u8(&rest, 2);
	put(&rest, fields.bytes, fields.length);
	put_u16(&payload, 3);
	for (uint32_t i = 0; i < 3; i++)
		put_u32(&payload, i);
	put_utf16(&payload, "abc");

	struct nt_nettrace *trace = read_event(&rest, &payload, SIZE_MAX);
	assert_int_equal(status, NT_OK);
	assert_int_equal(values.count, 2);
	assert_int_equal(nt_nettrace_values_find(&values, "array")->length, 2 + 3 * 4);
	nt_nettrace_free(trace);
}

/* `type`: a number, ARRAY followed by what its elements are, or OBJECT: then its members are put into `inner` before. */
static void put_new_field(struct stream *s, const char *name, const struct stream *type)
{
	put_u32(s, (uint32_t)(4 + 2 * (strlen(name) + 1) + type->length));
	put_utf16(s, name);
	put(s, type->bytes, type->length);
}

static struct stream type_of(uint32_t type)
{
	struct stream s = { .length = 0 };
	put_u32(&s, type);
	return s;
}

/* Fields in the layout that has room for arrays: `pairs`, a list of objects of Key and Value; `numbers`, a list; and a bool, and a text. */
static void put_nested_fields(struct stream *rest)
{
	struct stream fields = { .length = 0 }, pairs = type_of(NT_NETTRACE_ARRAY), numbers = type_of(NT_NETTRACE_ARRAY);
	const struct stream text = type_of(NT_NETTRACE_TEXT), truth = type_of(NT_NETTRACE_BOOL);
	put_u32(&pairs, NT_NETTRACE_OBJECT);
	put_u32(&pairs, 2);
	put_new_field(&pairs, "Key", &text);
	put_new_field(&pairs, "Value", &text);
	put_u32(&numbers, NT_NETTRACE_U32);
	put_u32(&fields, 4);
	put_new_field(&fields, "pairs", &pairs);
	put_new_field(&fields, "numbers", &numbers);
	put_new_field(&fields, "paid", &truth);
	put_new_field(&fields, "text", &text);
	put_u32(rest, 0);
	put_u32(rest, (uint32_t)fields.length);
	put_u8(rest, 2);
	put(rest, fields.bytes, fields.length);
}

static void put_nested_payload(struct stream *payload, uint16_t number_count, unsigned truth_bytes)
{
	put_u16(payload, 2);
	for (const char *at = "kvlw"; *at; at++)
		put_utf16(payload, (const char[]){ *at, '\0' });
	put_u16(payload, number_count);
	for (uint32_t i = 0; i < number_count; i++)
		put_u32(payload, i);
	for (unsigned i = 0; i < truth_bytes; i++)
		put_u8(payload, i == 0);
	put_utf16(payload, "abc");
}

static void check_inner(size_t index, uint32_t type, uint32_t inner, uint32_t element_count)
{
	assert_int_equal(values.items[index].type, type);
	assert_int_equal(values.items[index].inner, inner);
	assert_int_equal(elements[index], element_count);
}

static void what_is_within_arrays(void **state)
{
	(void)state;
	struct stream rest = { .length = 0 }, payload = { .length = 0 };
	nested = true;
	put_nested_fields(&rest);
	put_nested_payload(&payload, 3, 4);
	struct nt_nettrace *trace = read_event(&rest, &payload, SIZE_MAX);
	assert_int_equal(status, NT_OK);
	assert_int_equal(values.count, 7 + 4 + 2);
	check_inner(0, NT_NETTRACE_ARRAY, 6, 2);
	check_inner(1, NT_NETTRACE_OBJECT, 2, 0);
	check_inner(4, NT_NETTRACE_OBJECT, 2, 0);
	assert_string_equal(values.items[5].name, "Key");
	check_inner(7, NT_NETTRACE_ARRAY, 3, 3);
	assert_true(values.items[10].value.u.integer == 2 && real("paid") == 1);
	assert_true(values.left_bytes == 0 && !values.passed_over);
	nt_nettrace_free(trace);
	for (size_t length = 0, arrays = payload.length - 4 - 8; length < arrays; length++) {
		nt_nettrace_free(read_event(&rest, &payload, length));
		assert_int_equal(status, NT_ERR_MALFORMED);
	}
	nested = false;
}

static void of_long_arrays_some_and_what_is_behind(void **state)
{
	(void)state;
	struct stream rest = { .length = 0 }, payload = { .length = 0 };
	nested = true;
	put_nested_fields(&rest);
	put_nested_payload(&payload, 1000, 4);
	nt_nettrace_free(read_event(&rest, &payload, SIZE_MAX));
	assert_int_equal(status, NT_OK);
	check_inner(7, NT_NETTRACE_ARRAY, NT_NETTRACE_ELEMENTS_MAX, 1000);
	assert_int_equal(values.count, 7 + 1 + NT_NETTRACE_ELEMENTS_MAX + 2);
	assert_true(values.passed_over);
	nested = false;
}

/* As EventSource.Write() has them. */
static void truths_of_one_byte(void **state)
{
	(void)state;
	static const unsigned widths[] = { 1, 4 };
	nested = true;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct stream rest = { .length = 0 }, payload = { .length = 0 };
		put_nested_fields(&rest);
		put_nested_payload(&payload, 0, widths[i]);
		struct nt_nettrace *trace = read_event(&rest, &payload, SIZE_MAX);
		assert_int_equal(status, NT_OK);
		assert_true(real("paid") == 1 && values.left_bytes == 0);
		nt_nettrace_free(trace);
	}
	nested = false;
}

static void what_nothing_describes_is_counted(void **state)
{
	(void)state;
	struct stream rest = { .length = 0 }, payload = { .length = 0 };
	nested = true;
	put_u32(&rest, 0);
	put_utf16(&payload, "abc");
	nt_nettrace_free(read_event(&rest, &payload, SIZE_MAX));
	assert_true(status == NT_OK && values.count == 0 && values.left_bytes == payload.length);
	nested = false;
}

static size_t array_length; /* bytes of the value that read_array() read; its name is gone with the stream */

/* `count` elements of what `element` describes, of which each takes `bytes` of zeros, or of ones. */
static enum nt_status read_array(const struct stream *element, uint16_t count, size_t bytes, uint8_t filler)
{
	struct stream rest = { .length = 0 };
	static struct stream payload;
	put_u32(&rest, 1);
	put_u32(&rest, NT_NETTRACE_ARRAY);
	put(&rest, element->bytes, element->length);
	put_utf16(&rest, "array");
	payload.length = 0;
	put_u16(&payload, count);
	for (size_t i = 0; i < count * bytes; i++)
		put_u8(&payload, filler);
	struct nt_nettrace *trace = read_event(&rest, &payload, SIZE_MAX);
	array_length = status == NT_OK ? nt_nettrace_values_find(&values, "array")->length : 0;
	nt_nettrace_free(trace);
	return status;
}

/* Arrays of arrays of objects without fields: 60 KB that say there are two milliards of them. */
static void what_takes_no_bytes_is_refused(void **state)
{
	(void)state;
	struct stream nothing = { .length = 0 }, array = { .length = 0 }, wide = { .length = 0 };
	put_u32(&nothing, NT_NETTRACE_OBJECT);
	put_u32(&nothing, 0);
	put_u32(&array, NT_NETTRACE_ARRAY);
	put(&array, nothing.bytes, nothing.length);
	put_u32(&wide, NT_NETTRACE_OBJECT);
	put_u32(&wide, 1000);
	for (int i = 0; i < 1000; i++) {
		put(&wide, nothing.bytes, nothing.length);
		put_utf16(&wide, "");
	}
	assert_int_equal(read_array(&array, 30000, 2, 0xff), NT_ERR_MALFORMED);
	assert_int_equal(read_array(&wide, UINT16_MAX, 0, 0), NT_ERR_MALFORMED);
	assert_int_equal(values.count, 0);
}

/* One byte may lie as deep as metadata can say it. */
static void what_lies_deep_is_read(void **state)
{
	(void)state;
	enum { OBJECTS = 14 };
	struct stream deep = { .length = 0 };
	for (int i = 0; i < OBJECTS; i++) {
		put_u32(&deep, NT_NETTRACE_OBJECT);
		put_u32(&deep, 1);
	}
	put_u32(&deep, NT_NETTRACE_U8);
	for (int i = 0; i < OBJECTS; i++)
		put_utf16(&deep, "");
	assert_int_equal(read_array(&deep, 60000, 1, 7), NT_OK);
	assert_int_equal(array_length, 2 + 60000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_of_dotnet_10),
		cmocka_unit_test(fields_of_every_type),
		cmocka_unit_test(fields_with_an_array),
		cmocka_unit_test(what_is_within_arrays),
		cmocka_unit_test(of_long_arrays_some_and_what_is_behind),
		cmocka_unit_test(truths_of_one_byte),
		cmocka_unit_test(what_nothing_describes_is_counted),
		cmocka_unit_test(what_takes_no_bytes_is_refused),
		cmocka_unit_test(what_lies_deep_is_read),
	};
	return cmocka_run_group_tests_name("nettrace_fields", tests, NULL, NULL);
}
