// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/session/demand.h"
#include "nettop/subject.h"
#include "target/process/target.h"

/* What EventPipe is asked for: where LTTng brings nothing, and beside LTTng, which never brings exceptions. */
enum { ALL_EVENTS = NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS, BESIDE = NT_WANT_POOL_EVENTS | NT_WANT_EXCEPTIONS };

static void eventpipe_brings_what_lttng_lacks(void **state)
{
	(void)state;
	static const struct {
		enum nt_target_mode mode;
		bool lttng, eventpipe, allocations; /* facts */
		unsigned eventpipe_demand, lttng_demand;
	} cases[] = {
		{ NT_MODE_N, true, true, false, BESIDE, 0 },
		/* With stacks, where they can be had. */
		{ NT_MODE_N, true, true, true, BESIDE | NT_WANT_ALLOC_SAMPLES, 0 },
		{ NT_MODE_N, true, false, true, BESIDE, NT_WANT_ALLOC_SAMPLES },
		{ NT_MODE_F, true, true, false, BESIDE, 0 },
		{ NT_MODE_ALL, true, true, true, BESIDE | NT_WANT_ALLOC_SAMPLES, 0 },
		{ NT_MODE_ALL, true, false, true, BESIDE, NT_WANT_ALLOC_SAMPLES },
		{ NT_MODE_NONE, true, true, false, ALL_EVENTS, 0 },
		{ NT_MODE_NONE, false, true, false, ALL_EVENTS, 0 },
		{ NT_MODE_F, false, true, true, ALL_EVENTS | NT_WANT_ALLOC_SAMPLES, 0 },
		{ NT_MODE_UNKNOWN, false, false, false, ALL_EVENTS, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct nt_demand_facts facts = {
			.mode = cases[i].mode,
			.lttng = cases[i].lttng,
			.eventpipe = cases[i].eventpipe,
			.looked_at = cases[i].allocations ? NT_WANT_ALLOC_SAMPLES : 0,
		};
		assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), cases[i].eventpipe_demand);
		assert_int_equal(nt_demand_of(NT_SOURCE_LTTNG, &facts), cases[i].lttng_demand);
		facts.looked_at |= NT_WANT_COUNTERS;
		assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), cases[i].eventpipe_demand | NT_WANT_COUNTERS);
		facts.looked_at |= NT_WANT_WALL_SAMPLES;
		assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts),
				 cases[i].eventpipe_demand | NT_WANT_COUNTERS | NT_WANT_WALL_SAMPLES);
		assert_int_equal(nt_demand_of(NT_SOURCE_LTTNG, &facts), cases[i].lttng_demand);
	}
}

static void eventpipe_alone_where_lttng_has_little(void **state)
{
	(void)state;
	static const struct nt_options usual, preferred = { .prefer_eventpipe = true };
	static char runtime[] = "10.0.12", no_jit[] = "DOTNET_LTTngConfig=*:80000004001:5";
	static const enum nt_target_mode little[] = { NT_MODE_NONE, NT_MODE_UNKNOWN }, much[] = { NT_MODE_N, NT_MODE_F, NT_MODE_ALL };
	for (size_t i = 0; i < sizeof(little) / sizeof(*little); i++) {
		struct nt_target target = { .is_dotnet = true, .runtime = runtime, .mode = little[i] };
		assert_true(nt_demand_eventpipe_alone(&usual, &target));
	}
	for (size_t i = 0; i < sizeof(much) / sizeof(*much); i++) {
		struct nt_target target = { .is_dotnet = true, .runtime = runtime, .mode = much[i] };
		assert_false(nt_demand_eventpipe_alone(&usual, &target));
		assert_true(nt_demand_eventpipe_alone(&preferred, &target));
		/* The log is on, but a keyword is left out. */
		target.environment_text = no_jit;
		target.environment_length = sizeof(no_jit);
		target.environment_readable = true;
		assert_true(nt_demand_eventpipe_alone(&usual, &target));
	}
}

/* A deadlock is to be found whatever somebody looks at; where threads wait is looked at closely only while somebody wants to see that. */
static void looks_at_threads(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_N };
	assert_int_equal(nt_demand_of(NT_SOURCE_RUNTIME, &facts), NT_WANT_RARE_LOOKS);
	facts.looked_at = NT_WANT_LOOKS;
	assert_int_equal(nt_demand_of(NT_SOURCE_RUNTIME, &facts), NT_WANT_LOOKS);
	facts.looked_at = NT_WANT_LOOKS | NT_WANT_NATIVE | NT_WANT_SWITCHES;
	assert_int_equal(nt_demand_of(NT_SOURCE_RUNTIME, &facts), NT_WANT_LOOKS | NT_WANT_NATIVE);
	facts.compilations_only = true;
	assert_int_equal(nt_demand_of(NT_SOURCE_RUNTIME, &facts), 0);
	/* Where it is asked for names alone. */
	facts = (struct nt_demand_facts){ .mode = NT_MODE_N, .unjudged = true, .moments = true };
	assert_int_equal(nt_demand_of(NT_SOURCE_RUNTIME, &facts), 0);
}

