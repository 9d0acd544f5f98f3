// SPDX-License-Identifier: GPL-2.0-only
/* When a session may be stopped; what it does with a runtime is tested in test_eventpipe.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/eventpipe/eventpipe_sessions.h"

#define MS NT_NS_PER_MS

/* .NET's port hangs for good when it is asked to stop during its first collection of Meters: one period after the session was asked for. */
static void not_while_meters_are_collected_for_the_first_time(void **state)
{
	(void)state;
	static const struct nt_eventpipe_plan meters = { .counters = NT_COUNTERS_OTHERS }, others = { .counters = NT_COUNTERS_RUNTIME };
	static const struct {
		const struct nt_eventpipe_plan *plan;
		enum nt_eventpipe_state state;
		bool collected;
		nt_time now;
		bool may;
	} cases[] = {
		{ &meters, NT_EVENTPIPE_READING, false, 5900 * MS, true },   /* it waits for the first period */
		{ &meters, NT_EVENTPIPE_READING, false, 6100 * MS, false },  /* it may begin before the request gets there */
		{ &meters, NT_EVENTPIPE_READING, false, 7300 * MS, false },  /* it is at it */
		{ &meters, NT_EVENTPIPE_READING, true, 7300 * MS, true },    /* it has said so */
		{ &meters, NT_EVENTPIPE_READING, false, 20000 * MS, false }, /* there is no CPU for it */
		{ &meters, NT_EVENTPIPE_READING, false, 27100 * MS, true },  /* it collects nothing */
		{ &meters, NT_EVENTPIPE_ASKING, false, 5100 * MS, false },   /* it is on its way: closed, it would begin all the same */
		{ &meters, NT_EVENTPIPE_ASKING, false, 27100 * MS, true },   /* it does not answer */
		{ &meters, NT_EVENTPIPE_STOPPING, false, 7300 * MS, true },  { &others, NT_EVENTPIPE_ASKING, false, 5100 * MS, true },
		{ &others, NT_EVENTPIPE_READING, false, 7300 * MS, true },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct nt_eventpipe_session session = {
			.plan = cases[i].plan, .state = cases[i].state, .asked = 5000 * MS, .period_ns = 2000 * MS
		};
		if (nt_eventpipe_session_may_stop(&session, cases[i].collected, cases[i].now) != cases[i].may)
			fail_msg("case %zu", i);
	}
}

/* To close its connection ends it as well. */
static void nor_closed_then(void **state)
{
	(void)state;
	static const struct nt_eventpipe_plan meters = { .counters = NT_COUNTERS_REQUESTS };
	struct nt_eventpipe_events events = { .pid = 1 };
	struct nt_eventpipe_session session = {
		.plan = &meters, .state = NT_EVENTPIPE_READING, .asked = 5000 * MS, .period_ns = 2000 * MS
	};
	const struct nt_eventpipe_sessions sessions = { .at = { [3] = &session }, .events = &events };
	assert_true(nt_eventpipe_sessions_may_close(&sessions, 5900 * MS));
	assert_false(nt_eventpipe_sessions_may_close(&sessions, 7300 * MS));
	events.counters.collected = true;
	assert_true(nt_eventpipe_sessions_may_close(&sessions, 7300 * MS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(not_while_meters_are_collected_for_the_first_time),
		cmocka_unit_test(nor_closed_then),
	};
	return cmocka_run_group_tests_name("eventpipe_session", tests, NULL, NULL);
}
