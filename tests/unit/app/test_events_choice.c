// SPDX-License-Identifier: GPL-2.0-only
/* Which events are chosen: as words, and by --event-source and --event-name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/common/options.h"

#include <stdio.h>
#include <string.h>

static struct nt_events_choice choice;
static struct nt_error err;

static void words_are_patterns(void **state)
{
	(void)state;
	assert_int_equal(nt_events_choice_parse("  clr/GC*  Shop-Orders/Taken:2:5 log:Shop.Cart=Debug ", &choice, &err), NT_OK);
	assert_int_equal(choice.count, 3);
	assert_string_equal(choice.patterns[0].event, "GC*");
	assert_string_equal(choice.patterns[1].provider, "Shop-Orders");
	assert_int_equal(choice.patterns[1].level, 5);
	assert_true(choice.patterns[2].is_log);
	assert_false(choice.with_stacks || choice.patterns[0].with_stack);
	assert_int_equal(nt_events_choice_parse("clr/GC* stacks Shop-Orders", &choice, &err), NT_OK);
	assert_true(choice.count == 2 && choice.with_stacks && choice.patterns[0].with_stack && choice.patterns[1].with_stack);
	assert_int_equal(nt_events_choice_parse("stacks", &choice, &err), NT_ERR_USAGE);
	assert_int_equal(nt_events_choice_parse("", &choice, &err), NT_OK);
	assert_int_equal(choice.count, 0);
}

static void what_is_none_says_so(void **state)
{
	(void)state;
	char many[200] = "";
	static const char *const wrong[] = { "clr/NoSuchEvent", "*/GCStart", "Shop Microsoft-DotNETCore-SampleProfiler",
					     "log:a=Debug log:b=Debug" };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (nt_events_choice_parse(wrong[i], &choice, &err) != NT_ERR_USAGE)
			fail_msg("%s is taken", wrong[i]);
	for (int i = 0; i <= NT_EVENT_PATTERNS_MAX; i++)
		strcat(many, "Shop ");
	assert_int_equal(nt_events_choice_parse(many, &choice, &err), NT_ERR_USAGE);
}

static const char *note_of(const char *text)
{
	static char note[NT_EVENTS_CHOICE_TEXT];
	assert_int_equal(nt_events_choice_parse(text, &choice, &err), NT_OK);
	return nt_events_choice_note(choice.patterns, choice.count, &choice.lttng, note, sizeof(note));
}

static void what_is_above_the_level_is_said_not_to_come(void **state)
{
	(void)state;
	assert_string_equal(note_of("clr/GC* log Shop:-1:5 Shop-Orders/7"), "");
	assert_string_equal(note_of("Shop-Orders/Taken"), "Shop-Orders up to level 4; NAME:-1:5 has Verbose ones, too");
	assert_string_equal(note_of("clr/GC* Shop-Orders Shop-Stock:2 stacks"),
			    "Shop-Orders, Shop-Stock up to level 4; NAME:-1:5 has Verbose ones, too");
	assert_string_equal(note_of("Shop-Orders:1:2"), "Shop-Orders up to level 2; NAME:-1:5 has Verbose ones, too");
	char small[12];
	nt_events_choice_note(choice.patterns, choice.count, &choice.lttng, small, sizeof(small));
	assert_string_equal(small, "Shop-Orders");
}

static void those_over_lttng_are_alone_and_harmless(void **state)
{
	(void)state;
	assert_int_equal(nt_events_choice_parse("lttng/GCStart lttng/GCEnd", &choice, &err), NT_OK);
	assert_true(choice.lttng.count == 2 && choice.count == 0);
	assert_int_equal(nt_events_choice_parse("lttng/GCStart clr/GCEnd", &choice, &err), NT_ERR_USAGE);
	assert_int_equal(nt_events_choice_parse("lttng/GCStart stacks", &choice, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "no call stacks"));
	assert_int_equal(nt_events_choice_parse("lttng/ExceptionThrown", &choice, &err), NT_ERR_FORBIDDEN);
	assert_string_equal(note_of("lttng/GCStart"), "");
	assert_non_null(strstr(note_of("lttng/Exception*"), "left out over LTTng: ExceptionThrown"));
	assert_string_equal(note_of("clr/GCStart"), "");
}

/* Of words with blanks between them, but for the last one. */
static const char *chosen(const char *words, const char *last)
{
	enum { MOST = 16 };
	static struct nt_options options;
	static char line[200];
	char *argv[MOST] = { NULL }, *rest = NULL;
	int argc = 0;
	snprintf(line, sizeof(line), "nettop -p 1 %s", words);
	for (char *word = strtok_r(line, " ", &rest); word && argc < MOST - 2; word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	char value[64];
	snprintf(value, sizeof(value), "%s", last);
	argv[argc++] = value;
	return nt_options_parse(&options, argc, argv, &err) == NT_OK ? options.event_choice : NULL;
}

static void options_say_the_same(void **state)
{
	(void)state;
	assert_string_equal(chosen("", "--json"), "");
	assert_string_equal(chosen("--event-source", "Shop-Orders"), "Shop-Orders");
	assert_string_equal(chosen("--event-source", "Shop-Orders:2:5"), "Shop-Orders:2:5");
	assert_string_equal(chosen("--event-source Shop-Orders --event-name", "Taken"), "Shop-Orders/Taken");
	assert_string_equal(chosen("--event-source Shop-Orders --event-name Taken --event-name", "7"), "Shop-Orders/Taken Shop-Orders/7");
	assert_string_equal(chosen("--event-source Shop-Orders --event-source", "Shop-Stock"), "Shop-Orders Shop-Stock");
	assert_string_equal(chosen("--event-name", "GCStart"), "clr/GCStart");
	assert_null(chosen("--event-source clr --event-name", "NoSuchEvent"));
	assert_null(chosen("--event-source", ""));
	assert_null(chosen("--event-source", "a b"));
	assert_null(chosen("--event-name", "a/b c"));
	assert_null(chosen("--event-source", "System.Diagnostics.Metrics"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_patterns),
		cmocka_unit_test(what_is_none_says_so),
		cmocka_unit_test(what_is_above_the_level_is_said_not_to_come),
		cmocka_unit_test(those_over_lttng_are_alone_and_harmless),
		cmocka_unit_test(options_say_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
