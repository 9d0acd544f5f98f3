// SPDX-License-Identifier: GPL-2.0-only
/* Intervals: when they close, where an event counts, who may say it; and that the same input gives the same output. */
#include "build.h"

#include "nettop/source.h"

struct world {
	struct nt_model *model;
	struct feed lttng, perf, pipe, procfs, codemap, app;
};

static struct feed *feed_of(struct world *world, int index)
{
	struct feed *feeds[] = { &world->lttng, &world->perf, &world->pipe, &world->procfs, &world->codemap, &world->app };
	return index < 6 ? feeds[index] : NULL;
}

static void begin(struct world *world)
{
	static const enum nt_source_id ids[] = { NT_SOURCE_LTTNG,  NT_SOURCE_PERF,    NT_SOURCE_EVENTPIPE,
						 NT_SOURCE_PROCFS, NT_SOURCE_CODEMAP, NT_SOURCE_APP };
	world->model = new_model();
	for (int i = 0; i < 6; i++)
		feed_init(feed_of(world, i), world->model, ids[i]);
	target_mode(&world->procfs, NT_MODE_N);
	delivering(&world->lttng);
	delivering(&world->procfs);
}

static void end(struct world *world)
{
	for (int i = 0; i < 6; i++)
		feed_fini(feed_of(world, i));
	nt_model_free(world->model);
}

static void exception(struct feed *feed, double at)
{
	nt_str type = text(feed, "E");
	event(feed, NT_EV_EXCEPTION_THROWN, at, 1)->u.exception.type = type;
}

static const struct nt_source_row *source(const struct nt_snapshot *s, enum nt_source_id id)
{
	for (size_t i = 0; i < s->source_count; i++)
		if (s->sources[i].id == id)
			return &s->sources[i];
	fail();
	return NULL;
}

static struct nt_snapshot *tick(struct world *world, double at)
{
	return nt_model_tick(world->model, ms(at));
}

/* ---- when an interval closes ---- */

static void test_closes_when_all_have_reported(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.perf);
	assert_null(tick(&w, 999));
	assert_null(tick(&w, 1000));
	idle(&w.lttng, 1000);
	assert_null(tick(&w, 1050)); /* perf is still missing */
	idle(&w.perf, 1020);
	struct nt_snapshot *s = tick(&w, 1050);
	assert_non_null(s);
	assert_int_equal(s->t0, ms(0));
	assert_int_equal(s->t1, ms(1000));
	assert_int_equal(s->sequence, 1);
	assert_known(source(s, NT_SOURCE_LTTNG)->lag_ns, 0);
	nt_snapshot_release(s);
	assert_null(tick(&w, 1060));
	end(&w);
}

/* One stream of EventPipe has told of something later; another may be behind. */
static void test_waits_for_all_streams_of_a_source(void **state_)
{
	(void)state_;
	struct world w;
	struct feed eventpipe;
	begin(&w);
	feed_init(&eventpipe, w.model, NT_SOURCE_EVENTPIPE);
	delivering(&eventpipe);
	idle(&w.lttng, 1001);
	exception(&eventpipe, 1010);
	feed_send(&eventpipe);
	assert_null(tick(&w, 1050));
	exception(&eventpipe, 990);
	idle(&eventpipe, 1001);
	struct nt_snapshot *s = tick(&w, 1100);
	assert_non_null(s);
	assert_int_equal(source(s, NT_SOURCE_EVENTPIPE)->late_count, 0);
	nt_snapshot_release(s);
	feed_fini(&eventpipe);
	end(&w);
}

