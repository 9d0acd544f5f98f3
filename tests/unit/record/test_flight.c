// SPDX-License-Identifier: GPL-2.0-only
/* The last minutes kept in memory: what is written is as long as was asked for, or as there was room for, and has all that it refers to, however long ago that was said. */
#include "random_batch.h"

#include "record/flight.h"
#include "record/recording_file.h"

#include <stdio.h>
#include <unistd.h>

/* ANNOUNCED_AT: in the middle of a frame, behind a tick. */
enum { PID = 4711, OFFSET = 12345, ANNOUNCED_AT = 5 };

static char folder[64], path[96];

static int set_up(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/nettop-flight.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/recording", folder);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static nt_time second(unsigned number)
{
	return (1000 + (nt_time)number) * NT_NS_PER_S;
}

/* ---- a target that goes on: what is said once at its begin, then a sample each second that refers to it ---- */

static struct nt_flight *begin(nt_time reach_ns, size_t limit_bytes)
{
	const struct nt_model_config config = { .pid = PID, .start = second(0), .interval_ns = NT_NS_PER_S, .window_half_life = 5 };
	struct nt_flight *flight = nt_flight_new(reach_ns, limit_bytes);
	nt_flight_settings(flight, &config, OFFSET);
	return flight;
}

static void say_names(struct nt_flight *flight)
{
	static const char map[] = "Shop.Cart.TotalShop.Orders.Take";
	static const uint64_t chain[] = { 0x1000, 0x2000 };
	const struct nt_batch_line lines[] = { { .start = 0x1000, .size = 16, .offset = 0, .length = 15 },
					       { .start = 0x2000, .size = 16, .offset = 15, .length = 16 } };
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	batch->epoch = 3;
	nt_batch_announce_str(batch, 7, "worker", 6);
	nt_batch_announce_stack(batch, 9, chain, 0, 2);
	nt_batch_add(batch, NT_EV_THREAD, second(0), PID, 42)->u.thread = (struct nt_ev_thread){ .name = 7, .op = NT_THREAD_NAMED };
	nt_batch_add(batch, NT_EV_SAMPLE, second(0), PID, 42)->u.sample.stack = 9;
	nt_batch_add(batch, NT_EV_CODE, second(0), PID, 0);
	nt_batch_add_lines(batch, lines, 2, map);
	nt_flight_batch(flight, batch);
	nt_batch_free(batch);
}

static void go_on(struct nt_flight *flight, unsigned from, unsigned to, unsigned samples)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	uint64_t seed = 1;
	for (unsigned i = from; i < to; i++) {
		nt_batch_reset(batch);
		batch->epoch = 3;
		nt_batch_add(batch, NT_EV_THREAD_STAT, second(i), PID, 42)->u.thread_stat.user_ns = i;
		for (unsigned n = 0; n < samples; n++) {
			struct nt_event *sample = nt_batch_add(batch, NT_EV_SAMPLE, second(i) + n, PID, 42);
			sample->u.sample.stack = 9;
			sample->u.sample.weight_ns = samples > 1 ? random_number(&seed) : i;
		}
		if (i == ANNOUNCED_AT)
			nt_batch_announce_stack(batch, 10, (const uint64_t[]){ 1, 2, 3 }, 1, 3);
		nt_flight_batch(flight, batch);
		nt_flight_tick(flight, &(struct nt_tick){ .now = second(i + 1) });
	}
	nt_batch_free(batch);
}

static void write_down(struct nt_flight *flight)
{
	struct nt_recorder *recorder = NULL;
	unlink(path);
	assert_int_equal(nt_recorder_open(path, 0, &recorder, NULL), NT_OK);
	nt_flight_put(flight, recorder);
	nt_recorder_end(recorder);
	assert_null(nt_recorder_problem(recorder));
	nt_recorder_free(recorder);
}

/* ---- what is read of it ---- */

struct found {
	nt_time start, first_tick, last_tick;
	uint64_t first_weight, last_weight;                         /* of samples */
	size_t samples, stats, lines, names, chains, notes, before; /* before: samples that are older than its start */
};

static void look_at(struct found *found, const struct nt_batch *batch)
{
	found->names += batch->str_count;
	found->chains += batch->stack_count;
	for (size_t i = 0; i < batch->event_count; i++) {
		const struct nt_event *event = &batch->events[i];
		found->stats += event->kind == NT_EV_THREAD_STAT;
		if (event->kind == NT_EV_CODE) {
			found->lines += event->u.code.count;
			const struct nt_batch_line *line = &batch->lines[event->u.code.first + 1];
			assert_memory_equal(batch->bytes + line->offset, "Shop.Orders.Take", line->length);
		}
		if (event->kind != NT_EV_SAMPLE)
			continue;
		assert_true(found->chains > 0); /* before anybody refers to it */
		found->before += event->time < found->start;
		found->first_weight = found->samples++ ? found->first_weight : event->u.sample.weight_ns;
		found->last_weight = event->u.sample.weight_ns;
	}
}

