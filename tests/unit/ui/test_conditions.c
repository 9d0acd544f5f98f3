// SPDX-License-Identifier: GPL-2.0-only
/* Conditions on fields in a filter: which words are some, and when they hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/told_row.h"
#include "ui/rows/filter.h"

#include <string.h>

static const struct nt_told_row row = {
	.tid = 4711,
	.event = "clr/GCStart",
	.activity = "00000003-0002-0003-0405-060708090a0b",
	.fields = "PauseNs=1200 Reason=\"Induced\" At=0x7f0000000000 Ratio=-0.5",
	.lines = "PauseNs=1200\nReason=\"Induced\"\nAt=0x7f0000000000\nRatio=-0.5",
};

static bool passes(const char *text)
{
	struct nt_filter filter = { .active = false };
	nt_filter_set(&filter, text, true);
	assert_false(filter.invalid);
	bool matches = nt_filter_matches(&filter, &nt_table_events, NULL, &row);
	nt_filter_fini(&filter);
	return matches;
}

static void numbers_are_compared_as_numbers(void **state)
{
	(void)state;
	static const char *const hold[] = { "PauseNs>1000", "PauseNs>=1200",  "PauseNs<1e6",       "PauseNs=1200.0",
					    "PauseNs!=120", "PauseNs<=0x4b0", "At=0x7f0000000000", "at>1",
					    "Ratio<0",      "thread=4711",    "tid>4000" };
	static const char *const fail[] = {
		"PauseNs>1200", "PauseNs<1200", "PauseNs=12", "thread=4712", "NoSuch>0", "NoSuch!=1", "Reason>1"
	};
	for (size_t i = 0; i < sizeof(hold) / sizeof(hold[0]); i++)
		if (!passes(hold[i]))
			fail_msg("%s does not hold", hold[i]);
	for (size_t i = 0; i < sizeof(fail) / sizeof(fail[0]); i++)
		if (passes(fail[i]))
			fail_msg("%s holds", fail[i]);
}

static void texts_are_the_same_or_not(void **state)
{
	(void)state;
	assert_true(passes("Reason=induced"));
	assert_true(passes("Reason=Ind*"));
	assert_false(passes("Reason!=Induced"));
	assert_true(passes("Reason!=LOH"));
	assert_true(passes("activity=00000003-*"));
	assert_true(passes("event=clr/gcstart"));
}

static void other_words_are_an_expression(void **state)
{
	(void)state;
	assert_true(passes("PauseNs>1 GCStart"));

	assert_false(passes("PauseNs>1 GCEnd"));
	assert_true(passes("^clr PauseNs>1"));
	assert_true(passes("")); /* no filter */
	/* What is still being typed hides nothing. */
	assert_true(passes("PauseNs>"));
	assert_true(passes("PauseNs"));
}

/* A row that is no event has no fields, and tells that something is missing: a text finds it, a condition does not. */
static void rows_that_are_no_events(void **state)
{
	(void)state;
	const struct nt_told_row lost = { .kind = NT_TOLD_ROW_LOST, .event = "LOST", .fields = "3 events lost", .lines = "3 events lost" };
	struct nt_filter filter = { .active = false };
	nt_filter_set(&filter, "thread=0", true);
	assert_false(nt_filter_matches(&filter, &nt_table_events, NULL, &lost));
	nt_filter_set(&filter, "lost", true);
	assert_true(nt_filter_matches(&filter, &nt_table_events, NULL, &lost));
	nt_filter_fini(&filter);
}

static void an_expression_that_is_none_keeps_the_last(void **state)
{
	(void)state;
	struct nt_filter filter = { .active = false };
	nt_filter_set(&filter, "PauseNs>5000", true);
	nt_filter_set(&filter, "PauseNs>1 (", true);
	assert_true(filter.invalid);
	assert_false(nt_filter_matches(&filter, &nt_table_events, NULL, &row));
	/* Of other tables a = is a letter. */
	nt_filter_set(&filter, "Reason=\"Induced\"", false);
	assert_true(nt_filter_matches(&filter, &nt_table_events, NULL, &row));
	nt_filter_fini(&filter);
}

static void more_and_longer_ones_than_there_is_room_for(void **state)
{
	struct nt_conditions conditions;
	char text[400] = "", rest[64];
	(void)state;
	for (int i = 0; i < 30; i++)
		strcat(text, "a=1 ");
	nt_conditions_parse(text, &conditions, rest, sizeof(rest));
	assert_int_equal(conditions.count, NT_CONDITIONS);
	assert_true(strlen(rest) < sizeof(rest));
	memset(text, 'x', 300);
	strcpy(text + 300, "=1");
	nt_conditions_parse(text, &conditions, rest, sizeof(rest));
	assert_int_equal(conditions.count, 0);
	nt_conditions_parse("=1 >2 !=", &conditions, rest, sizeof(rest));
	assert_int_equal(conditions.count, 0);
	assert_string_equal(rest, "=1 >2 !=");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_compared_as_numbers),
		cmocka_unit_test(texts_are_the_same_or_not),
		cmocka_unit_test(other_words_are_an_expression),
		cmocka_unit_test(rows_that_are_no_events),
		cmocka_unit_test(an_expression_that_is_none_keeps_the_last),
		cmocka_unit_test(more_and_longer_ones_than_there_is_room_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