static void test_closes_at_the_watermark(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	idle(&w.lttng, 700);
	assert_null(tick(&w, 1299));
	struct nt_snapshot *s = tick(&w, 1300);
	assert_non_null(s);
	assert_known(source(s, NT_SOURCE_LTTNG)->lag_ns, 300 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

/* Only open sources that deliver are waited for: not procfs, not one that starts, not one that is silent. */
static void test_does_not_wait_for_the_others(void **state_)
{
	(void)state_;
	static const enum nt_source_state states[] = { NT_STATE_STARTING, NT_STATE_STALLED, NT_STATE_ENDED };
	for (size_t i = 0; i < 3; i++) {
		struct world w;
		begin(&w);
		struct nt_event *e = event(&w.perf, NT_EV_SOURCE_STATE, 0, 0);
		e->u.source_state = (struct nt_ev_source_state){ .state = states[i], .open = 1 };
		feed_send(&w.perf);
		e = event(&w.codemap, NT_EV_SOURCE_STATE, 0, 0);
		e->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .open = 1 };
		feed_send(&w.codemap);
		idle(&w.lttng, 1001);
		struct nt_snapshot *s = tick(&w, 1000);
		assert_non_null(s);
		nt_snapshot_release(s);
		end(&w);
	}
}

static void test_several_are_due(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	idle(&w.lttng, 5000);
	for (int i = 1; i <= 3; i++) {
		struct nt_snapshot *s = tick(&w, 3500);
		assert_non_null(s);
		assert_int_equal(s->t1, ms(1000 * i));
		nt_snapshot_release(s);
	}
	assert_null(tick(&w, 3500));
	/* Stopped for an hour: one long interval, not 3600, with everything that happened in it. */
	exception(&w.lttng, 100 * 1000);
	exception(&w.lttng, 3000 * 1000);
	feed_send(&w.lttng);
	struct nt_snapshot *s = tick(&w, 3600 * 1000 + 3500);
	assert_non_null(s);
	assert_known(s->processes[0].interval.exceptions.count, 2);
	assert_int_equal(source(s, NT_SOURCE_LTTNG)->late_count, 0);
	assert_true(s->t1 - s->t0 > 3590 * NT_NS_PER_S);
	assert_int_equal((s->t1 - START) % NT_NS_PER_S, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_close_now_and_new_interval(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	struct nt_snapshot *s = close_at(w.model, 150);
	assert_int_equal(s->t1, ms(150));
	nt_snapshot_release(s);
	set_interval(w.model, 100 * NT_NS_PER_MS);
	idle(&w.lttng, 2000);
	s = tick(&w, 1150); /* the open interval keeps its length */
	assert_int_equal(s->t1, ms(1150));
	nt_snapshot_release(s);
	s = tick(&w, 1250);
	assert_int_equal(s->t1, ms(1250));
	nt_snapshot_release(s);
	s = close_at(w.model, 0); /* before the interval began: empty, not negative */
	assert_int_equal(s->t0, s->t1);
	nt_snapshot_release(s);
	end(&w);
}

/* ---- where an event counts ---- */

static void test_counts_where_its_time_lies(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exception(&w.lttng, 999);
	exception(&w.lttng, 1000); /* [t0, t1): of the next interval */
	exception(&w.lttng, 1500);
	exception(&w.lttng, 2500);
	feed_send(&w.lttng);
	static const uint64_t expected[] = { 1, 2, 1, 0 };
	for (int i = 0; i < 4; i++) {
		idle(&w.lttng, 1000 * (i + 2));
		struct nt_snapshot *s = tick(&w, 1000 * (i + 1));
		assert_non_null(s);
		assert_known(s->processes[0].interval.exceptions.count, expected[i]);
		assert_int_equal(source(s, NT_SOURCE_LTTNG)->late_count, 0);
		nt_snapshot_release(s);
	}
	end(&w);
}

static void test_late_counts_in_the_open_interval(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	nt_snapshot_release(tick(&w, 1300));
	exception(&w.lttng, 900);
	exception(&w.lttng, 1100);
	feed_send(&w.lttng);
	struct nt_snapshot *s = tick(&w, 2300);
	assert_known(s->processes[0].interval.exceptions.count, 2);
	assert_known(s->processes[0].total.exceptions.count, 2);
	assert_int_equal(source(s, NT_SOURCE_LTTNG)->late_count, 1);
	nt_snapshot_release(s);
	end(&w);
}

/* The last snapshot counts everything that came, wherever its time lies. */
static void test_final_is_complete(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exception(&w.lttng, 10);
	exception(&w.lttng, 5000);
	feed_send(&w.lttng);
	struct nt_snapshot *s = nt_model_close(w.model, ms(400), true);
	assert_true(s->final);
	assert_known(s->processes[0].total.exceptions.count, 2);
	nt_snapshot_release(s);
	end(&w);
}

static void test_procfs_does_not_wait(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	event(&w.procfs, NT_EV_PROC, 1005, 0)->u.proc.rss_bytes = 77;
	feed_send(&w.procfs);
	idle(&w.lttng, 1001);
	struct nt_snapshot *s = tick(&w, 1010);
	assert_known(s->processes[0].interval.memory.rss_bytes, 77);
	nt_snapshot_release(s);
	end(&w);
}

static void test_events_of_other_processes(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exception(&w.lttng, 10);
	exception(&w.lttng, 11);
	w.lttng.batch->events[1].pid = PID + 1;
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.exceptions.count, 1);
	assert_int_equal(source(s, NT_SOURCE_LTTNG)->events, 2);
	nt_snapshot_release(s);
	end(&w);
}

/* ---- who may say it ---- */

static void test_duplicates_and_hand_over(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.pipe);
	/* EventPipe speaks first; LTTng takes over soon after its first word and counts from then on, each thing once. */
	exception(&w.pipe, 100);
	exception(&w.pipe, 200);
	feed_send(&w.pipe);
	exception(&w.lttng, 100);
	exception(&w.lttng, 200);
	exception(&w.lttng, 300);
	feed_send(&w.lttng);
	exception(&w.pipe, 300.001); /* the same, with its own time */
	exception(&w.pipe, 900);
	feed_send(&w.pipe);
	exception(&w.lttng, 900);
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.exceptions.count, 4);
	assert_int_equal(source(s, NT_SOURCE_EVENTPIPE)->duplicate_count, 1);
	assert_int_equal(source(s, NT_SOURCE_LTTNG)->duplicate_count, 3);
	nt_snapshot_release(s);

	/* LTTng goes silent: EventPipe counts again, from where LTTng stopped. */
	state(&w.lttng, NT_STATE_STALLED);
	feed_send(&w.lttng);
	exception(&w.pipe, 900);
	exception(&w.pipe, 1500);
	exception(&w.pipe, 1600);
	feed_send(&w.pipe);
	s = close_at(w.model, 2000);
	assert_known(s->processes[0].interval.exceptions.count, 2);
	nt_snapshot_release(s);

	/* And back. */
	delivering(&w.lttng);
	exception(&w.lttng, 1600);
	exception(&w.lttng, 2050);
	feed_send(&w.lttng);
	exception(&w.pipe, 2050);
	exception(&w.pipe, 2800);
	feed_send(&w.pipe);
	exception(&w.lttng, 2800);
	feed_send(&w.lttng);
	s = close_at(w.model, 3000);
	assert_known(s->processes[0].interval.exceptions.count, 2);
	assert_known(s->processes[0].total.exceptions.count, 8);
	nt_snapshot_release(s);
	end(&w);
}