static struct found read_back(void)
{
	struct found found = { .start = 0 };
	struct nt_recording_file *file = NULL;
	struct nt_recording_input input;
	enum nt_status status;
	assert_int_equal(nt_recording_file_open(path, &file, NULL), NT_OK);
	while ((status = nt_recording_file_next(file, &input, NULL)) == NT_OK) {
		if (input.what == NT_RECORDED_SETTINGS) {
			assert_int_equal(input.realtime_offset_ns, OFFSET);
			found.start = input.settings.start;
		} else if (input.what == NT_RECORDED_BATCH) {
			look_at(&found, input.batch);
		} else if (input.what == NT_RECORDED_NOTE) {
			found.notes++;
		} else {
			found.first_tick = found.first_tick ? found.first_tick : input.tick.now;
			found.last_tick = input.tick.now;
		}
	}
	assert_int_equal(status, NT_END);
	assert_true(nt_recording_file_end(file).finished);
	nt_recording_file_free(file);
	return found;
}

static void so_many_minutes_are_kept_with_what_they_refer_to(void **state)
{
	(void)state;
	enum { KEPT = 60, PAST = 600 };
	struct nt_flight *flight = begin(KEPT * NT_NS_PER_S, NT_FLIGHT_BYTES);
	say_names(flight);
	go_on(flight, 1, PAST, 1);
	assert_true(nt_flight_reach(flight) >= KEPT * NT_NS_PER_S && nt_flight_reach(flight) < (KEPT + 8) * NT_NS_PER_S);
	write_down(flight);
	struct found found = read_back();
	assert_int_equal(found.last_tick, second(PAST));
	assert_int_equal(found.start, second(PAST) - nt_flight_reach(flight));
	assert_true(found.first_tick > found.start && found.first_tick <= found.start + NT_NS_PER_S);
	assert_int_equal(found.last_weight, PAST - 1);
	assert_int_equal(found.samples, (second(PAST) - found.start) / NT_NS_PER_S);
	assert_true(found.names == 1 && found.chains == 2 && found.lines == 2 && !found.notes && !found.before);
	/* It goes on, and is written again. */
	go_on(flight, PAST, 2 * PAST, 1);
	write_down(flight);
	found = read_back();
	assert_int_equal(found.last_weight, 2 * PAST - 1);
	assert_true(found.names == 1 && found.chains == 2 && found.lines == 2);
	nt_flight_free(flight);
}

static void before_anything_is_over_it_is_all_that_there_was(void **state)
{
	(void)state;
	struct nt_flight *flight = begin(60 * NT_NS_PER_S, NT_FLIGHT_BYTES);
	say_names(flight);
	go_on(flight, 1, 20, 1);
	write_down(flight);
	struct found found = read_back();
	assert_true(found.start == second(0) && found.samples == 20 && found.stats == 19);
	nt_flight_free(flight);
}

/* Nothing is kept but what holds: for a recording that begins then. */
static void what_holds_is_enough_to_begin_with(void **state)
{
	(void)state;
	struct nt_flight *flight = begin(0, NT_FLIGHT_BYTES);
	say_names(flight);
	go_on(flight, 1, 100, 1);
	write_down(flight);
	struct found found = read_back();
	assert_true(found.samples == 0 && found.names == 1 && found.lines == 2 && found.chains == 2);
	assert_int_equal(found.start, second(100));
	nt_flight_free(flight);
}

/* A flood has its limit, and reaches less far back. */
static void a_flood_stays_within_its_memory(void **state)
{
	(void)state;
	enum { LIMIT = 2 << 20 };
	struct nt_flight *flight = begin(600 * NT_NS_PER_S, LIMIT);
	say_names(flight);
	for (unsigned i = 1; i < 100; i += 10) {
		go_on(flight, i, i + 10, 20000);
		assert_true(nt_flight_bytes(flight) < LIMIT + (1 << 20));
	}
	assert_true(nt_flight_reach(flight) < 60 * NT_NS_PER_S && nt_flight_reach(flight) > 0);
	write_down(flight);
	struct found found = read_back();
	assert_true(found.samples > 20000 && found.names == 1 && found.lines == 2);
	nt_flight_free(flight);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(so_many_minutes_are_kept_with_what_they_refer_to, set_up, tear_down),
		cmocka_unit_test_setup_teardown(before_anything_is_over_it_is_all_that_there_was, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_holds_is_enough_to_begin_with, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_flood_stays_within_its_memory, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
