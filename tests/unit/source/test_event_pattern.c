// SPDX-License-Identifier: GPL-2.0-only
/* What a pattern of `nettop events` asks a process for, and what is not asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/clr/clr.h"
#include "decode/eventpipe/clr_shapes.h"
#include "source/eventpipe/event_pattern.h"

#include <stdlib.h>
#include <string.h>

static struct nt_event_pattern parsed(const char *text)
{
	struct nt_event_pattern pattern;
	struct nt_error err = { 0 };
	if (nt_event_pattern_parse(text, &pattern, &err) != NT_OK)
		fail_msg("%s: %s", text, err.cause[0]);
	return pattern;
}

static void check_refused(const char *text, const char *words)
{
	struct nt_event_pattern pattern;
	struct nt_error err = { 0 };
	assert_int_equal(nt_event_pattern_parse(text, &pattern, &err), NT_ERR_USAGE);
	if (!strstr(err.cause[0], words))
		fail_msg("%s: %s", text, err.cause[0]);
}

static void an_event_source_is_asked_for_all_of_it(void **state)
{
	(void)state;
	struct nt_event_pattern pattern = parsed("System.Net.Http");
	assert_string_equal(pattern.provider, "System.Net.Http");
	assert_string_equal(pattern.event, "*");
	assert_true(pattern.keywords == UINT64_MAX);
	assert_int_equal(pattern.level, 4);
	assert_string_equal(pattern.arguments, "");
	assert_true(nt_event_pattern_has(&pattern, "System.Net.Http", "RequestStart", 1));
	assert_false(nt_event_pattern_has(&pattern, "System.Net.Sockets", "RequestStart", 1));
}

static void keywords_level_and_arguments_are_behind_it(void **state)
{
	(void)state;
	struct nt_event_pattern pattern = parsed("Shop-Orders/Order*:0x12:5:A=b:c;D=/e");
	assert_string_equal(pattern.provider, "Shop-Orders");
	assert_string_equal(pattern.event, "Order*");
	assert_int_equal(pattern.keywords, 0x12);
	assert_int_equal(pattern.level, 5);
	assert_string_equal(pattern.arguments, "A=b:c;D=/e");
	assert_true(parsed("Shop-Orders:-1").keywords == UINT64_MAX);
}

static void the_runtime_is_asked_for_what_brings_the_event(void **state)
{
	(void)state;
	struct nt_event_pattern pattern = parsed("clr/GCStart");
	assert_string_equal(pattern.provider, NT_CLR_PROVIDER);
	assert_int_equal(pattern.keywords, 1);
	assert_int_equal(pattern.level, 4);
	assert_int_equal(parsed("Microsoft-Windows-DotNETRuntime/GCStart").keywords, 1);
}

static void no_pattern_makes_the_runtime_collect(void **state)
{
	(void)state;
	assert_int_equal(parsed("clr").keywords & (0x800000 | 0x400000 | 0x100000 | 0xc0), 0);
	assert_int_equal(parsed("clr/*").keywords & (0x800000 | 0x400000 | 0x100000 | 0xc0), 0);
	check_refused("clr/GCBulkNode", "nettop heap");
	check_refused("clr:0x800000", "nettop heap");
	check_refused("clr:-1", "nettop heap");
}

static void what_others_do_better_is_named(void **state)
{
	(void)state;
	check_refused("Microsoft-DotNETCore-SampleProfiler", "--wall");
	check_refused("System.Diagnostics.Metrics", "--counters");
	check_refused("Microsoft-Diagnostics-DiagnosticSource", "--requests");
}

static void what_is_no_pattern_says_why(void **state)
{
	(void)state;
	check_refused("", "no name");
	check_refused("/x", "no name");
	check_refused("x/", "none of an event");
	check_refused("Shop*/x", "named whole");
	check_refused("clr/NoSuch", "no event of this name");
	check_refused("x:y", "keywords");
	check_refused("x:1:9", "level");
	check_refused("x:1:", "level");
	check_refused("log:", "no category");
}

static void a_log_has_the_filters_of_the_program_or_its_own(void **state)
{
	(void)state;
	struct nt_event_pattern pattern = parsed("log");
	assert_string_equal(pattern.provider, "Microsoft-Extensions-Logging");
	assert_string_equal(pattern.event, "FormattedMessage");
	assert_string_equal(pattern.arguments, "FilterSpecs=UseAppFilters");
	assert_string_equal(parsed("log:Shop.Cart=Debug;Shop=Trace").arguments, "FilterSpecs=Shop.Cart:Debug;Shop:Trace;Default:None");
	assert_string_equal(parsed("logger").provider, "logger");
}

static void patterns_of_one_provider_are_one_request(void **state)
{
	(void)state;
	const struct nt_event_pattern patterns[] = { parsed("A/x:1:2"), parsed("B"), parsed("A/y:2:5:k=v"), parsed("clr/GCStart") };
	struct nt_event_request request;
	assert_int_equal(nt_event_request_make(patterns, 4, &request, NULL), NT_OK);
	assert_int_equal(request.count, 3);
	assert_string_equal(request.providers[0].name, "A");
	assert_int_equal(request.providers[0].keywords, 3);
	assert_int_equal(request.providers[0].level, 5);
	assert_string_equal(request.providers[0].arguments, "k=v");
	assert_int_equal(request.providers[0].filter, NT_IPC_FILTER_NONE);
	assert_int_equal(request.providers[2].filter, NT_IPC_FILTER_ONLY);
	assert_int_equal(request.providers[2].filter_ids[0], 1);
	const struct nt_event_pattern other[] = { parsed("A:1:1:k=v"), parsed("A:1:1:k=w") };
	assert_int_equal(nt_event_request_make(other, 2, &request, NULL), NT_ERR_USAGE);
}