/* One subject's owner does not own the others. */
static void test_owners_by_subject(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.pipe);
	exception(&w.lttng, 100);
	feed_send(&w.lttng);
	event(&w.pipe, NT_EV_POOL_WORKERS, 100, 1)->u.pool_workers.active_count = 9;
	exception(&w.pipe, 101);
	feed_send(&w.pipe);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.exceptions.count, 1);
	assert_known(s->processes[0].interval.pool.worker_count, 9);
	assert_null(s->processes[0].interval.pool.why.reason);
	nt_snapshot_release(s);
	end(&w);
}

/* ---- sources ---- */

static void test_losses_and_rates(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.perf);
	struct nt_ev_lost *lost = &event(&w.perf, NT_EV_LOST, 100, 0)->u.lost;
	*lost = (struct nt_ev_lost){ .count = 5, .count_known = 1, .what = NT_LOST_SAMPLES };
	lost = &event(&w.lttng, NT_EV_LOST, 100, 0)->u.lost;
	*lost = (struct nt_ev_lost){ .what = NT_LOST_PACKETS };
	event(&w.lttng, NT_EV_CLR_UNKNOWN, 110, 1);
	exception(&w.lttng, 120);
	feed_send(&w.perf);
	idle(&w.lttng, 900);
	struct nt_snapshot *s = close_at(w.model, 2000);
	assert_int_equal(s->lost_count, 5);
	assert_true(s->lost_unknown && s->lost_growing);
	assert_known(s->processes[0].interval.cpu.lost_samples, 5);
	const struct nt_source_row *lttng = source(s, NT_SOURCE_LTTNG);
	assert_int_equal(lttng->events, 3);
	assert_near(lttng->events_per_s.v, 1.5);
	assert_int_equal(lttng->unknown_count, 1);
	assert_known(lttng->lag_ns, 1100 * NT_NS_PER_MS);
	assert_int_equal(lttng->last_delivery, ms(900));
	assert_true(lttng->lost_unknown);
	nt_snapshot_release(s);
	s = close_at(w.model, 3000);
	assert_int_equal(s->lost_count, 5);
	assert_false(s->lost_growing);
	assert_known(s->processes[0].interval.cpu.lost_samples, 0);
	assert_known(s->processes[0].total.cpu.lost_samples, 5);
	nt_snapshot_release(s);
	end(&w);
}

