// SPDX-License-Identifier: GPL-2.0-only
/* For how long each section of an interval is told of, and that figures are rates of that time. */
#include "build.h"

static void cover(struct feed *feed, double at_ms, uint32_t what, bool covered)
{
	event(feed, NT_EV_COVER, at_ms, 0)->u.cover = (struct nt_ev_cover){ .what = what, .covered = covered };
}

static void thrown(struct feed *feed, double at_ms)
{
	event(feed, NT_EV_EXCEPTION_THROWN, at_ms, 7)->u.exception.type = text(feed, "Boom");
}

static void eventpipe_delivers(struct feed *feed, double at_ms)
{
	struct nt_ev_source_state *state = &event(feed, NT_EV_SOURCE_STATE, at_ms, 0)->u.source_state;
	*state = (struct nt_ev_source_state){ .state = NT_STATE_DELIVERING,
					      .open = 1,
					      .brings = NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS };
}

static void stalls(struct feed *feed, double at_ms)
{
	struct nt_ev_source_state *state = &event(feed, NT_EV_SOURCE_STATE, at_ms, 0)->u.source_state;
	*state = (struct nt_ev_source_state){ .state = NT_STATE_STALLED,
					      .brings = NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS,
					      .reason = text(feed, "cut") };
}

struct world {
	struct nt_model *model;
	struct feed feed;
};

static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->feed, w->model, NT_SOURCE_EVENTPIPE);
	eventpipe_delivers(&w->feed, 0);
}

static void end(struct world *w)
{
	feed_fini(&w->feed);
	nt_model_free(w->model);
}

static struct nt_snapshot *tick(struct world *w, double at_ms)
{
	return nt_model_tick(w->model, ms(at_ms));
}