static void looks_at_what_is_open_and_called(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_N };
	assert_int_equal(nt_demand_of(NT_SOURCE_PROCFS, &facts), 0);
	facts.looked_at = NT_WANT_DESCRIPTORS;
	assert_int_equal(nt_demand_of(NT_SOURCE_PROCFS, &facts), NT_WANT_DESCRIPTORS);
	facts.looked_at |= NT_WANT_CALLS;
	assert_int_equal(nt_demand_of(NT_SOURCE_PROCFS, &facts), NT_WANT_DESCRIPTORS | NT_WANT_CALLS);
	facts.compilations_only = true;
	assert_int_equal(nt_demand_of(NT_SOURCE_PROCFS, &facts), 0);
}

/* Waits for locks alone are no reason to leave LTTng. */
static void eventpipe_adds_the_locks_that_lttng_leaves_out(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_N, .lttng = true, .eventpipe = true, .left_out = NT_WANT_LOCK_EVENTS };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), BESIDE | NT_WANT_LOCK_EVENTS);
	facts.left_out = NT_WANT_JIT_EVENTS | NT_WANT_LOCK_EVENTS;
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), BESIDE | ALL_EVENTS);
}

static void stacks_while_somebody_looks_at_them(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_N, .lttng = true, .looked_at = NT_WANT_STACKS };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), BESIDE | NT_WANT_STACKS);
	assert_int_equal(nt_demand_of(NT_SOURCE_LTTNG, &facts), 0);
	facts.lttng = false;
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS | NT_WANT_STACKS);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_NONE, .lttng = true, .looked_at = NT_WANT_STACKS };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS | NT_WANT_STACKS);
}

/* LTTng has them among its events. */
static void histories_while_somebody_looks_at_them(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_NONE, .looked_at = NT_WANT_GC_HISTORIES };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS | NT_WANT_GC_HISTORIES);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_N, .lttng = true, .looked_at = NT_WANT_GC_HISTORIES };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), BESIDE);
	assert_int_equal(nt_demand_of(NT_SOURCE_LTTNG, &facts), 0);
}

/* LTTng has no stacks: EventPipe brings those, whoever tells of the compilations. */
static void callers_while_somebody_looks_at_them(void **state)
{
	(void)state;
	const unsigned looked_at = NT_WANT_JIT_EVENTS | NT_WANT_JIT_CALLERS;
	struct nt_demand_facts facts = { .mode = NT_MODE_NONE, .looked_at = looked_at };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS | looked_at);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_N, .lttng = true, .looked_at = looked_at };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), BESIDE | NT_WANT_JIT_CALLERS);
}

/* Each costs the target: nobody has them unasked, whoever tells of the pool. */
static void work_items_while_somebody_looks_at_them(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_NONE, .batch = true };
	assert_false(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts) & NT_WANT_POOL_ITEMS);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_NONE, .looked_at = NT_WANT_POOL_ITEMS };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS | NT_WANT_POOL_ITEMS);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_N, .lttng = true, .looked_at = NT_WANT_POOL_ITEMS };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), BESIDE | NT_WANT_POOL_ITEMS);
	assert_int_equal(nt_demand_of(NT_SOURCE_LTTNG, &facts), 0);
}

/* Who reads lines opens no screen. But a target that was started for LTTng, to be watched at little cost, has no further session for that. */
static void everything_in_batch_where_eventpipe_counts(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_NONE, .batch = true };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts),
			 ALL_EVENTS | NT_WANT_STACKS | NT_WANT_GC_HISTORIES | NT_WANT_JIT_EVENTS);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_N, .lttng = true, .batch = true };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), BESIDE);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_NONE, .compilations_only = true, .batch = true };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), NT_WANT_JIT_EVENTS);
}

static void counters_alone(void **state)
{
	(void)state;
	const struct nt_demand_facts facts = { .mode = NT_MODE_NONE,
					       .eventpipe = true,
					       .batch = true,
					       .counters_only = true,
					       .requests = true,
					       .looked_at = NT_WANT_COUNTERS | NT_WANT_LOOKS | NT_WANT_DESCRIPTORS };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), NT_WANT_COUNTERS);
	assert_int_equal(nt_demand_of(NT_SOURCE_RUNTIME, &facts), 0);
	assert_int_equal(nt_demand_of(NT_SOURCE_PROCFS, &facts), 0);
}

