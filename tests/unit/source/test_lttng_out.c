// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/lttng/lttng_out.h"
#include "source/lttng/lttng_session.h"

enum { PID = 4711, OTHER = 4712, BATCHES = 2 };

struct fixture {
	struct nt_channel *channel;
	struct nt_lttng_watched items[2];
	struct nt_lttng_watched_list watched;
	struct nt_lttng_out out;
};

static void set_up(struct fixture *fixture)
{
	fixture->channel = nt_channel_new(NT_SOURCE_LTTNG, BATCHES);
	assert_non_null(fixture->channel);
	fixture->items[0] = (struct nt_lttng_watched){ .pid = PID };
	fixture->items[1] = (struct nt_lttng_watched){ .pid = OTHER };
	fixture->watched = (struct nt_lttng_watched_list){ .items = fixture->items, .count = 1 };
	nt_lttng_out_init(&fixture->out, fixture->channel, &fixture->watched);
}

static void tear_down(struct fixture *fixture)
{
	nt_lttng_out_fini(&fixture->out);
	nt_channel_free(fixture->channel);
}

/* An event of the runtime, as the decoder appends it. */
static void decode_one(struct nt_lttng_out *out, nt_time time)
{
	nt_lttng_out_advance(out, time);
	assert_true(nt_lttng_out_room(out));
	nt_lttng_out_append(out, nt_batch_add(out->batch, NT_EV_GC_END, time, PID, PID));
}

static struct nt_batch *expect_batch(struct fixture *fixture, size_t event_count)
{
	struct nt_batch *batch = nt_channel_take_full(fixture->channel);
	assert_non_null(batch);
	assert_int_equal(batch->event_count, event_count);
	return batch;
}

static void test_idle_says_how_far_the_stream_has_come(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	decode_one(&f.out, 100);
	nt_lttng_out_flush(&f.out); /* the event itself says it */
	nt_channel_give_back(f.channel, expect_batch(&f, 1));

	nt_lttng_out_advance(&f.out, 150);
	nt_lttng_out_advance(&f.out, 140); /* a late message takes nothing back */
	nt_lttng_out_flush(&f.out);
	struct nt_batch *batch = expect_batch(&f, 1);
	assert_int_equal(batch->events[0].kind, NT_EV_IDLE);
	assert_int_equal(batch->events[0].time, 150);
	assert_int_equal(batch->events[0].pid, PID);
	nt_channel_give_back(f.channel, batch);

	nt_lttng_out_flush(&f.out); /* nothing new: no batch */
	assert_null(nt_channel_take_full(f.channel));
	tear_down(&f);
}

static void test_nothing_is_sent_before_there_is_a_target(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	f.items[0].pid = 0;
	nt_lttng_out_advance(&f.out, 150);
	nt_lttng_out_flush(&f.out);
	assert_null(nt_channel_take_full(f.channel));
	f.items[0].pid = PID;
	nt_lttng_out_flush(&f.out);
	nt_channel_give_back(f.channel, expect_batch(&f, 1));
	tear_down(&f);
}

static void test_full_channel_holds_back_and_loses_nothing(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	for (int i = 0; i < BATCHES; i++) {
		decode_one(&f.out, 100 + (nt_time)i);
		nt_lttng_out_flush(&f.out);
	}
	assert_false(nt_lttng_out_room(&f.out));
	nt_lttng_out_advance(&f.out, 500);
	nt_lttng_out_flush(&f.out); /* no room for IDLE either: it is still owed */

	nt_channel_give_back(f.channel, expect_batch(&f, 1));
	const struct nt_ev_lost lost = { .count = 5, .count_known = 1, .what = NT_LOST_EVENTS, .from = 1 };
	assert_true(nt_lttng_out_room(&f.out));
	nt_lttng_out_lost(&f.out, &lost, 2);
	nt_lttng_out_flush(&f.out);
	nt_channel_give_back(f.channel, expect_batch(&f, 1));
	struct nt_batch *batch = expect_batch(&f, 2);
	assert_int_equal(batch->events[0].kind, NT_EV_LOST);
	assert_int_equal(batch->events[0].u.lost.count, 5);
	assert_int_equal(batch->events[1].kind, NT_EV_IDLE);
	assert_int_equal(batch->events[1].time, 500);
	nt_channel_give_back(f.channel, batch);
	assert_int_equal(f.out.counters.lost_count, 5);
	assert_false(f.out.counters.lost_unknown);
	tear_down(&f);
}

