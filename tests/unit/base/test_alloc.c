// SPDX-License-Identifier: GPL-2.0-only
/* Growing and shrinking arrays, and what a batch keeps of them. */
#include "base/alloc.h"
#include "nettop/event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BURST = 100000, FEW = 10 };

static uint64_t *filled(uint64_t *array, size_t *capacity, size_t count)
{
	array = nt_grow(array, capacity, count, sizeof(*array));
	for (size_t i = 0; i < count; i++)
		array[i] = i;
	return array;
}

static void test_a_burst_is_given_back(void **state_)
{
	(void)state_;
	size_t capacity = 0;
	uint64_t *array = filled(NULL, &capacity, BURST);
	array = nt_shrink(array, &capacity, FEW, sizeof(*array));
	assert_true(capacity >= FEW && capacity < BURST / 10);
	for (size_t i = 0; i < FEW; i++)
		assert_int_equal(array[i], i);
	array = filled(array, &capacity, BURST); /* the next one finds room again */
	assert_true(capacity >= BURST);
	array = nt_shrink(array, &capacity, 0, sizeof(*array));
	assert_true(capacity < BURST / 10);
	free(array);
}

/* What is small, or in use, stays where it is: to ask for it again would cost more than it is worth. */
static void test_little_stays(void **state_)
{
	(void)state_;
	size_t capacity = 0;
	uint64_t *array = filled(NULL, &capacity, FEW);
	size_t before = capacity;
	assert_ptr_equal(nt_shrink(array, &capacity, 0, sizeof(*array)), array);
	assert_int_equal(capacity, before);
	array = filled(array, &capacity, BURST);
	before = capacity;
	assert_ptr_equal(nt_shrink(array, &capacity, BURST, sizeof(*array)), array);
	assert_int_equal(capacity, before);
	free(array);
	capacity = 0;
	assert_null(nt_shrink(NULL, &capacity, 0, sizeof(*array)));
}

static size_t room_after(struct nt_batch *batch, size_t events)
{
	for (size_t i = 0; i < events; i++)
		nt_batch_add(batch, NT_EV_SELF, (nt_time)i, 0, 0);
	nt_batch_reset(batch);
	return batch->event_capacity;
}

/* A stream fills each batch: to ask for the room each time costs half as much as to decode the events. A burst does not come again. */
static void test_a_stream_keeps_its_room(void **state_)
{
	(void)state_;
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	size_t room = room_after(batch, BURST);
	assert_true(room >= BURST);
	assert_int_equal(room_after(batch, BURST), room);
	assert_true(room_after(batch, FEW) < BURST / 10);
	nt_batch_free(batch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_burst_is_given_back),
		cmocka_unit_test(test_little_stays),
		cmocka_unit_test(test_a_stream_keeps_its_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