static void chosen_events_alone(void **state)
{
	(void)state;
	struct nt_demand_facts facts = {
		.mode = NT_MODE_NONE, .eventpipe = true, .batch = true, .told_only = true, .requests = true, .looked_at = NT_WANT_TOLD
	};
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), NT_WANT_TOLD);
	assert_int_equal(nt_demand_of(NT_SOURCE_RUNTIME, &facts), 0);
	assert_int_equal(nt_demand_of(NT_SOURCE_PROCFS, &facts), 0);
	facts.unmapped = true;
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), NT_WANT_TOLD | NT_WANT_JIT_EVENTS);
}

static void compilations_alone(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_NONE, .compilations_only = true };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), NT_WANT_JIT_EVENTS);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_N, .lttng = true, .compilations_only = true };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), 0);
}

/* LTTng has them among its events, and who reads a map needs none for the names. */
static void compilations_while_somebody_looks_or_nothing_else_names_them(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_NONE };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS);
	facts.looked_at = NT_WANT_JIT_EVENTS;
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS | NT_WANT_JIT_EVENTS);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_NONE, .unmapped = true };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS | NT_WANT_JIT_EVENTS);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_N, .lttng = true, .looked_at = NT_WANT_JIT_EVENTS, .unmapped = true };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), BESIDE);
	assert_int_equal(nt_demand_of(NT_SOURCE_LTTNG, &facts), 0);
}

/* What the row of a subject says that EventPipe brings it by is what EventPipe is asked for, and not before somebody looks where the row says so. */
static void each_subject_is_asked_for_by_its_row(void **state)
{
	(void)state;
	const struct nt_demand_facts unlooked = { .mode = NT_MODE_NONE, .eventpipe = true },
				     beside = { .mode = NT_MODE_F, .lttng = true, .eventpipe = true },
				     looked = { .mode = NT_MODE_NONE, .eventpipe = true, .looked_at = ~0U, .requests = true };
	for (size_t i = 0; i < NT_SUBJECT_COUNT; i++) {
		const struct nt_subject *subject = nt_subjects[i];
		if (!subject->wanted)
			continue;
		assert_true(nt_demand_of(NT_SOURCE_EVENTPIPE, &looked) & subject->wanted);
		assert_int_equal(!(nt_demand_of(NT_SOURCE_EVENTPIPE, &unlooked) & subject->wanted), subject->while_looked_at);
		if (subject->unlooked)
			assert_true(subject->while_looked_at);
		if (subject->unused) /* nobody else can */
			assert_true(nt_demand_of(NT_SOURCE_EVENTPIPE, &beside) & subject->wanted);
		if (subject->lttng_in_part)
			assert_true(nt_demand_of(NT_SOURCE_EVENTPIPE, &beside) & subject->wanted);
	}
}

/* All the time, but only of a program that may have some, and never for call stacks alone. */
static void requests_where_there_may_be_some(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_NONE, .requests = true };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS | NT_WANT_REQUESTS);
	facts.looked_at = NT_WANT_SINGLE_REQUESTS; /* each of them, while somebody looks */
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS | NT_WANT_REQUESTS | NT_WANT_SINGLE_REQUESTS);
	/* Of call stacks alone it is asked when the program is paused, where LTTng does not say it. */
	facts.unjudged = true;
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), NT_WANT_RUNTIME_EVENTS);
	facts.batch = true;
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), NT_WANT_RUNTIME_EVENTS);
	facts.mode = NT_MODE_N;
	facts.lttng = true;
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), 0);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_NONE, .looked_at = NT_WANT_SINGLE_REQUESTS };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_NONE, .requests = true, .compilations_only = true };
	assert_false(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts) & NT_WANT_REQUESTS);
	facts = (struct nt_demand_facts){ .mode = NT_MODE_NONE, .requests = true, .moments = true };
	assert_false(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts) & NT_WANT_REQUESTS);
}

/* Each one costs the program something: where it still compiles a lot when it should not. */
static void compilations_of_who_compiles_for_long(void **state)
{
	(void)state;
	struct nt_demand_facts facts = { .mode = NT_MODE_NONE, .eventpipe = true, .compilations = true };
	assert_int_equal(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts), ALL_EVENTS | NT_WANT_JIT_EVENTS);
	facts.moments = true;
	assert_false(nt_demand_of(NT_SOURCE_EVENTPIPE, &facts) & NT_WANT_JIT_EVENTS);
}

