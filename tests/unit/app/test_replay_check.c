// SPDX-License-Identifier: GPL-2.0-only
/* Batches and ticks are all that the model is told: what passes nt_inputs makes the same snapshots again, what does not is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/session/inputs.h"

enum { PID = 4711, START_S = 1000 };

static nt_time ms(unsigned value)
{
	return START_S * NT_NS_PER_S + value * NT_NS_PER_MS;
}

static void begin(struct nt_inputs *inputs)
{
	struct nt_model_config config;
	nt_model_config_init(&config);
	config.pid = PID;
	config.start = ms(0);
	nt_inputs_init(inputs, &config, true, NULL);
}

static void decide(struct nt_inputs *inputs, unsigned at_ms, enum nt_event_kind kind, uint64_t value)
{
	struct nt_event *event = nt_inputs_begin(inputs, NT_SOURCE_APP, kind, ms(at_ms), PID);
	if (kind == NT_EV_LOOK)
		event->u.look.method = value;
	else if (kind == NT_EV_KEEP_STACKS)
		event->u.keep_stacks.wanted = (uint32_t)value;
	else if (kind == NT_EV_INTERVAL)
		event->u.interval.ns = value;
	nt_inputs_send(inputs);
}

static void sample(struct nt_batch *batch, unsigned at_ms)
{
	nt_batch_add(batch, NT_EV_SAMPLE, ms(at_ms), PID, 1)->u.sample = (struct nt_ev_sample){ .weight_ns = NT_NS_PER_MS };
}

static void tick(struct nt_inputs *inputs, unsigned at_ms, enum nt_tick_how how)
{
	const struct nt_tick tick = { .now = ms(at_ms), .how = how, .complete = true };
	nt_snapshot_release(nt_inputs_tick(inputs, &tick));
}

/* All that somebody may decide, in the midst of samples. */
static void play(struct nt_inputs *inputs)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	for (unsigned at_ms = 10; at_ms < 5000; at_ms += 10) {
		nt_batch_reset(batch);
		sample(batch, at_ms);
		nt_inputs_batch(inputs, batch);
		tick(inputs, at_ms, NT_TICK_DUE);
		if (at_ms == 400)
			decide(inputs, at_ms, NT_EV_INTERVAL, 300 * NT_NS_PER_MS);
		if (at_ms == 900)
			decide(inputs, at_ms, NT_EV_ASK, 0);
		if (at_ms == 1500)
			decide(inputs, at_ms, NT_EV_KEEP_STACKS, NT_STACKS_WINDOW);
		if (at_ms == 2000)
			decide(inputs, at_ms, NT_EV_LOOK, 1);
		if (at_ms == 2500)
			tick(inputs, at_ms, NT_TICK_CLOSE);
	}
	decide(inputs, 5000, NT_EV_END, 0);
	nt_batch_free(batch);
}

static void batches_and_ticks_are_all(void **state_)
{
	(void)state_;
	struct nt_inputs inputs;
	size_t count;
	begin(&inputs);
	play(&inputs);
	tick(&inputs, 5000, NT_TICK_FINAL);
	assert_true(nt_replay_check_result(inputs.replay, &count));
	assert_true(count > 10);
	nt_inputs_fini(&inputs);
}

static void what_enters_besides_is_found(void **state_)
{
	(void)state_;
	struct nt_inputs inputs;
	size_t count;
	begin(&inputs);
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	sample(batch, 10);
	nt_model_apply(inputs.model, batch);
	play(&inputs);
	assert_false(nt_replay_check_result(inputs.replay, &count));
	nt_batch_free(batch);
	nt_inputs_fini(&inputs);
}

/* Also what no line of JSON shows. */
static void a_decision_that_nobody_noted_is_found(void **state_)
{
	(void)state_;
	static const enum nt_event_kind kinds[] = { NT_EV_LOOK, NT_EV_KEEP_STACKS, NT_EV_INTERVAL, NT_EV_END };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct nt_inputs inputs;
		size_t count;
		begin(&inputs);
		struct nt_event *event = nt_inputs_begin(&inputs, NT_SOURCE_APP, kinds[i], ms(500), PID);
		if (kinds[i] == NT_EV_LOOK)
			event->u.look.method = 1;
		else if (kinds[i] == NT_EV_KEEP_STACKS)
			event->u.keep_stacks.wanted = NT_STACKS_WINDOW;
		else if (kinds[i] == NT_EV_INTERVAL)
			event->u.interval.ns = 100 * NT_NS_PER_MS;
		nt_model_apply(inputs.model, inputs.own);
		tick(&inputs, 1000, NT_TICK_CLOSE);
		tick(&inputs, 1500, NT_TICK_DUE);
		tick(&inputs, 2000, NT_TICK_FINAL);
		if (nt_replay_check_result(inputs.replay, &count))
			fail_msg("%s was not missed", nt_event_kind_name(kinds[i]));
		nt_inputs_fini(&inputs);
	}
}

static void a_tick_that_made_nothing_makes_nothing_again(void **state_)
{
	(void)state_;
	struct nt_inputs inputs;
	size_t count;
	begin(&inputs);
	tick(&inputs, 100, NT_TICK_DUE);
	assert_true(nt_replay_check_result(inputs.replay, &count));
	assert_int_equal(count, 0);
	nt_snapshot_release(nt_model_close(inputs.model, ms(200), false)); /* nobody noted it */
	tick(&inputs, 1300, NT_TICK_DUE);
	assert_false(nt_replay_check_result(inputs.replay, &count));
	nt_inputs_fini(&inputs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_and_ticks_are_all),
		cmocka_unit_test(what_enters_besides_is_found),
		cmocka_unit_test(a_decision_that_nobody_noted_is_found),
		cmocka_unit_test(a_tick_that_made_nothing_makes_nothing_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
