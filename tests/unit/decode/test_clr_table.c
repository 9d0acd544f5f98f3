// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/clr/clr.h"

#include <string.h>

static void test_every_entry_is_sound(void **state)
{
	(void)state;
	const struct nt_clr_desc *desc;
	size_t count = 0;
	for (; (desc = nt_clr_at_index(count)); count++) {
		assert_true(desc->field_count <= NT_CLR_FIELDS_MAX);
		assert_ptr_equal(nt_clr_by_lttng_name(desc->name), desc);
		assert_ptr_equal(nt_clr_by_id(NT_CLR_PROVIDER, desc->id, desc->version), desc);
		bool array = false;
		for (unsigned i = 0; i < desc->field_count; i++) {
			const struct nt_clr_field *field = &desc->fields[i];
			array |= field->wire == NT_WIRE_REST;
			assert_int_equal(nt_clr_field_index(desc, field->name), i);
			assert_true(!field->member == !field->offset);
			assert_true(field->offset < sizeof(struct nt_event));
			assert_true(desc->kind != NT_EV_NONE || !field->member);
		}
		/* genLttngProvider.py: more than 9 parameters, or an array. */
		assert_int_equal(desc->packed_over_lttng, desc->field_count > 9 || array);
	}
	assert_true(count > 70);
}

static void test_packed_sizes(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		size_t bytes;
	} known[] = {
		{ "GCHeapStats", 92 },
		{ "GCHeapStats_V1", 94 },
		{ "GCHeapStats_V2", 110 },
		{ "GCGlobalHeapHistory_V3", 46 },
		{ "ThreadPoolWorkerThreadAdjustmentStats", 76 },
		{ "GCStart_V2", 26 },
	};
	static const uint8_t zeros[128];
	struct nt_clr_value values[NT_CLR_FIELDS_MAX];
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const struct nt_clr_desc *desc = nt_clr_by_lttng_name(known[i].name);
		assert_non_null(desc);
		assert_int_equal(nt_clr_values_from_packed(desc, zeros, known[i].bytes, values), NT_OK);
		assert_int_equal(nt_clr_values_from_packed(desc, zeros, known[i].bytes - 1, values), NT_ERR_MALFORMED);
	}
}

static void test_newer_version_decodes_as_newest_known(void **state)
{
	(void)state;
	assert_string_equal(nt_clr_by_lttng_name("DotNETRuntime:GCStart_V9")->name, "GCStart_V2");
	assert_string_equal(nt_clr_by_lttng_name("GCStart_V1")->name, "GCStart_V1");
	assert_string_equal(nt_clr_by_id(NT_CLR_PROVIDER, 10, 77)->name, "GCAllocationTick_V4");
	/* A version older than all known ones has another layout. */
	assert_null(nt_clr_by_lttng_name("GCPerHeapHistory_V2"));
	assert_null(nt_clr_by_lttng_name("GCPerHeapHistory"));
}

static void test_what_is_not_in_the_table(void **state)
{
	(void)state;
	assert_null(nt_clr_by_lttng_name("DotNETRuntimeRundown:GCStart_V2"));
	assert_null(nt_clr_by_lttng_name("lttng_ust_statedump:start"));
	assert_null(nt_clr_by_lttng_name("DotNETRuntime:BulkType"));
	assert_null(nt_clr_by_lttng_name("DotNETRuntime:"));
	assert_null(nt_clr_by_lttng_name(""));
	assert_null(nt_clr_by_lttng_name("_V2"));
	assert_null(nt_clr_by_id("System.Runtime", 1, 2));
	assert_null(nt_clr_by_id(NT_CLR_PROVIDER, 9999, 0));
	assert_int_equal(nt_clr_field_index(nt_clr_by_lttng_name("GCStart_V2"), "NoSuchField"), -1);
}

/* An event with a text that may be null ends the program over LTTng: each was examined, and what ends it is not packed, for packed texts are not measured. */
static void test_every_text_was_examined(void **state)
{
	(void)state;
	size_t ends = 0;
	const struct nt_clr_desc *desc;
	for (size_t i = 0; (desc = nt_clr_at_index(i)); i++) {
		for (unsigned f = 0; f < desc->field_count; f++) {
			const char *why;
			enum nt_clr_null null = nt_clr_null_text(desc->base, desc->fields[f].name, &why);
			if ((null == NT_CLR_NULL_UNKNOWN) != (desc->fields[f].wire != NT_WIRE_STR))
				fail_msg("%s.%s: a text that nobody has examined, or none", desc->name, desc->fields[f].name);
			assert_false(null == NT_CLR_NULL_ENDS && desc->packed_over_lttng);
			ends += null == NT_CLR_NULL_ENDS;
		}
	}
	const char *why;
	assert_int_equal(nt_clr_null_text("ExceptionThrown", "ExceptionMessage", &why), NT_CLR_NULL_ENDS);
	assert_int_equal(ends, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_entry_is_sound),
		cmocka_unit_test(test_packed_sizes),
		cmocka_unit_test(test_newer_version_decodes_as_newest_known),
		cmocka_unit_test(test_what_is_not_in_the_table),
		cmocka_unit_test(test_every_text_was_examined),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
