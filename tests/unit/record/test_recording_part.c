// SPDX-License-Identifier: GPL-2.0-only
/* A part of a recording: what happened before it does not count, what was known then is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "record/recording_part.h"

enum { PID = 7, FROM = 1000, TO = 2000 };

struct told {
	enum nt_event_kind kind;
	nt_time time;
};

static struct nt_batch *batch_of(const struct told *told, size_t count)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_APP);
	for (size_t i = 0; i < count; i++)
		nt_batch_add(batch, told[i].kind, told[i].time, PID, 0);
	return batch;
}

static void check(struct nt_recording_part *part, const struct told *told, size_t count, const struct told *left, size_t left_count)
{
	struct nt_batch *batch = batch_of(told, count);
	nt_recording_part_cut(part, batch);
	assert_int_equal(batch->event_count, left_count);
	for (size_t i = 0; i < left_count; i++) {
		assert_int_equal(batch->events[i].kind, left[i].kind);
		assert_int_equal(batch->events[i].time, left[i].time);
	}
	nt_batch_free(batch);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void all_of_it_is_as_it_was(void **state)
{
	(void)state;
	static const struct told all[] = { { NT_EV_SOURCE_STATE, 1 }, { NT_EV_SAMPLE, 2 },   { NT_EV_KEEP_STACKS, 3 },
					   { NT_EV_SWITCH, 4 },       { NT_EV_GC_START, 5 }, { NT_EV_END, 6 } };
	struct nt_recording_part part = { .to = NT_TIME_UNKNOWN };
	check(&part, all, COUNT(all), all, COUNT(all));
}

static void what_was_known_at_its_begin_is_known(void **state)
{
	(void)state;
	static const struct told all[] = {
		{ NT_EV_SOURCE_STATE, 1 }, { NT_EV_TARGET, 2 },      { NT_EV_MAP, 3 },      { NT_EV_NAME, 4 },         { NT_EV_THREAD, 5 },
		{ NT_EV_METHOD_LOAD, 6 },  { NT_EV_JIT_START, 7 },   { NT_EV_GC_END, 8 },   { NT_EV_SAMPLE, 9 },       { NT_EV_PROC, 10 },
		{ NT_EV_THREAD_STAT, 11 }, { NT_EV_LOST, 12 },       { NT_EV_COUNTER, 13 }, { NT_EV_MODULE_LOAD, 14 }, { NT_EV_PROC, FROM },
		{ NT_EV_SAMPLE, FROM },    { NT_EV_LOST, FROM + 1 },
	};
	static const struct told left[] = {
		{ NT_EV_SOURCE_STATE, 1 },   { NT_EV_TARGET, 2 },  { NT_EV_MAP, 3 },
		{ NT_EV_NAME, 4 },           { NT_EV_THREAD, 5 },  { NT_EV_METHOD_LOAD, FROM },
		{ NT_EV_MODULE_LOAD, FROM }, { NT_EV_PROC, FROM }, { NT_EV_SAMPLE, FROM },
		{ NT_EV_LOST, FROM + 1 },
	};
	struct nt_recording_part part = { .from = FROM, .to = NT_TIME_UNKNOWN };
	check(&part, all, COUNT(all), left, COUNT(left));
}

/* The model is told of the end of the part; a later one would take that back. */
static void its_end_and_its_wishes_are_its_own(void **state)
{
	(void)state;
	static const struct told all[] = { { NT_EV_KEEP_STACKS, 1 }, { NT_EV_TELL, 2 },     { NT_EV_KEEP_SAMPLES, 3 },
					   { NT_EV_INTERVAL, 4 },    { NT_EV_ASK, 5 },      { NT_EV_END, TO - 1 },
					   { NT_EV_END, TO },        { NT_EV_NAME, TO + 1 } };
	static const struct told left[] = { { NT_EV_INTERVAL, 4 }, { NT_EV_ASK, 5 }, { NT_EV_END, TO - 1 }, { NT_EV_NAME, TO + 1 } };
	struct nt_recording_part part = { .to = TO, .own_wishes = true };
	check(&part, all, COUNT(all), left, COUNT(left));
}

static void samples_or_waits_are_left_out(void **state)
{
	(void)state;
	static const struct told all[] = { { NT_EV_SAMPLE, 1 }, { NT_EV_SWITCH, 2 },      { NT_EV_WAKE, 3 },
					   { NT_EV_STACK, 4 },  { NT_EV_WALL_SAMPLE, 5 }, { NT_EV_GC_START, 6 } };
	static const struct told samples[] = { { NT_EV_SAMPLE, 1 }, { NT_EV_WALL_SAMPLE, 5 }, { NT_EV_GC_START, 6 } };
	static const struct told waits[] = { { NT_EV_SWITCH, 2 }, { NT_EV_WAKE, 3 }, { NT_EV_STACK, 4 }, { NT_EV_GC_START, 6 } };
	struct nt_recording_part part = { .to = NT_TIME_UNKNOWN, .without = NT_WITHOUT_WAITS };
	check(&part, all, COUNT(all), samples, COUNT(samples));
	part.without = NT_WITHOUT_SAMPLES;
	check(&part, all, COUNT(all), waits, COUNT(waits));
}

/* That of a source that ended by itself is known; a process may end while it is recorded. */
static void sources_are_not_seen_to_stop(void **state)
{
	(void)state;
	static const struct told all[] = {
		{ NT_EV_SOURCE_STATE, 1 }, { NT_EV_END, 5 }, { NT_EV_SOURCE_STATE, 4 }, { NT_EV_SOURCE_STATE, 6 }, { NT_EV_NAME, 7 }
	};
	static const struct told left[] = { { NT_EV_SOURCE_STATE, 1 }, { NT_EV_END, 5 }, { NT_EV_SOURCE_STATE, 4 }, { NT_EV_NAME, 7 } };
	struct nt_recording_part part = { .to = NT_TIME_UNKNOWN, .goes_on = true };
	check(&part, all, COUNT(all), left, COUNT(left));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_it_is_as_it_was),
		cmocka_unit_test(what_was_known_at_its_begin_is_known),
		cmocka_unit_test(its_end_and_its_wishes_are_its_own),
		cmocka_unit_test(samples_or_waits_are_left_out),
		cmocka_unit_test(sources_are_not_seen_to_stop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
