// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ust0/describe.h"
#include "ust0/stubs.h"

#include <string.h>

#define INTEGER(bits, sign, radix)                                                                                                         \
	{                                                                                                                                  \
		.size = (bits), .alignment = 8, .is_signed = (sign), .base = (radix)                                                       \
	}

static const struct ust0_enum_entry entries[] = {
	{ .start = { 0, 0 }, .end = { 0, 0 }, .string = "zero" },
	{ .start = { (uint64_t)-5, 1 }, .end = { 9, 1 }, .string = "some" },
	{ .start = { UINT64_MAX, 0 }, .end = { UINT64_MAX, 0 }, .string = "next", .options = 1 },
};
static const struct ust0_enum_desc colours = { .name = "colours", .entries = entries, .entry_count = 3 };

static const struct ust0_field fields[] = {
	{ .name = "number", .type = { .kind = UST0_INTEGER, .u.basic.integer = INTEGER(32, 1, 10) } },
	{ .name = "reverse",
	  .type = { .kind = UST0_INTEGER, .u.basic.integer = { .size = 16, .alignment = 16, .is_reverse = 1, .base = 16 } },
	  .is_nowrite = 1 },
	{ .name = "text", .type = { .kind = UST0_STRING, .u.basic.string = { 1 } } },
	{ .name = "real",
	  .type = { .kind = UST0_FLOAT, .u.basic.floating = { .exponent_bits = 11, .mantissa_bits = 53, .alignment = 64 } } },
	{ .name = "colour", .type = { .kind = UST0_ENUM, .u.basic.enumeration = { &colours, INTEGER(8, 0, 10) } } },
	{ .name = "array",
	  .type = { .kind = UST0_ARRAY, .u.array = { { .kind = UST0_INTEGER, .basic.integer = INTEGER(64, 0, 16) }, 7 } } },
	{ .name = "bytes",
	  .type = { .kind = UST0_SEQUENCE,
		    .u.sequence = { { .kind = UST0_INTEGER, .basic.integer = INTEGER(16, 0, 10) },
				    { .kind = UST0_INTEGER,
				      .basic.integer = { .size = 8, .alignment = 8, .base = 10, .encoding = 1 } } } } },
	{ .name = "again", .type = { .kind = UST0_ENUM, .u.basic.enumeration = { &colours, INTEGER(8, 0, 10) } } },
};
enum { FIELDS = sizeof(fields) / sizeof(*fields) };

static void probe(void)
{
}

static const int level = 5, *level_pointer = &level;
static const struct ust0_event_desc event = { .name = "Runtime:Event",
					      .probe = probe,
					      .fields = fields,
					      .field_count = FIELDS,
					      .loglevel = &level_pointer,
					      .signature = "int, number" };
static const struct ust0_event_desc empty = { .name = "Runtime:Empty", .probe = probe, .fields = fields, .signature = "" };
static const struct ust0_event_desc stranger = { .name = "Other:Event", .probe = probe, .fields = fields, .signature = "" };
static const struct ust0_field odd_field = { .name = "odd", .type = { .kind = UST0_DYNAMIC } };
static const struct ust0_event_desc odd = {
	.name = "Runtime:Odd", .probe = probe, .fields = &odd_field, .field_count = 1, .signature = ""
};
static const struct ust0_event_desc *const events[] = { &event, &odd, &stranger, &empty };

static const struct ust1_field *field_at(const struct ust1_probe_desc *desc, size_t at, const char *name, enum ust1_type kind)
{
	const struct ust1_field *field = desc->events[0]->class->fields[at];
	assert_string_equal(field->name, name);
	assert_int_equal(field->type->kind, kind);
	assert_int_equal(field->struct_size, sizeof(*field));
	return field;
}

static void test_events(void **state)
{
	(void)state;
	const struct ust0_probe_desc old = { .provider = "Runtime", .events = events, .event_count = 4, .major = 1 };
	const struct ust1_probe_desc *desc = ust0_describe(&old);
	assert_string_equal(desc->provider, "Runtime");
	assert_int_equal(desc->major, UST1_PROVIDER_MAJOR);
	assert_int_equal(desc->event_count, 2); // without the odd one and the stranger
	assert_string_equal(desc->events[0]->name, "Event");
	assert_ptr_equal(desc->events[0]->probe_desc, desc);
	assert_ptr_equal(desc->events[0]->loglevel, &level_pointer);
	assert_string_equal(desc->events[0]->class->signature, "int, number");
	assert_ptr_equal(desc->events[0]->class->probe_desc, desc);
	assert_string_equal(desc->events[1]->name, "Empty");
	assert_int_equal(desc->events[1]->class->field_count, 0);
	assert_true((const char *)(uintptr_t)desc->events[0]->class->probe >= ust0_stubs[0]);
	assert_true(desc->events[0]->class->probe != desc->events[1]->class->probe);
}