/* By their numbers the process makes them alone; a name among them needs all. */
static void numbers_are_filtered_in_the_process(void **state)
{
	(void)state;
	const struct nt_event_pattern patterns[] = { parsed("A/2"), parsed("clr/2"), parsed("A/7"),
						     parsed("B/1"), parsed("B/x"),   parsed("A/2") };
	struct nt_event_request request;
	assert_int_equal(nt_event_request_make(patterns, 6, &request, NULL), NT_OK);
	assert_int_equal(request.count, 3);
	assert_int_equal(request.providers[0].filter, NT_IPC_FILTER_ONLY);
	assert_int_equal(request.providers[0].filter_count, 2);
	assert_true(request.providers[0].filter_ids[0] == 2 && request.providers[0].filter_ids[1] == 7);
	assert_int_equal(request.providers[1].filter_count, 2);
	assert_true(request.providers[1].filter_ids[0] == 1 && request.providers[1].filter_ids[1] == 2);
	assert_int_equal(request.providers[1].keywords, 1);
	assert_int_equal(request.providers[2].filter, NT_IPC_FILTER_NONE);
	assert_true(nt_event_pattern_has(&patterns[0], "A", "OrderLine", 2) && !nt_event_pattern_has(&patterns[0], "A", "2", 3));
	check_refused("clr/99999", "no event of this name");
	check_refused("clr/18", "nettop heap");
}

static void check_chosen(const char *const *sources, size_t source_count, const char *const *names, size_t name_count, const char *all)
{
	char *chosen[NT_EVENT_PATTERNS_MAX], text[256] = "";
	size_t count;
	assert_int_equal(nt_event_patterns_choose(sources, source_count, names, name_count, chosen, &count, NULL), NT_OK);
	for (size_t i = 0; i < count; i++) {
		strcat(strcat(text, i ? " " : ""), chosen[i]);
		free(chosen[i]);
	}
	assert_string_equal(text, all);
}

static void sources_and_names_are_patterns(void **state)
{
	(void)state;
	static const char *const sources[] = { "A", "B" }, *const names[] = { "x*", "2" };
	check_chosen(sources, 2, NULL, 0, "A/* B/*");
	check_chosen(sources, 2, names, 2, "A/x* A/2 B/x* B/2");
	check_chosen(NULL, 0, names, 1, "clr/x*");
	check_chosen(NULL, 0, NULL, 0, "");
	char *chosen[NT_EVENT_PATTERNS_MAX];
	const char *many[NT_EVENT_PATTERNS_MAX];
	size_t count;
	for (size_t i = 0; i < NT_EVENT_PATTERNS_MAX; i++)
		many[i] = "n";
	assert_int_equal(nt_event_patterns_choose(sources, 2, many, NT_EVENT_PATTERNS_MAX, chosen, &count, NULL), NT_ERR_USAGE);
	while (count)
		free(chosen[--count]);
}

static void what_may_have_a_null_text_is_known(void **state)
{
	(void)state;
	const struct nt_event_pattern safe[] = { parsed("clr/GCStart"), parsed("log") }, harmful[] = { parsed("clr/ExceptionThrown") },
				      verbose[] = { parsed("clr/GCStart:1:5") },
				      beside[] = { parsed("Microsoft-Windows-DotNETRuntimePrivate:1:1") };
	assert_ptr_equal(nt_event_patterns_harmful(beside, 1), beside);
	assert_null(nt_event_patterns_harmful(safe, 2));
	assert_ptr_equal(nt_event_patterns_harmful(harmful, 1), harmful);
	assert_ptr_equal(nt_event_patterns_harmful(verbose, 1), verbose);
}

/* The two tables are of different origin: of what both know, name and first fields are the same. */
static void shapes_are_as_the_other_table_has_them(void **state)
{
	(void)state;
	size_t compared = 0;
	for (uint32_t id = 0; id < 1000; id++) {
		const struct nt_clr_desc *desc = nt_clr_by_id(NT_CLR_PROVIDER, id, UINT32_MAX);
		const struct nt_clr_shape *shape = nt_clr_shape_find(id);
		if (!desc || !shape)
			continue;
		assert_string_equal(shape->name, desc->base);
		for (uint32_t i = 0; i < shape->field_count && i < desc->field_count; i++)
			assert_string_equal(shape->fields[i].name, desc->fields[i].name);
		compared++;
	}
	assert_true(compared > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_source_is_asked_for_all_of_it),
		cmocka_unit_test(keywords_level_and_arguments_are_behind_it),
		cmocka_unit_test(the_runtime_is_asked_for_what_brings_the_event),
		cmocka_unit_test(no_pattern_makes_the_runtime_collect),
		cmocka_unit_test(what_others_do_better_is_named),
		cmocka_unit_test(what_is_no_pattern_says_why),
		cmocka_unit_test(a_log_has_the_filters_of_the_program_or_its_own),
		cmocka_unit_test(patterns_of_one_provider_are_one_request),
		cmocka_unit_test(numbers_are_filtered_in_the_process),
		cmocka_unit_test(sources_and_names_are_patterns),
		cmocka_unit_test(what_may_have_a_null_text_is_known),
		cmocka_unit_test(shapes_are_as_the_other_table_has_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
