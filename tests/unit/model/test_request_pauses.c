// SPDX-License-Identifier: GPL-2.0-only
/* How much of a span of time was in pauses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/requests/request_pauses.h"

static void paused(struct nt_pauses *list, nt_time begin, nt_time end)
{
	list->items[list->count].begin = begin;
	list->items[list->count++].end = end;
}

static void expect(const struct nt_request_pauses *pauses, nt_time begin, nt_time end, uint64_t ns)
{
	struct nt_u64 in = nt_request_pauses_in(pauses, begin, end);
	assert_true(in.known);
	assert_int_equal(in.v, ns);
}

static void parts_of_pauses(void **state)
{
	(void)state;
	struct nt_request_pauses pauses = { 0 };
	struct nt_pauses list = { .count = 0 };
	assert_false(nt_request_pauses_in(&pauses, 1000, 2000).known);
	paused(&list, 1300, 1400); /* in no order */
	paused(&list, 1100, 1200);
	paused(&list, 1900, NT_TIME_UNKNOWN); /* it lasts: it is told when it has ended */
	paused(&list, 900, 950);              /* before */
	nt_request_pauses_add(&pauses, &list, 1000);
	assert_false(nt_request_pauses_in(&pauses, 999, 2000).known);
	expect(&pauses, 1000, 2000, 200);
	expect(&pauses, 1000, 1100, 0);
	expect(&pauses, 1150, 1350, 100);
	expect(&pauses, 1320, 1330, 10);
	expect(&pauses, 1250, 1260, 0);
	expect(&pauses, 1500, 1600, 0);
	list.items[2].end = 1950;
	paused(&list, 1910, 1940); /* within that one */
	nt_request_pauses_add(&pauses, &list, 1500);
	expect(&pauses, 1000, 2000, 250);
	nt_request_pauses_forget(&pauses);
	assert_false(nt_request_pauses_in(&pauses, 1000, 2000).known);
	nt_request_pauses_add(&pauses, &list, 1930);
	assert_false(nt_request_pauses_in(&pauses, 1900, 2000).known);
	nt_request_pauses_fini(&pauses);
}

/* Of more than can be told between two calls, and of more than are kept, the oldest are not known. */
static void bounded(void **state)
{
	(void)state;
	struct nt_request_pauses pauses = { 0 };
	struct nt_pauses list = { .count = 0 };
	nt_request_pauses_add(&pauses, &list, 1);
	for (nt_time i = 0; i < NT_PAUSES_ENDED; i++)
		paused(&list, 1000 + 10 * i, 1005 + 10 * i);
	nt_request_pauses_add(&pauses, &list, 1);
	assert_false(nt_request_pauses_in(&pauses, 999, 2000).known);
	expect(&pauses, 1000, 2000, 500);
	for (nt_time round = 1; round < 2 * NT_REQUEST_PAUSES / 100; round++) {
		for (nt_time i = 0; i < 100; i++) {
			nt_time at = 100000 * round + 10 * i;
			size_t place = (size_t)((round * 100 + i) % NT_PAUSES_ENDED);
			list.items[place].begin = at;
			list.items[place].end = at + 5;
		}
		nt_request_pauses_add(&pauses, &list, 1);
		assert_true(pauses.count <= NT_REQUEST_PAUSES);
		expect(&pauses, 100000 * round, 100000 * round + 1000, 500);
	}
	assert_false(nt_request_pauses_in(&pauses, 100000, 101000).known);
	nt_request_pauses_fini(&pauses);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(parts_of_pauses), cmocka_unit_test(bounded) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