static void test_of_several_each_is_told_until_it_is_over(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	f.watched.count = 2;
	nt_lttng_out_advance(&f.out, 150);
	nt_lttng_out_flush(&f.out);
	struct nt_batch *batch = expect_batch(&f, 2);
	assert_int_equal(batch->events[0].pid, PID);
	assert_int_equal(batch->events[1].pid, OTHER);
	assert_int_equal(batch->events[1].kind, NT_EV_IDLE);
	nt_channel_give_back(f.channel, batch);

	assert_true(nt_lttng_out_room(&f.out));
	nt_lttng_out_end(&f.out, &f.items[0], NT_STATE_ENDED, "it has ended", 140);
	f.items[0].over = true;
	nt_lttng_out_advance(&f.out, 200);
	nt_lttng_out_flush(&f.out);
	batch = expect_batch(&f, 3);
	assert_int_equal(batch->events[0].kind, NT_EV_COVER);
	assert_int_equal(batch->events[0].time, 140);
	assert_int_equal(batch->events[1].u.source_state.state, NT_STATE_ENDED);
	assert_int_equal(batch->events[1].pid, PID);
	assert_int_equal(batch->events[2].kind, NT_EV_IDLE);
	assert_int_equal(batch->events[2].pid, OTHER);
	nt_channel_give_back(f.channel, batch);
	tear_down(&f);
}

/* One call of the viewer brings up to 15 messages, for which room was asked once. */
static void test_batch_grows_beyond_its_usual_size_and_goes(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	assert_true(nt_lttng_out_room(&f.out));
	struct nt_batch *first = f.out.batch;
	for (nt_time t = 0; t < 600; t++)
		nt_batch_add(f.out.batch, NT_EV_GC_END, t, PID, PID);
	assert_true(nt_lttng_out_room(&f.out));
	assert_ptr_not_equal(f.out.batch, first);
	nt_channel_give_back(f.channel, expect_batch(&f, 600));
	assert_null(nt_channel_take_full(f.channel));
	tear_down(&f);
}

static void test_only_delivering_takes_part_in_the_watermark(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	for (uint32_t s = 0; s <= NT_STATE_ENDED; s++) {
		assert_true(nt_lttng_out_room(&f.out));
		nt_lttng_out_state(&f.out, nt_clock_now(), (enum nt_source_state)s, "why", NULL);
		struct nt_batch *batch = expect_batch(&f, 1);
		const struct nt_ev_source_state *told = &batch->events[0].u.source_state;
		assert_int_equal(told->state, s);
		assert_int_equal(told->open, s == NT_STATE_DELIVERING);
		assert_int_not_equal(told->reason, 0);
		assert_int_equal(told->fix, 0);
		nt_channel_give_back(f.channel, batch);
	}
	tear_down(&f);
}

/* The buffers of all CPUs are taken at once from the machine's shared memory. */
static void test_shared_memory_is_bounded(void **state)
{
	(void)state;
	for (unsigned cpus = 1; cpus <= 1024; cpus++) {
		uint64_t bytes = nt_lttng_subbuf_bytes(cpus);
		assert_int_equal(bytes & (bytes - 1), 0);
		assert_true(bytes >= 16 << 10);
		assert_true(bytes * NT_LTTNG_SUBBUF_COUNT * cpus <= 64 << 20);
	}
	assert_int_equal(nt_lttng_subbuf_bytes(2), 2 << 20);
	assert_int_equal(nt_lttng_subbuf_bytes(64), 256 << 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle_says_how_far_the_stream_has_come),
		cmocka_unit_test(test_nothing_is_sent_before_there_is_a_target),
		cmocka_unit_test(test_full_channel_holds_back_and_loses_nothing),
		cmocka_unit_test(test_of_several_each_is_told_until_it_is_over),
		cmocka_unit_test(test_batch_grows_beyond_its_usual_size_and_goes),
		cmocka_unit_test(test_only_delivering_takes_part_in_the_watermark),
		cmocka_unit_test(test_shared_memory_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
