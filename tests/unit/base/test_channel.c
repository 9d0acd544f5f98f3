// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/channel.h"
#include "base/interner.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>

enum { BATCHES = 20000 };

static bool readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	return poll(&p, 1, 0) == 1;
}

static void *produce(void *argument)
{
	struct nt_channel *channel = argument;
	for (uint32_t i = 0; i < BATCHES;) {
		struct nt_batch *batch = nt_channel_take_empty(channel);
		if (!batch)
			continue;
		nt_batch_add(batch, NT_EV_IDLE, i, i, 0);
		nt_channel_send(channel, batch);
		i++;
	}
	return NULL;
}

static void test_order_across_threads(void **state)
{
	(void)state;
	struct nt_channel *channel = nt_channel_new(NT_SOURCE_LTTNG, 8);
	assert_non_null(channel);
	pthread_t worker;
	assert_int_equal(pthread_create(&worker, NULL, produce, channel), 0);
	for (uint32_t i = 0; i < BATCHES;) {
		struct nt_batch *batch = nt_channel_take_full(channel);
		if (!batch) {
			struct pollfd p = { .fd = nt_channel_fd(channel), .events = POLLIN };
			assert_true(poll(&p, 1, 10000) >= 0);
			continue;
		}
		assert_int_equal(batch->event_count, 1);
		assert_int_equal(batch->events[0].pid, i);
		nt_channel_give_back(channel, batch);
		i++;
	}
	pthread_join(worker, NULL);
	assert_null(nt_channel_take_full(channel));
	assert_false(readable(nt_channel_fd(channel)));
	nt_channel_free(channel);
}

static void test_full_channel_gives_no_batch(void **state)
{
	(void)state;
	struct nt_channel *channel = nt_channel_new(NT_SOURCE_PERF, 2);
	nt_channel_send(channel, nt_channel_take_empty(channel));
	nt_channel_send(channel, nt_channel_take_empty(channel));
	assert_null(nt_channel_take_empty(channel));
	assert_true(readable(nt_channel_fd(channel)));
	nt_channel_give_back(channel, nt_channel_take_full(channel));
	assert_non_null(channel);
	struct nt_batch *batch = nt_channel_take_empty(channel);
	assert_non_null(batch);
	nt_channel_send(channel, batch);
	nt_channel_free(channel);
}

static void test_interner_announces_once(void **state)
{
	(void)state;
	struct nt_interner *interner = nt_interner_new(0);
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	nt_interner_begin(interner, batch);
	nt_str a = nt_interner_cstr(interner, batch, "System.String");
	assert_int_not_equal(a, 0);
	assert_int_equal(nt_interner_cstr(interner, batch, "System.String"), a);
	assert_int_equal(nt_interner_cstr(interner, batch, ""), 0);
	assert_int_equal(batch->str_count, 1);
	const uint64_t chain[] = { 0xffffffff81000000, 0x1000, 0x2000 };
	nt_stack s = nt_interner_stack(interner, batch, chain, 1, 3);
	assert_int_equal(nt_interner_stack(interner, batch, chain, 1, 3), s);
	assert_int_not_equal(nt_interner_stack(interner, batch, chain, 0, 3), s);
	assert_int_equal(batch->stack_count, 2);
	assert_int_equal(batch->stacks[0].kernel_count, 1);
	nt_batch_free(batch);
	nt_interner_free(interner);
}

static void test_interner_starts_new_epoch(void **state)
{
	(void)state;
	struct nt_interner *interner = nt_interner_new(100);
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_LTTNG);
	nt_interner_begin(interner, batch);
	uint32_t epoch = batch->epoch;
	char text[200];
	memset(text, 'x', sizeof(text));
	nt_interner_str(interner, batch, text, sizeof(text));
	nt_batch_reset(batch);
	nt_interner_begin(interner, batch);
	assert_int_equal(batch->epoch, epoch + 1);
	assert_int_equal(nt_interner_str(interner, batch, text, sizeof(text)), 1);
	assert_int_equal(batch->str_count, 1);
	nt_batch_free(batch);
	nt_interner_free(interner);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_across_threads),
		cmocka_unit_test(test_full_channel_gives_no_batch),
		cmocka_unit_test(test_interner_announces_once),
		cmocka_unit_test(test_interner_starts_new_epoch),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
