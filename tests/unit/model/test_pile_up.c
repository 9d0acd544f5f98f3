// SPDX-License-Identifier: GPL-2.0-only
/* Requests that pile up, and what is none of it: fed with how many are in flight and how many end, second by second. */
#include "finding_seconds.h"

/* known: somebody tells. */
static void second(uint64_t in_flight, uint64_t ended, bool known)
{
	struct nt_request_figures *requests = &next_second()->interval.requests;
	requests->in_flight_count = (struct nt_u64){ .v = in_flight, .known = known };
	requests->count = (struct nt_u64){ .v = ended, .known = known };
	close_second();
}

static void seconds(unsigned count, uint64_t in_flight, uint64_t ended)
{
	for (unsigned i = 0; i < count; i++)
		second(in_flight + i % 3, ended + i % 5, true);
}

static bool is_found(void)
{
	return the_finding(NT_FINDING_SLOW_REQUESTS) != NULL;
}

static void what_hangs_is_found(void **state)
{
	(void)state;
	seconds(120, 3, 50);
	assert_false(is_found());
	nt_time began = now;
	for (unsigned i = 0; i < 8; i++)
		second(20 + 50 * i, 0, true);
	assert_true(is_found());
	const struct nt_finding *finding = the_finding(NT_FINDING_SLOW_REQUESTS);
	assert_in_range(finding->since, began, began + 4 * NT_NS_PER_S);
	assert_string_equal(finding->unit, "count");
	assert_false(finding->row_id.known);
	assert_int_equal(finding->screen, 'R');
	assert_non_null(strstr(finding->text, "Requests pile up: 270 in flight, 5 in the "));
	assert_non_null(strstr(finding->text, " before; 0.0/s end, 52"));
	for (unsigned i = 0; i < 200; i++) /* as long as it lasts: what is usual is what was before */
		second(400, 0, true);
	assert_true(is_found());
	seconds(30, 3, 50);
	assert_false(is_found());
}

/* Callers who wait for their answers: there are no more of them than before, and all are in flight. */
static void callers_that_wait(void **state)
{
	(void)state;
	seconds(120, 5, 100);
	nt_time began = now;
	for (unsigned i = 0; i < 9; i++) {
		second(12, 0, true);
		assert_false(is_found());
	}
	for (unsigned i = 0; i < 5; i++)
		second(12, 0, true);
	const struct nt_finding *finding = the_finding(NT_FINDING_SLOW_REQUESTS);
	assert_non_null(finding);
	assert_in_range(finding->since, began, began + 15 * NT_NS_PER_S);
	assert_non_null(strstr(finding->text, "Requests are stuck: 12 in flight, none has ended for 1"));
	assert_non_null(strstr(finding->text, "; 102/s before"));
	for (unsigned i = 0; i < 300; i++)
		second(12, 0, true);
	assert_true(is_found());
	seconds(30, 5, 100);
	assert_false(is_found());
	for (unsigned at = 0; at < 300; at++) { /* a pause, time and again */
		second(12, at % 15 < 8 ? 0 : 100, true);
		assert_false(is_found());
	}
}

/* Each alone is no sign of anything. */
static void what_is_none_of_it(void **state)
{
	static const struct {
		const char *what;
		uint64_t in_flight, ended;
	} cases[] = {
		{ "connections that stay open", 300, 50 },
		{ "more load", 30, 500 },
		{ "the night", 1, 2 },
		{ "idle", 0, 0 },
		{ "a few more", 7, 10 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		seconds(120, 3, 50);
		for (unsigned at = 0; at < 60; at++) {
			second(cases[i].in_flight, cases[i].ended, true);
			if (is_found())
				fail_msg("found: %s", cases[i].what);
		}
	}
}

static void nothing_is_found_without_a_before(void **state)
{
	(void)state;
	for (unsigned at = 0; at < 50; at++) { /* a start-up */
		second(at < 20 ? 0 : 200, at < 20 ? 50 : 0, true);
		assert_false(is_found());
	}
	set_up(state);
	for (unsigned at = 0; at < 120; at++)
		second(0, 0, true); /* nobody calls, and then what comes hangs: of what is usual nothing is known */
	for (unsigned at = 0; at < 60; at++) {
		second(50, 0, true);
		assert_false(is_found());
	}
}

static void two_seconds_are_not_enough(void **state)
{
	(void)state;
	seconds(120, 3, 50);
	for (unsigned at = 0; at < 300; at++) { /* a long collection, time and again */
		bool stands = at % 20 < 2;
		second(stands ? 60 : 3, stands ? 0 : 50, true);
		assert_false(is_found());
	}
}

static void what_nobody_tells_is_not_known(void **state)
{
	(void)state;
	seconds(120, 3, 50);
	for (unsigned at = 0; at < 60; at++) {
		second(90, 0, false);
		assert_false(is_found());
	}
	second(90, 0, true); /* it is told again */
	assert_false(is_found());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FINDINGS(what_hangs_is_found),        WITH_FINDINGS(callers_that_wait),
		WITH_FINDINGS(what_is_none_of_it),         WITH_FINDINGS(nothing_is_found_without_a_before),
		WITH_FINDINGS(two_seconds_are_not_enough), WITH_FINDINGS(what_nobody_tells_is_not_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