static void wait_for_lock(struct feed *feed, double from_ms, double until_ms)
{
	event(feed, NT_EV_CONTENTION_START, from_ms, 5);
	struct nt_ev_contention *stop = &event(feed, NT_EV_CONTENTION_STOP, until_ms, 5)->u.contention;
	stop->duration_ns = (uint64_t)((until_ms - from_ms) * (double)NT_NS_PER_MS);
	stop->duration_known = 1;
	feed_send(feed);
}

/* A wait that begins before and ends after the time of the hand-over, told by both. */
static void test_hand_over_cuts_nothing_in_two(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.pipe);
	wait_for_lock(&w.pipe, 100, 110);
	wait_for_lock(&w.lttng, 150, 160); /* LTTng counts from 650 on */
	wait_for_lock(&w.pipe, 150, 160);
	wait_for_lock(&w.lttng, 600.001, 700.001);
	wait_for_lock(&w.pipe, 600, 700);
	wait_for_lock(&w.pipe, 800, 810);
	wait_for_lock(&w.lttng, 800.001, 810.001);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.locks.count, 4);
	assert_known(s->processes[0].interval.locks.wait_ns, 130 * NT_NS_PER_MS);
	assert_known(s->processes[0].interval.locks.waiting_count, 0);
	assert_int_equal(source(s, NT_SOURCE_EVENTPIPE)->duplicate_count, 2);
	assert_int_equal(source(s, NT_SOURCE_LTTNG)->duplicate_count, 4);
	nt_snapshot_release(s);
	end(&w);
}

static void brings(struct feed *pipe, uint32_t demand)
{
	struct nt_event *e = event(pipe, NT_EV_SOURCE_STATE, 0, 0);
	e->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .open = 1, .brings = demand };
	feed_send(pipe);
}

/* LTTng is back, and the session that took its place is stopped before the time of the hand-over: nobody waits for that. */
static void test_hand_over_when_the_old_owner_stops(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	brings(&w.pipe, NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS);
	exception(&w.pipe, 100);
	feed_send(&w.pipe);
	exception(&w.lttng, 200); /* counts from 700 on */
	feed_send(&w.lttng);
	exception(&w.pipe, 200);
	feed_send(&w.pipe);
	brings(&w.pipe, NT_WANT_POOL_EVENTS);
	exception(&w.lttng, 300);
	exception(&w.lttng, 400);
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.exceptions.count, 4);
	assert_int_equal(source(s, NT_SOURCE_LTTNG)->duplicate_count, 1);
	nt_snapshot_release(s);
	end(&w);
}

/* The owner is silent, its deputy delivers: nothing happened is 0, before the deputy's first event too. */
static void test_a_deputy_is_believed(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exception(&w.lttng, 100);
	feed_send(&w.lttng);
	nt_snapshot_release(close_at(w.model, 1000));
	state(&w.lttng, NT_STATE_STALLED);
	feed_send(&w.lttng);
	nt_snapshot_release(close_at(w.model, 2000));
	struct nt_snapshot *s = close_at(w.model, 3000);
	assert_unknown(s->processes[0].interval.exceptions.count);
	nt_snapshot_release(s);
	brings(&w.pipe, NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS);
	s = close_at(w.model, 4000);
	assert_known(s->processes[0].interval.exceptions.count, 0);
	assert_known(s->processes[0].total.exceptions.count, 1);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_closes_when_all_have_reported),
		cmocka_unit_test(test_waits_for_all_streams_of_a_source),
		cmocka_unit_test(test_closes_at_the_watermark),
		cmocka_unit_test(test_does_not_wait_for_the_others),
		cmocka_unit_test(test_several_are_due),
		cmocka_unit_test(test_close_now_and_new_interval),
		cmocka_unit_test(test_counts_where_its_time_lies),
		cmocka_unit_test(test_late_counts_in_the_open_interval),
		cmocka_unit_test(test_final_is_complete),
		cmocka_unit_test(test_procfs_does_not_wait),
		cmocka_unit_test(test_events_of_other_processes),
		cmocka_unit_test(test_duplicates_and_hand_over),
		cmocka_unit_test(test_hand_over_cuts_nothing_in_two),
		cmocka_unit_test(test_hand_over_when_the_old_owner_stops),
		cmocka_unit_test(test_a_deputy_is_believed),
		cmocka_unit_test(test_owners_by_subject),
		cmocka_unit_test(test_losses_and_rates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
