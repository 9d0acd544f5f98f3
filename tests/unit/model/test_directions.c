// SPDX-License-Identifier: GPL-2.0-only
/* What nettop decides for the model comes as events: from app/ alone, and checked. */
#include "build.h"
#include "sampled_world.h"

#include "nettop/source.h"

/* The end of the interval that opens when the open one is closed at `at_ms`. */
static double next_end_ms(struct world *w, double at_ms)
{
	nt_snapshot_release(close_at(w->model, at_ms));
	return (double)(nt_model_interval_end(w->model) - START) / (double)NT_NS_PER_MS;
}

static void an_interval_has_a_length_that_makes_sense(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	set_interval(w.model, 250 * NT_NS_PER_MS);
	assert_near(next_end_ms(&w, 1000), 1250);
	static const nt_time nonsense[] = { 0, NT_INTERVAL_MIN_NS - 1, NT_INTERVAL_MAX_NS + 1, UINT64_MAX };
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++)
		set_interval(w.model, nonsense[i]);
	assert_near(next_end_ms(&w, 2000), 2250);
	end(&w);
}

static void nobody_else_decides(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	event(&w.perf, NT_EV_INTERVAL, 1, 0)->u.interval.ns = 250 * NT_NS_PER_MS;
	event(&w.perf, NT_EV_KEEP_STACKS, 1, 0)->u.keep_stacks.wanted = NT_STACKS_ALL;
	event(&w.perf, NT_EV_LOOK, 1, 0)->u.look.method = 1;
	event(&w.perf, NT_EV_END, 500, 0);
	sample_at(&w.perf, 700, 1, 0x400010);
	feed_send(&w.perf);
	struct nt_snapshot *s = nt_model_close(w.model, ms(1000), true);
	assert_int_equal(s->t1, ms(1000));
	assert_int_equal(s->processes[0].samples_all, 1);
	assert_int_equal(s->processes[0].stacks.node_count, 0);
	assert_int_equal(s->processes[0].annotation.method, 0);
	nt_snapshot_release(s);
	assert_int_equal(nt_model_interval_end(w.model), ms(2000));
	end(&w);
}

/* A recording may say anything. */
static void what_nobody_knows_is_ignored(void **state_)
{
	(void)state_;
	struct world w;
	size_t count;
	begin(&w);
	keep_stacks(w.model, NT_STACKS_ALL);
	keep_stacks(w.model, (enum nt_stacks_wanted)77);
	decide(w.model, &(struct nt_event){ .kind = NT_EV_END, .time = NT_TIME_UNKNOWN });
	decide(w.model, &(struct nt_event){ .kind = NT_EV_SAMPLE - 1, .time = ms(1) });
	assert_null(nt_model_questions(w.model, &count));
	assert_int_equal(count, 0);
	sample_at(&w.perf, 1, 1, 0x400010);
	feed_send(&w.perf);
	struct nt_snapshot *s = nt_model_close(w.model, ms(1000), true);
	assert_true(s->processes[0].stacks.node_count > 0);
	assert_false(nt_model_has_ended(w.model));
	nt_snapshot_release(s);
	end(&w);
}

/* Whether all was read to its end is said by the tick that says that this is the end. */
static void the_last_tick_says_what_is_complete(void **state_)
{
	(void)state_;
	static const struct {
		struct nt_tick tick;
		bool final, complete;
	} cases[] = {
		{ { .how = NT_TICK_CLOSE, .complete = true }, false, false },
		{ { .how = NT_TICK_FINAL, .complete = false }, true, false },
		{ { .how = NT_TICK_FINAL, .complete = true }, true, true },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_model *model = new_model();
		struct nt_tick tick = cases[i].tick;
		tick.now = ms(100);
		struct nt_snapshot *s = nt_model_take_tick(model, &tick);
		assert_int_equal(s->t1, ms(100));
		assert_int_equal(s->final, cases[i].final);
		assert_int_equal(s->complete, cases[i].complete);
		nt_snapshot_release(s);
		nt_model_free(model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_has_a_length_that_makes_sense),
		cmocka_unit_test(nobody_else_decides),
		cmocka_unit_test(what_nobody_knows_is_ignored),
		cmocka_unit_test(the_last_tick_says_what_is_complete),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