static void test_fields(void **state)
{
	(void)state;
	const struct ust0_probe_desc old = { .provider = "Runtime", .events = events, .event_count = 1, .major = 1 };
	const struct ust1_probe_desc *desc = ust0_describe(&old);
	assert_int_equal(desc->events[0]->class->field_count, FIELDS + 1);

	const struct ust1_integer *number = (const void *)field_at(desc, 0, "number", UST1_INTEGER)->type;
	assert_int_equal(number->size, 32);
	assert_true(number->is_signed);
	assert_false(number->is_reverse);
	assert_int_equal(number->base, 10);
	const struct ust1_field *reverse = field_at(desc, 1, "reverse", UST1_INTEGER);
	assert_true(reverse->is_nowrite);
	assert_true(((const struct ust1_integer *)(const void *)reverse->type)->is_reverse);
	assert_int_equal(((const struct ust1_string *)(const void *)field_at(desc, 2, "text", UST1_STRING)->type)->encoding, 1);
	const struct ust1_float *real = (const void *)field_at(desc, 3, "real", UST1_FLOAT)->type;
	assert_int_equal(real->exponent_bits, 11);
	assert_int_equal(real->mantissa_bits, 53);
	assert_int_equal(real->alignment, 64);
	const struct ust1_array *array = (const void *)field_at(desc, 5, "array", UST1_ARRAY)->type;
	assert_int_equal(array->length, 7);
	assert_int_equal(array->encoding, 0);
	assert_int_equal(((const struct ust1_integer *)(const void *)array->element)->base, 16);
}

static void test_a_sequence_becomes_two_fields(void **state)
{
	(void)state;
	const struct ust0_probe_desc old = { .provider = "Runtime", .events = events, .event_count = 1, .major = 1 };
	const struct ust1_probe_desc *desc = ust0_describe(&old);
	const struct ust1_field *length = field_at(desc, 6, "_bytes_length", UST1_INTEGER);
	assert_true(length->is_nofilter);
	assert_int_equal(((const struct ust1_integer *)(const void *)length->type)->size, 16);
	const struct ust1_field *elements = field_at(desc, 7, "bytes", UST1_SEQUENCE);
	assert_false(elements->is_nofilter);
	const struct ust1_sequence *sequence = (const void *)elements->type;
	assert_null(sequence->length_name);
	assert_int_equal(sequence->encoding, 1);
}

static void test_enumerations_are_shared(void **state)
{
	(void)state;
	const struct ust0_probe_desc old = { .provider = "Runtime", .events = events, .event_count = 1, .major = 1 };
	const struct ust1_probe_desc *desc = ust0_describe(&old);
	const struct ust1_enum *colour = (const void *)field_at(desc, 4, "colour", UST1_ENUM)->type;
	const struct ust1_enum *again = (const void *)field_at(desc, 8, "again", UST1_ENUM)->type;
	assert_ptr_equal(colour->desc, again->desc);
	assert_ptr_equal(colour->desc->probe_desc, desc);
	assert_string_equal(colour->desc->name, "colours");
	assert_int_equal(colour->desc->entry_count, 3);
	assert_int_equal((long long)colour->desc->entries[1]->start.value, -5);
	assert_true(colour->desc->entries[1]->start.is_signed);
	assert_int_equal(colour->desc->entries[1]->end.value, 9);
	assert_string_equal(colour->desc->entries[2]->string, "next");
	assert_int_equal(colour->desc->entries[2]->options, 1);
	assert_int_equal(((const struct ust1_integer *)(const void *)colour->container)->size, 8);
}

static void test_another_version_is_not_described(void **state)
{
	(void)state;
	const struct ust0_probe_desc later = { .provider = "Runtime", .events = events, .event_count = 1, .major = 2 };
	assert_null(ust0_describe(&later));
	const struct ust0_probe_desc nothing = { .provider = "Other", .events = events, .event_count = 1, .major = 1 };
	assert_null(ust0_describe(&nothing));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_a_sequence_becomes_two_fields),
		cmocka_unit_test(test_enumerations_are_shared),
		cmocka_unit_test(test_another_version_is_not_described),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
