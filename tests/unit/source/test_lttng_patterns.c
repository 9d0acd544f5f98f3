// SPDX-License-Identifier: GPL-2.0-only
/* What nettop enables over LTTng ends no program: no pattern of ours matches an event with a text that may be null and is measured first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/clr/clr.h"
#include "source/lttng/lttng_chosen.h"
#include "source/lttng/lttng_session.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_programs(const struct nt_clr_desc *desc)
{
	const char *why;
	for (unsigned i = 0; i < desc->field_count; i++)
		if (nt_clr_null_text(desc->base, desc->fields[i].name, &why) == NT_CLR_NULL_ENDS)
			return true;
	return false;
}

/* LTTng's patterns know `*` and the backslash, as the shell's do. */
static bool matches(const char *pattern, const struct nt_clr_desc *desc)
{
	char name[128];
	snprintf(name, sizeof(name), NT_CLR_LTTNG_PROVIDER ":%s", desc->name);
	return fnmatch(pattern, name, 0) == 0;
}

static void test_no_pattern_of_ours_ends_programs(void **state)
{
	(void)state;
	const struct nt_clr_desc *desc;
	const char *pattern;
	size_t harmful = 0, matched = 0;
	for (size_t i = 0; (desc = nt_clr_at_index(i)); i++) {
		harmful += ends_programs(desc);
		for (size_t k = 0; (pattern = nt_lttng_session_pattern(k)); k++) {
			if (ends_programs(desc) && matches(pattern, desc))
				fail_msg("%s enables %s, which ends programs", pattern, desc->name);
			matched += matches(pattern, desc);
		}
	}
	assert_true(harmful > 0);
	assert_true(matched > 30);
}

static bool is_named(const char *rule, const char *name)
{
	size_t length = strlen(name);
	rule += sizeof(NT_CLR_LTTNG_PROVIDER);
	return strncmp(rule, name, length) == 0 && (!rule[length] || strncmp(rule + length, "_V", 2) == 0);
}

static void test_no_rule_of_what_is_chosen_ends_programs(void **state)
{
	(void)state;
	static const char *const never[] = { "ExceptionThrown",  "EventSource", "GCDynamicEvent", "GCBulkNode",
					     "GCAllocationTick", "GCJoin",      "SetGCHandle" };
	struct nt_lttng_chosen chosen = { .count = 0 };
	struct nt_error err = { 0 };
	char rule[NT_LTTNG_RULE_BYTES];
	size_t count = 0;
	assert_int_equal(nt_lttng_chosen_add(&chosen, "lttng/*", &err), NT_OK);
	for (; nt_lttng_chosen_rule(&chosen, count, rule); count++)
		for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
			if (is_named(rule, never[i]))
				fail_msg("%s is enabled", rule);
	assert_true(count > 100);
	assert_true(chosen.left_out_count > 20);
	struct nt_text_buffer said = { 0 };
	nt_lttng_chosen_put_left_out(&chosen, &said);
	char *text = nt_text_buffer_take(&said);
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (!strstr(text, never[i]))
			fail_msg("%s is not said to be left out: %s", never[i], text);
	free(text);
}

static void test_rules_of_a_name(void **state)
{
	(void)state;
	struct nt_lttng_chosen chosen = { .count = 0 };
	struct nt_error err = { 0 };
	char rule[NT_LTTNG_RULE_BYTES];
	static const char *const expected[] = { "DotNETRuntime:GCStart", "DotNETRuntime:GCEnd", "DotNETRuntime:GCEnd_V1" };
	assert_int_equal(nt_lttng_chosen_add(&chosen, "lttng/GCEnd", &err), NT_OK);
	assert_int_equal(nt_lttng_chosen_add(&chosen, "lttng/GCEn?", &err), NT_OK); /* the same again */
	for (size_t i = 0; i < 3; i++) {
		assert_true(nt_lttng_chosen_rule(&chosen, i, rule));
		assert_string_equal(rule, expected[i]);
	}
	assert_false(nt_lttng_chosen_rule(&chosen, 3, rule));
	assert_int_equal(nt_lttng_chosen_add(&chosen, "lttng/NoSuch", &err), NT_ERR_USAGE);
	assert_int_equal(nt_lttng_chosen_add(&chosen, "lttng/ExceptionThrown", &err), NT_ERR_FORBIDDEN);
}

static void test_shapes_by_their_names_over_lttng(void **state)
{
	(void)state;
	assert_string_equal(nt_clr_shape_by_lttng_name("DotNETRuntime:GCStart_V2")->name, "GCStart");
	assert_string_equal(nt_clr_shape_by_lttng_name("DotNETRuntime:GCStart")->name, "GCStart");
	static const char *const none[] = {
		"DotNETRuntime:GCStart_V", "DotNETRuntime:GCStartX", "DotNETRuntime:GCStart_V2x", "Other:GCStart", "GCStart", ""
	};
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_null(nt_clr_shape_by_lttng_name(none[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_no_pattern_of_ours_ends_programs),
					    cmocka_unit_test(test_no_rule_of_what_is_chosen_ends_programs),
					    cmocka_unit_test(test_rules_of_a_name),
					    cmocka_unit_test(test_shapes_by_their_names_over_lttng) };
	return cmocka_run_group_tests_name("lttng_patterns", tests, NULL, NULL);
}