static void test_a_source_that_comes_late(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	cover(&w.feed, 400, NT_WANT_RUNTIME_EVENTS, true);
	cover(&w.feed, 700, NT_WANT_EXCEPTIONS, true);
	thrown(&w.feed, 800);
	thrown(&w.feed, 900);
	thrown(&w.feed, 950);
	idle(&w.feed, 1100);
	struct nt_snapshot *s = tick(&w, 1100);
	const struct nt_figures *figures = &s->processes[0].interval;
	assert_known(figures->gc.covered_ns, 600 * NT_NS_PER_MS);
	assert_known(figures->locks.covered_ns, 600 * NT_NS_PER_MS);
	assert_known(figures->exceptions.covered_ns, 300 * NT_NS_PER_MS);
	assert_true(nt_is_partial(figures->exceptions.covered_ns, figures->lived_ns));
	assert_near(s->processes[0].series[NT_SUBJECT_EXCEPTIONS].cells[NT_SERIES_CELLS - 1].v, 10);
	assert_near(s->processes[0].exceptions[0].trend.cells[NT_TREND_CELLS - 1], 10);
	assert_known(s->sources[0].covered_ns, 600 * NT_NS_PER_MS); /* from the first moment on that it told of anything */
	assert_near(s->sources[0].events_per_s.v, 3 / 0.6);
	nt_snapshot_release(s);
	idle(&w.feed, 2000);
	s = tick(&w, 2000);
	figures = &s->processes[0].interval;
	assert_known(figures->exceptions.covered_ns, NT_NS_PER_S);
	assert_false(nt_is_partial(figures->exceptions.covered_ns, figures->lived_ns));
	assert_known(s->processes[0].total.exceptions.covered_ns, 1300 * NT_NS_PER_MS);
	assert_known(s->sources[0].covered_ns, NT_NS_PER_S);
	assert_known(s->sources[0].covered_all_ns, 1600 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

/* What was not told is not 0; what is told late counts in the open interval, and so does its time. */
static void test_silence_is_not_nothing(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	cover(&w.feed, 0, NT_WANT_EXCEPTIONS, true);
	idle(&w.feed, 1000);
	struct nt_snapshot *s = tick(&w, 1000);
	assert_known(s->processes[0].interval.exceptions.count, 0);
	nt_snapshot_release(s);
	s = tick(&w, 2300); /* after the watermark */
	assert_unknown(s->processes[0].interval.exceptions.count);
	assert_unknown(s->processes[0].interval.exceptions.covered_ns);
	assert_non_null(s->processes[0].interval.exceptions.why.reason);
	nt_snapshot_release(s);
	thrown(&w.feed, 1500);
	idle(&w.feed, 3000);
	s = tick(&w, 3000);
	assert_known(s->processes[0].interval.exceptions.count, 1);
	assert_known(s->processes[0].interval.exceptions.covered_ns, 2 * NT_NS_PER_S);
	assert_known(s->processes[0].total.exceptions.covered_ns, 3 * NT_NS_PER_S);
	nt_snapshot_release(s);
	end(&w);
}

static void test_a_gap_within_an_interval(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	cover(&w.feed, 0, NT_WANT_EXCEPTIONS, true);
	cover(&w.feed, 200, NT_WANT_EXCEPTIONS, false);
	stalls(&w.feed, 300);
	eventpipe_delivers(&w.feed, 600);
	cover(&w.feed, 150, NT_WANT_EXCEPTIONS, true); /* what was told is not told twice */
	cover(&w.feed, 250, NT_WANT_EXCEPTIONS, false);
	cover(&w.feed, 600, NT_WANT_EXCEPTIONS, true);
	idle(&w.feed, 1000);
	struct nt_snapshot *s = tick(&w, 1000);
	assert_known(s->processes[0].interval.exceptions.covered_ns, 650 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

/* nettop was stopped. A source that stored what happened gets the time to tell it, each interval what is its own. */
static void test_catching_up(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	cover(&w.feed, 0, NT_WANT_EXCEPTIONS, true);
	idle(&w.feed, 1000);
	nt_snapshot_release(tick(&w, 1000));
	assert_null(tick(&w, 9000));
	thrown(&w.feed, 1500);
	idle(&w.feed, 2000);
	struct nt_snapshot *s = tick(&w, 9100);
	assert_known(s->processes[0].interval.exceptions.count, 1);
	nt_snapshot_release(s);
	assert_null(tick(&w, 9100));
	s = tick(&w, 12100); /* but no longer than 3 s */
	assert_unknown(s->processes[0].interval.exceptions.count);
	nt_snapshot_release(s);
	end(&w);
}

/* The CPU time of a gap is in the sum, and in no interval: one value for itself. */
static void test_cpu_time_of_a_gap(void **state_)
{
	(void)state_;
	struct nt_model *model = new_model();
	struct feed feed;
	feed_init(&feed, model, NT_SOURCE_PROCFS);
	delivering(&feed);
	static const double read_at_ms[] = { 0, 1000, 16000 };
	for (unsigned i = 0; i < 3; i++) {
		event(&feed, NT_EV_PROC, read_at_ms[i], 0)->u.proc.user_ns = (uint64_t)read_at_ms[i] * NT_NS_PER_MS / 2;
		feed_send(&feed);
		if (i == 1)
			nt_snapshot_release(close_at(model, 1000));
	}
	struct nt_snapshot *s = close_at(model, 2000);
	assert_unknown(s->processes[0].interval.cpu.time_ns);
	assert_known(s->processes[0].interval.cpu.gap_time_ns, 7500 * NT_NS_PER_MS);
	assert_known(s->processes[0].interval.cpu.gap_ns, 15 * NT_NS_PER_S);
	assert_false(s->processes[0].interval.cpu.usage_pct.known);
	assert_known(s->processes[0].total.cpu.time_ns, 8 * NT_NS_PER_S);
	assert_known(s->processes[0].total.cpu.gap_time_ns, 7500 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	s = close_at(model, 3000);
	assert_unknown(s->processes[0].interval.cpu.time_ns); /* not read: not 0 */
	assert_unknown(s->processes[0].interval.cpu.gap_time_ns);
	nt_snapshot_release(s);
	feed_fini(&feed);
	nt_model_free(model);
}

/* It ends without a word of how far all came, and comes back: what was between is not covered. */
static void test_an_end_without_a_word(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	cover(&w.feed, 0, NT_WANT_RUNTIME_EVENTS, true);
	idle(&w.feed, 400);
	event(&w.feed, NT_EV_SOURCE_STATE, 500, 0)->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_ENDED };
	feed_send(&w.feed);
	nt_snapshot_release(nt_model_close(w.model, ms(1000), false));
	eventpipe_delivers(&w.feed, 2700);
	cover(&w.feed, 2700, NT_WANT_RUNTIME_EVENTS, true);
	idle(&w.feed, 3000);
	struct nt_snapshot *s = nt_model_close(w.model, ms(3000), false);
	assert_known(s->processes[0].interval.gc.covered_ns, 300 * NT_NS_PER_MS);
	assert_known(s->processes[0].total.gc.covered_ns, 700 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

static void test_one_end_for_all(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	cover(&w.feed, 0, NT_WANT_EXCEPTIONS, true);
	thrown(&w.feed, 300);
	thrown(&w.feed, 1100); /* waits for its interval */
	feed_send(&w.feed);
	end_all(w.model, 700);
	assert_false(nt_model_has_ended(w.model));
	thrown(&w.feed, 600); /* told afterwards, but of before */
	thrown(&w.feed, 700);
	cover(&w.feed, 800, NT_WANT_EXCEPTIONS, false);
	feed_send(&w.feed);
	struct nt_snapshot *s = nt_model_close(w.model, ms(1200), false);
	assert_int_equal(s->t1, ms(700));
	assert_known(s->processes[0].interval.exceptions.count, 2);
	nt_snapshot_release(s);
	assert_true(nt_model_has_ended(w.model));
	assert_null(tick(&w, 5000));
	s = nt_model_close(w.model, ms(1300), true);
	assert_int_equal(s->t1, ms(700));
	assert_known(s->processes[0].total.exceptions.count, 2);
	assert_known(s->processes[0].total.exceptions.covered_ns, 700 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

/* perf samples by turns: twenty of them in an interval, 25 ms in 50. What came of a time that was not sampled is a lower bound. */
static void test_samples_by_turns(void **state_)
{
	(void)state_;
	struct nt_model *model = new_model();
	struct feed perf;
	feed_init(&perf, model, NT_SOURCE_PERF);
	delivering(&perf);
	for (unsigned i = 0; i < 20; i++) {
		cover(&perf, 50 * i, 1, true);
		cover(&perf, 50 * i + 25, 1, false);
	}
	idle(&perf, 1000);
	struct nt_snapshot *s = nt_model_tick(model, ms(1000));
	assert_known(s->processes[0].interval.cpu.samples, 0);
	assert_known(s->processes[0].interval.cpu.samples_covered_ns, 500 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	idle(&perf, 2000);
	s = nt_model_tick(model, ms(2000));
	assert_unknown(s->processes[0].interval.cpu.samples);
	assert_unknown(s->processes[0].interval.cpu.samples_covered_ns);
	nt_snapshot_release(s);
	sample_at(&perf, 2500, 7, 0x1000);
	idle(&perf, 3000);
	s = nt_model_tick(model, ms(3000));
	assert_known(s->processes[0].interval.cpu.samples, 1);
	assert_known(s->processes[0].interval.cpu.samples_covered_ns, 0);
	assert_true(nt_is_partial(s->processes[0].interval.cpu.samples_covered_ns, s->processes[0].interval.lived_ns));
	nt_snapshot_release(s);
	feed_fini(&perf);
	nt_model_free(model);
}

/* The last interval waits for what the sources tell at their end; it is as long as it was, but no splinter. */
static void test_the_last_interval(void **state_)
{
	static const struct {
		double until_ms, last_ms;
	} cases[] = { { 1700, 700 }, { 1050, 1050 }, { 2050, 1050 }, { 1150, 150 } };
	(void)state_;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct world w;
		begin(&w);
		cover(&w.feed, 0, NT_WANT_EXCEPTIONS, true);
		feed_send(&w.feed);
		end_all(w.model, cases[i].until_ms);
		nt_time closed = 0;
		for (struct nt_snapshot *s; (s = tick(&w, 9000)); nt_snapshot_release(s))
			closed = s->t1;
		thrown(&w.feed, cases[i].until_ms - 10);
		cover(&w.feed, cases[i].until_ms + 20, NT_WANT_EXCEPTIONS, false);
		feed_send(&w.feed);
		struct nt_snapshot *s = nt_model_close(w.model, ms(9000), false);
		assert_true(!closed || s->t0 == closed);
		assert_int_equal(s->t1 - s->t0, cases[i].last_ms * NT_NS_PER_MS);
		assert_known(s->processes[0].interval.exceptions.count, 1);
		nt_snapshot_release(s);
		end(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_source_that_comes_late), cmocka_unit_test(test_silence_is_not_nothing),
		cmocka_unit_test(test_a_gap_within_an_interval), cmocka_unit_test(test_catching_up),
		cmocka_unit_test(test_cpu_time_of_a_gap),        cmocka_unit_test(test_an_end_without_a_word),
		cmocka_unit_test(test_one_end_for_all),          cmocka_unit_test(test_the_last_interval),
		cmocka_unit_test(test_samples_by_turns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
