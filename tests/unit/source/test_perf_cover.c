// SPDX-License-Identifier: GPL-2.0-only
/* What perf says of the time in which it samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/perf/perf_cover.h"

#define S NT_NS_PER_S

static void assert_said(struct nt_outbox *box, size_t count, const struct nt_event *expected)
{
	struct nt_batch *batch = nt_outbox_take(box);
	assert_int_equal(batch ? batch->event_count : 0, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(batch->events[i].kind, NT_EV_COVER);
		assert_int_equal(batch->events[i].time, expected[i].time);
		assert_int_equal(batch->events[i].u.cover.covered, expected[i].u.cover.covered);
	}
	if (batch)
		nt_outbox_give_back(box, batch);
}

#define COVER(time_, covered_)                                                                                                             \
	{                                                                                                                                  \
		.time = (time_), .u.cover = {.covered = (covered_) }                                                                       \
	}

static void it_is_said_once(void **state)
{
	(void)state;
	struct nt_outbox box;
	struct nt_perf_cover cover = { 0 };
	nt_outbox_init(&box, NT_SOURCE_PERF);
	nt_perf_cover_say(&cover, &box, 7, 1 * S, false);
	nt_perf_cover_say(&cover, &box, 7, 2 * S, true);
	nt_perf_cover_say(&cover, &box, 7, 3 * S, true);
	nt_perf_cover_say(&cover, &box, 7, 4 * S, false);
	const struct nt_event expected[] = { COVER(2 * S, 1), COVER(4 * S, 0) };
	assert_said(&box, 2, expected);
	nt_outbox_fini(&box);
}

/* Rings with room for 3 s, of which the kernel says that they were full. */
static void what_had_no_room_was_not_sampled(void **state)
{
	(void)state;
	struct nt_outbox box;
	struct nt_perf_cover cover = { 0 };
	nt_outbox_init(&box, NT_SOURCE_PERF);
	nt_perf_cover_say(&cover, &box, 7, 1 * S, true);
	nt_perf_cover_reads(&cover, 2 * S);
	nt_perf_cover_reads(&cover, 3 * S);
	nt_perf_cover_overflowed(&cover, &box, 7, 3 * S); /* a burst: it was read all the time */
	nt_perf_cover_reads(&cover, 20 * S);
	nt_perf_cover_overflowed(&cover, &box, 7, 3 * S);
	nt_perf_cover_reads(&cover, 23 * S);
	nt_perf_cover_overflowed(&cover, &box, 7, 3 * S); /* there was room for all that time */
	const struct nt_event expected[] = { COVER(1 * S, 1), COVER(6 * S, 0), COVER(20 * S, 1) };
	assert_said(&box, 3, expected);
	nt_outbox_fini(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(it_is_said_once), cmocka_unit_test(what_had_no_room_was_not_sampled) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