static void maps_of_older_runtimes_are_late(void **state)
{
	(void)state;
	char new_runtime[] = "10.0.12", old_runtime[] = "9.0.4";
	const struct nt_target new_one = { .is_dotnet = true, .runtime = new_runtime },
			       old_one = { .is_dotnet = true, .runtime = old_runtime };
	assert_true(nt_demand_is_mapped(&new_one, NT_STATE_DELIVERING, false));
	assert_true(nt_demand_is_mapped(&new_one, NT_STATE_STARTING, false));
	assert_false(nt_demand_is_mapped(&new_one, NT_STATE_STARTING, true));
	assert_false(nt_demand_is_mapped(&new_one, NT_STATE_ABSENT, false));
	assert_false(nt_demand_is_mapped(&new_one, NT_STATE_STALLED, false));
	assert_false(nt_demand_is_mapped(&new_one, NT_STATE_ENDED, false));
	assert_false(nt_demand_is_mapped(&old_one, NT_STATE_DELIVERING, false));
}

/*
 * Each demand is a bit of its own: two with the same bit are no C here, as they are the same case twice, and one that is left out is a warning, which ends the build.
 */
static bool is_one_demand(enum nt_demand demand)
{
	switch (demand) {
	case NT_WANT_ALLOC_SAMPLES:
	case NT_WANT_RUNTIME_EVENTS:
	case NT_WANT_EXCEPTIONS:
	case NT_WANT_POOL_EVENTS:
	case NT_WANT_LOCK_EVENTS:
	case NT_WANT_COUNTERS:
	case NT_WANT_JIT_EVENTS:
	case NT_WANT_STACKS:
	case NT_WANT_CATCHES:
	case NT_WANT_GC_EVENTS:
	case NT_WANT_CALL_STACKS:
	case NT_WANT_GC_HISTORIES:
	case NT_WANT_LOOKS:
	case NT_WANT_RARE_LOOKS:
	case NT_WANT_SWITCHES:
	case NT_WANT_MOMENTS:
	case NT_WANT_DESCRIPTORS:
	case NT_WANT_CALLS:
	case NT_WANT_METHOD_NAMES:
	case NT_WANT_SWITCH_TIMES:
	case NT_WANT_REQUESTS:
	case NT_WANT_SINGLE_REQUESTS:
	case NT_WANT_ACTIVITIES:
	case NT_WANT_JIT_CALLERS:
	case NT_WANT_POOL_ITEMS:
	case NT_WANT_PERF_MAP:
	case NT_WANT_NATIVE:
	case NT_WANT_TOLD:
	case NT_WANT_WALL_SAMPLES:
	case NT_WANT_CPU_SAMPLES:
		return true;
	case NT_WANT_EACH_REQUEST: /* two of them */
		return false;
	}
	return false;
}

static void each_demand_is_a_bit(void **state_)
{
	(void)state_;
	assert_true(is_one_demand(NT_WANT_TOLD));
	assert_false(is_one_demand(NT_WANT_EACH_REQUEST));
	assert_false(is_one_demand((enum nt_demand)0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_demand_is_a_bit),
		cmocka_unit_test(looks_at_threads),
		cmocka_unit_test(looks_at_what_is_open_and_called),
		cmocka_unit_test(eventpipe_brings_what_lttng_lacks),
		cmocka_unit_test(eventpipe_alone_where_lttng_has_little),
		cmocka_unit_test(eventpipe_adds_the_locks_that_lttng_leaves_out),
		cmocka_unit_test(stacks_while_somebody_looks_at_them),
		cmocka_unit_test(histories_while_somebody_looks_at_them),
		cmocka_unit_test(callers_while_somebody_looks_at_them),
		cmocka_unit_test(work_items_while_somebody_looks_at_them),
		cmocka_unit_test(everything_in_batch_where_eventpipe_counts),
		cmocka_unit_test(counters_alone),
		cmocka_unit_test(chosen_events_alone),
		cmocka_unit_test(compilations_alone),
		cmocka_unit_test(compilations_while_somebody_looks_or_nothing_else_names_them),
		cmocka_unit_test(each_subject_is_asked_for_by_its_row),
		cmocka_unit_test(requests_where_there_may_be_some),
		cmocka_unit_test(compilations_of_who_compiles_for_long),
		cmocka_unit_test(maps_of_older_runtimes_are_late),
	};
	return cmocka_run_group_tests_name("demand", tests, NULL, NULL);
}
