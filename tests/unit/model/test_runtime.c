// SPDX-License-Identifier: GPL-2.0-only
/* Thread pool, exceptions, waits; and whether their figures are known at all. */
#include "build.h"
#include "model/pool/pool.h"

#include <stdio.h>

struct world {
	struct nt_model *model;
	struct feed lttng, procfs;
};

static void begin(struct world *world, enum nt_target_mode mode, enum nt_source_state lttng_state)
{
	world->model = new_model();
	feed_init(&world->lttng, world->model, NT_SOURCE_LTTNG);
	feed_init(&world->procfs, world->model, NT_SOURCE_PROCFS);
	delivering(&world->procfs);
	target_mode(&world->procfs, mode);
	state(&world->lttng, lttng_state);
	feed_send(&world->lttng);
}

static void end(struct world *world)
{
	feed_fini(&world->lttng);
	feed_fini(&world->procfs);
	nt_model_free(world->model);
}

static struct nt_snapshot *close_all(struct world *world, double at_ms)
{
	feed_send(&world->lttng);
	feed_send(&world->procfs);
	return close_at(world->model, at_ms);
}

static void pool_reading(struct feed *procfs, double at, uint32_t workers)
{
	struct nt_ev_proc *proc = &event(procfs, NT_EV_PROC, at, 0)->u.proc;
	proc->pool_count = workers;
	proc->pool_known = 1;
}

static void workers(struct feed *lttng, double at, uint32_t active)
{
	event(lttng, NT_EV_POOL_WORKERS, at, 1)->u.pool_workers.active_count = active;
}

static void adjustment(struct feed *lttng, double at, uint32_t goal, uint32_t reason)
{
	struct nt_ev_pool_adjust *adjust = &event(lttng, NT_EV_POOL_ADJUST, at, 1)->u.pool_adjust;
	adjust->goal_count = goal;
	adjust->reason = reason;
}

static void test_pool_from_events(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_F, NT_STATE_DELIVERING);
	pool_reading(&w.procfs, 1, 3);
	struct nt_snapshot *s = close_all(&w, 500);
	const struct nt_pool_figures *pool = &s->processes[0].interval.pool;
	assert_known(pool->worker_count, 3); /* no event yet */
	assert_true(pool->worker_from_procfs);
	assert_unknown(pool->goal_count);
	assert_unknown(pool->injected_count); /* a session that has ended may have silenced it */
	assert_non_null(strstr(pool->why.reason, "no event of the thread pool"));
	nt_snapshot_release(s);

	workers(&w.lttng, 600, 4);
	workers(&w.lttng, 610, 8);
	adjustment(&w.lttng, 620, 8, 0);
	adjustment(&w.lttng, 630, 11, 6);
	adjustment(&w.lttng, 640, 10, 3);
	adjustment(&w.lttng, 650, 12, 6);
	s = close_all(&w, 1000);
	pool = &s->processes[0].interval.pool;
	assert_known(pool->worker_count, 8);
	assert_false(pool->worker_from_procfs);
	assert_known(pool->goal_count, 12);
	assert_known(pool->injected_count, 4); /* from 8 to 12: the goal goes up and down */
	assert_known(pool->starved_count, 2);
	assert_string_equal(pool->reason, "starvation");
	assert_unknown(pool->queue_count);
	const struct nt_pool_adjustment *rows = s->processes[0].adjustments;
	assert_int_equal(s->processes[0].adjustment_count, 4); /* the newest first */
	assert_int_equal(rows[0].goal_count, 12);
	assert_known(rows[0].was_count, 10);
	assert_string_equal(rows[0].reason, "starvation");
	assert_unknown(rows[3].was_count);
	assert_string_equal(rows[3].reason, "warmup");
	assert_true(rows[3].time < rows[2].time);
	nt_snapshot_release(s);
	for (unsigned i = 1; i < NT_POOL_ADJUSTMENTS; i++)
		adjustment(&w.lttng, 1000 + i, 12, 3);
	adjustment(&w.lttng, 1100, 1, 77);
	s = close_all(&w, 2000);
	rows = s->processes[0].adjustments;
	assert_int_equal(s->processes[0].adjustment_count, NT_POOL_ADJUSTMENTS);
	assert_int_equal(rows[0].id, 4 + NT_POOL_ADJUSTMENTS);
	assert_string_equal(rows[0].reason, "unknown reason");
	assert_int_equal(rows[NT_POOL_ADJUSTMENTS - 1].id, 5);
	assert_known(s->processes[0].interval.pool.injected_count, 0);
	assert_known(s->processes[0].total.pool.injected_count, 4);
	assert_non_null(s->processes[0].interval.pool.reason);
	nt_snapshot_release(s);
	end(&w);
}

static void thread_stat(struct feed *procfs, double at, uint32_t tid, const char *name)
{
	nt_str said = text(procfs, name);
	event(procfs, NT_EV_THREAD_STAT, at, tid)->u.thread_stat.name = said;
	feed_send(procfs);
}

/* The diagnostics port has a thread of that name; a second one is a session, which may have silenced the pool over LTTng, for good. */
static void test_pool_beside_a_session(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_F, NT_STATE_DELIVERING);
	thread_stat(&w.procfs, 1, 7, ".NET EventPipe");
	adjustment(&w.lttng, 100, 8, 0);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_known(s->processes[0].interval.pool.goal_count, 8);
	assert_known(s->processes[0].interval.pool.starved_count, 0);
	nt_snapshot_release(s);
	thread_stat(&w.procfs, 1500, 9, ".NET EventPipe");
	adjustment(&w.lttng, 1600, 8, 0);
	for (double until = 2000; until < 4000; until += 1000) {
		s = close_all(&w, until);
		assert_unknown(s->processes[0].interval.pool.goal_count);
		assert_unknown(s->processes[0].total.pool.starved_count);
		assert_non_null(strstr(s->processes[0].interval.pool.why.reason, "may have silenced"));
		nt_snapshot_release(s);
	}
	end(&w);
}

static void counter(struct feed *pipe, double at, const char *name, uint32_t known, double value)
{
	struct nt_ev_counter told = { .provider = text(pipe, "System.Runtime"),
				      .name = text(pipe, name),
				      .period_ns = NT_NS_PER_S,
				      .value = value,
				      .change = value,
				      .known = known };
	event(pipe, NT_EV_COUNTER, at, 0)->u.counter = told;
}

/* No event tells of them. */
static void test_items_of_the_pool_come_from_counters(void **state_)
{
	(void)state_;
	struct world w;
	struct feed pipe;
	begin(&w, NT_MODE_N, NT_STATE_DELIVERING);
	feed_init(&pipe, w.model, NT_SOURCE_EVENTPIPE);
	counter(&pipe, 900, "threadpool-queue-length", NT_COUNTER_VALUE, 212);
	counter(&pipe, 900, "threadpool-completed-items-count", NT_COUNTER_CHANGE, 431);
	feed_send(&pipe);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_known(s->processes[0].interval.pool.queue_count, 212);
	assert_known(s->processes[0].interval.pool.completed_count, 431);
	assert_known(s->processes[0].total.pool.completed_count, 431);
	nt_snapshot_release(s);
	for (int second = 2; second <= 5; second++) {
		s = close_all(&w, second * 1000);
		if (second < 5)
			nt_snapshot_release(s);
	}
	assert_unknown(s->processes[0].interval.pool.queue_count); /* nobody has told for more than 3 s */
	assert_unknown(s->processes[0].interval.pool.completed_count);
	assert_known(s->processes[0].total.pool.completed_count, 431);
	nt_snapshot_release(s);
	feed_fini(&pipe);
	end(&w);
}

/* Whatever the pool's reason is. */
static void test_workers_that_wait_for_tasks(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_F, NT_STATE_DELIVERING);
	adjustment(&w.lttng, 620, 19, 8);
	nt_snapshot_release(close_all(&w, 1000));
	adjustment(&w.lttng, 1100, 24, 8);
	adjustment(&w.lttng, 1200, 22, 8);
	adjustment(&w.lttng, 1300, 23, 8);
	struct nt_snapshot *s = close_all(&w, 2000);
	assert_known(s->processes[0].interval.pool.injected_count, 4);
	assert_known(s->processes[0].interval.pool.blocked_count, 2);
	assert_known(s->processes[0].interval.pool.starved_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void pool_counts(struct feed *feed, double at, struct nt_ev_pool_counts counts)
{
	event(feed, NT_EV_POOL_COUNTS, at, 0)->u.pool_counts = counts;
}

/* What is read from outside is best, whatever events say; and it is known only as long as it is fresh. */
static void test_pool_from_memory(void **state_)
{
	(void)state_;
	struct world w;
	struct feed runtime;
	begin(&w, NT_MODE_N, NT_STATE_DELIVERING);
	feed_init(&runtime, w.model, NT_SOURCE_RUNTIME);
	delivering(&runtime);
	pool_reading(&w.procfs, 1, 3);
	pool_counts(&runtime, 400, (struct nt_ev_pool_counts){ 70, 5, 6, 4, 2, 100, .queued_known = 1 });
	pool_counts(&runtime, 500, (struct nt_ev_pool_counts){ 80, 7, 8, 9, 2, 100, .queued_known = 1 });
	feed_send(&runtime);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_pool_figures *pool = &s->processes[0].interval.pool, *total = &s->processes[0].total.pool;
	assert_known(pool->worker_count, 8);
	assert_false(pool->worker_from_procfs);
	assert_known(pool->working_count, 7);
	assert_known(pool->goal_count, 9);
	assert_known(pool->min_count, 2);
	assert_known(pool->max_count, 100);
	assert_known(pool->queue_count, 80);
	assert_known(total->queue_count, 80);
	assert_unknown(pool->injected_count);
	assert_unknown(pool->starved_count);
	assert_string_equal(pool->why.reason, "no listener"); /* of what only events tell */
	nt_snapshot_release(s);
	pool_counts(&runtime, 1500, (struct nt_ev_pool_counts){ 0, 7, 8, 9, 2, 100, .queued_known = 0 });
	feed_send(&runtime);
	s = close_all(&w, 2000);
	assert_unknown(s->processes[0].interval.pool.queue_count);
	assert_known(s->processes[0].interval.pool.worker_count, 8);
	nt_snapshot_release(s);
	pool_reading(&w.procfs, 4000, 5);
	s = close_all(&w, 5000);
	pool = &s->processes[0].interval.pool;
	assert_known(pool->worker_count, 5);
	assert_true(pool->worker_from_procfs);
	assert_unknown(pool->working_count);
	assert_unknown(pool->goal_count);
	nt_snapshot_release(s);
	feed_fini(&runtime);
	end(&w);
}

static void test_pool_in_mode_n(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N, NT_STATE_DELIVERING);
	pool_reading(&w.procfs, 1, 6);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_pool_figures *pool = &s->processes[0].interval.pool;
	assert_known(pool->worker_count, 6);
	assert_true(pool->worker_from_procfs);
	assert_unknown(pool->goal_count);
	assert_unknown(pool->injected_count);
	assert_string_equal(pool->why.reason, "no listener");
	assert_string_equal(pool->why.fix, "start a listener");
	nt_snapshot_release(s);
	end(&w);
}

static void thrown(struct feed *lttng, double at, const char *type, const char *message)
{
	nt_str type_id = text(lttng, type), message_id = text(lttng, message);
	struct nt_ev_exception *exception = &event(lttng, NT_EV_EXCEPTION_THROWN, at, 1)->u.exception;
	exception->type = type_id;
	exception->message = message_id;
}

static void test_exceptions(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N, NT_STATE_DELIVERING);
	thrown(&w.lttng, 1, "System.FormatException", "first");
	thrown(&w.lttng, 2, "System.FormatException", "last");
	thrown(&w.lttng, 3, "System.IO.IOException", "");
	thrown(&w.lttng, 4, NULL, NULL);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_known(process->interval.exceptions.count, 4);
	assert_string_equal(process->interval.exceptions.top_type, "System.FormatException");
	assert_known(process->interval.exceptions.top_count, 2);
	assert_int_equal(process->exception_count, 3);
	assert_string_equal(process->exceptions[0].message, "last");
	assert_int_equal(process->exceptions[0].count, 2);
	uint64_t id = process->exceptions[0].id;
	nt_snapshot_release(s);
	thrown(&w.lttng, 1001, "System.IO.IOException", "again");
	s = close_all(&w, 2000);
	process = &s->processes[0];
	assert_known(process->interval.exceptions.count, 1);
	assert_known(process->total.exceptions.count, 5);
	assert_string_equal(process->interval.exceptions.top_type, "System.IO.IOException");
	assert_int_equal(process->exceptions[0].count_all, 2);
	assert_int_equal(process->exceptions[0].id, id); /* same count: by name */
	nt_snapshot_release(s);
	end(&w);
}

/* EventPipe is not asked for catch blocks. Where somebody's session tells of them for a time, the rest of the time is not 0. */
static void test_catches_are_not_guessed(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N, NT_STATE_DELIVERING);
	for (double at = 100; at < 4000; at += 1000) {
		bool told = at > 1000 && at < 2000;
		thrown(&w.lttng, at, "A", "m");
		if (told)
			event(&w.lttng, NT_EV_EXCEPTION_CATCH, at + 1, 1);
		struct nt_snapshot *s = close_all(&w, at + 900);
		const struct nt_exception_figures *interval = &s->processes[0].interval.exceptions,
						  *total = &s->processes[0].total.exceptions;
		assert_known(interval->count, 1);
		assert_int_equal(interval->caught_count.known, told);
		assert_unknown(total->caught_count);
		nt_snapshot_release(s);
	}
	end(&w);
}

static void test_many_exception_types_are_bounded(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N, NT_STATE_DELIVERING);
	char type[64], *message = malloc(60000);
	memset(message, 'x', 59999);
	memcpy(message + 395, "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 8); /* the cut falls within a character */
	message[59999] = '\0';
	for (int i = 0; i < 5000; i++) {
		snprintf(type, sizeof(type), "Type%d", i);
		thrown(&w.lttng, 1, type, i ? "m" : message);
	}
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_known(process->interval.exceptions.count, 5000);
	assert_int_equal(process->exception_count, 1025);
	assert_string_equal(process->exceptions[0].type, "(other types)");
	assert_int_equal(process->exceptions[0].count, 5000 - 1024);
	for (size_t i = 0; i < process->exception_count; i++)
		if (strcmp(process->exceptions[i].type, "Type0") == 0)
			assert_int_equal(strlen(process->exceptions[i].message), 399);
	nt_snapshot_release(s);
	free(message);
	end(&w);
}

static void test_contention(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N, NT_STATE_DELIVERING);
	event(&w.lttng, NT_EV_CONTENTION_START, 100, 1);
	event(&w.lttng, NT_EV_CONTENTION_START, 101, 2);
	event(&w.lttng, NT_EV_CONTENTION_STOP, 104, 1); /* says no duration: by the clock */
	struct nt_ev_contention *stop = &event(&w.lttng, NT_EV_CONTENTION_STOP, 105, 2)->u.contention;
	stop->duration_known = 1;
	stop->duration_ns = 3500000;
	event(&w.lttng, NT_EV_CONTENTION_STOP, 106, 2);  /* began before we came */
	event(&w.lttng, NT_EV_CONTENTION_START, 200, 3); /* waits on */
	event(&w.lttng, NT_EV_CONTENTION_START, 201, 4);
	event(&w.lttng, NT_EV_CONTENTION_START, 202, 4); /* the stop was lost */
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_lock_figures *waits = &s->processes[0].interval.locks;
	assert_known(waits->count, 5);
	assert_known(waits->wait_ns, 7500000);
	assert_known(waits->waiting_count, 2);
	assert_true(waits->wait_p99_ns.v > 3950000 && waits->wait_p99_ns.v <= 4000000);
	nt_snapshot_release(s);
	event(&w.procfs, NT_EV_THREAD, 1100, 3)->u.thread.op = NT_THREAD_ENDED;
	s = close_all(&w, 2000);
	waits = &s->processes[0].interval.locks;
	assert_known(waits->count, 0);
	assert_known(waits->wait_ns, 0);
	assert_unknown(waits->wait_p99_ns);
	assert_known(waits->waiting_count, 1);
	assert_known(s->processes[0].total.locks.count, 5);
	nt_snapshot_release(s);
	end(&w);
}

/* ---- known or not ---- */

struct expectation {
	enum nt_target_mode mode;
	bool gc, jit, locks, pool;
};

static void test_what_a_mode_lets_us_know(void **state_)
{
	(void)state_;
	static const struct expectation expectations[] = {
		{ NT_MODE_NONE, true, false, false, false },    { NT_MODE_N, true, true, true, false },
		{ NT_MODE_F, true, true, true, false },         { NT_MODE_ALL, true, true, true, false },
		{ NT_MODE_UNKNOWN, true, false, false, false },
	};
	for (size_t i = 0; i < sizeof(expectations) / sizeof(expectations[0]); i++) {
		const struct expectation *e = &expectations[i];
		struct world w;
		begin(&w, e->mode, NT_STATE_DELIVERING);
		struct nt_snapshot *s = close_all(&w, 1000);
		const struct nt_figures *figures[] = { &s->processes[0].interval, &s->processes[0].total };
		for (int f = 0; f < 2; f++) {
			assert_int_equal(figures[f]->gc.count[0].known, e->gc);
			assert_int_equal(figures[f]->gc.pause_ns.known, e->gc);
			assert_int_equal(figures[f]->jit.method_count.known, e->jit);
			assert_int_equal(figures[f]->jit.why.reason == NULL, e->jit);
			assert_unknown(figures[f]->exceptions.count); /* never over LTTng */
			assert_non_null(figures[f]->exceptions.why.reason);
			assert_int_equal(figures[f]->locks.count.known, e->locks);
			assert_int_equal(figures[f]->pool.injected_count.known, e->pool);
		}
		nt_snapshot_release(s);
		end(&w);
	}
}

static void test_without_a_source_nothing_is_known(void **state_)
{
	(void)state_;
	static const enum nt_source_state states[] = { NT_STATE_UNUSED,    NT_STATE_STARTING, NT_STATE_ABSENT,
						       NT_STATE_FORBIDDEN, NT_STATE_STALLED,  NT_STATE_ENDED };
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		struct world w;
		begin(&w, NT_MODE_F, states[i]);
		struct nt_snapshot *s = close_all(&w, 1000);
		assert_unknown(s->processes[0].interval.gc.count[0]);
		assert_unknown(s->processes[0].total.gc.count[0]);
		assert_unknown(s->processes[0].interval.exceptions.count);
		assert_non_null(s->processes[0].interval.exceptions.why.reason);
		assert_unknown(s->processes[0].interval.cpu.samples); /* perf said nothing at all */
		assert_non_null(s->processes[0].interval.cpu.why.reason);
		nt_snapshot_release(s);
		end(&w);
	}
}

/* The source stops: what was counted stays, the intervals are not known any more, and the source's own sentence says why. */
static void test_a_source_that_goes_silent(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_N, NT_STATE_DELIVERING);
	thrown(&w.lttng, 1, "A", "m");
	nt_str reason = text(&w.lttng, "the relay is gone"), fix = text(&w.lttng, "wait");
	struct nt_event *e = event(&w.lttng, NT_EV_SOURCE_STATE, 500, 0);
	e->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_STALLED, .reason = reason, .fix = fix };
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_known(s->processes[0].interval.exceptions.count, 1); /* it delivered for a part */
	nt_snapshot_release(s);
	s = close_all(&w, 2000);
	assert_unknown(s->processes[0].interval.exceptions.count);
	assert_string_equal(s->processes[0].interval.exceptions.why.reason, "the relay is gone");
	assert_string_equal(s->processes[0].interval.exceptions.why.fix, "wait");
	assert_known(s->processes[0].total.exceptions.count, 1);
	nt_snapshot_release(s);
	end(&w);
}

static void brings(struct feed *pipe, uint32_t demand, enum nt_withheld withheld, enum nt_source_state state)
{
	struct nt_event *e = event(pipe, NT_EV_SOURCE_STATE, 0, 0);
	e->u.source_state = (struct nt_ev_source_state){ .state = state, .brings = demand, .withheld = (uint32_t)withheld };
	feed_send(pipe);
}

/* EventPipe alone brings exceptions. Where it does not ask for them they are unknown, whatever else it brings, and its reason is said. */
static void test_exceptions_come_over_eventpipe(void **state_)
{
	(void)state_;
	static const struct {
		uint32_t brings;
		enum nt_withheld withheld;
		enum nt_source_state state;
		const char *reason; /* a part of it; NULL = they are known */
	} cases[] = {
		{ NT_WANT_POOL_EVENTS | NT_WANT_EXCEPTIONS, NT_WITHHELD_NOTHING, NT_STATE_DELIVERING, NULL },
		{ NT_WANT_EXCEPTIONS, NT_WITHHELD_NOTHING, NT_STATE_DELIVERING, NULL },
		{ NT_WANT_POOL_EVENTS, NT_WITHHELD_EXCEPTIONS, NT_STATE_DELIVERING, "an LTTng session could" },
		{ NT_WANT_RUNTIME_EVENTS, NT_WITHHELD_EXCEPTIONS, NT_STATE_DELIVERING, "an LTTng session could" },
		{ NT_WANT_POOL_EVENTS, NT_WITHHELD_UNKNOWN, NT_STATE_DELIVERING, "cannot be looked at" },
		{ NT_WANT_POOL_EVENTS, NT_WITHHELD_NOTHING, NT_STATE_DELIVERING, "only EventPipe" },
		{ NT_WANT_GC_EVENTS, NT_WITHHELD_FILE, NT_STATE_DELIVERING, "the file has no exceptions" },
		{ 0, NT_WITHHELD_EXCEPTIONS, NT_STATE_UNUSED, "an LTTng session could" },
		{ NT_WANT_EXCEPTIONS, NT_WITHHELD_NOTHING, NT_STATE_FORBIDDEN, "EventPipe is forbidden" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct world w;
		begin(&w, NT_MODE_N, NT_STATE_DELIVERING);
		struct feed pipe;
		feed_init(&pipe, w.model, NT_SOURCE_EVENTPIPE);
		brings(&pipe, cases[i].brings, cases[i].withheld, cases[i].state);
		struct nt_snapshot *s = close_all(&w, 1000);
		const struct nt_exception_figures *interval = &s->processes[0].interval.exceptions,
						  *total = &s->processes[0].total.exceptions;
		assert_unknown(interval->caught_count);
		if (cases[i].reason) {
			assert_unknown(interval->count);
			assert_unknown(total->count);
			assert_non_null(strstr(interval->why.reason, cases[i].reason));
			assert_non_null(strstr(total->why.reason, cases[i].reason));
		} else {
			assert_known(interval->count, 0);
			assert_known(total->count, 0);
		}
		nt_snapshot_release(s);
		feed_fini(&pipe);
		end(&w);
	}
}

/* What LTTng tells in part: EventPipe owns it where it is asked for it, whoever spoke first; over LTTng alone it is not known, whatever came. */
static void test_locks_in_part(void **state_)
{
	(void)state_;
	for (int with_pipe = 0; with_pipe < 2; with_pipe++) {
		struct world w;
		begin(&w, NT_MODE_N, NT_STATE_DELIVERING);
		struct nt_ev_target target = { .mode = NT_MODE_N, .lock_reason = text(&w.procfs, "managed code tells of them") };
		event(&w.procfs, NT_EV_TARGET, 0, 0)->u.target = target;
		feed_send(&w.procfs);
		struct feed pipe;
		feed_init(&pipe, w.model, NT_SOURCE_EVENTPIPE);
		if (with_pipe)
			brings(&pipe, NT_WANT_LOCK_EVENTS | NT_WANT_EXCEPTIONS, NT_WITHHELD_NOTHING, NT_STATE_DELIVERING);
		for (uint32_t tid = 1; tid < 4; tid++) {
			if (tid < 3)
				event(&w.lttng, NT_EV_CONTENTION_START, 100 * tid, tid);
			feed_send(&w.lttng);
			if (with_pipe)
				event(&pipe, NT_EV_CONTENTION_START, 100 * tid, tid);
			feed_send(&pipe);
		}
		struct nt_snapshot *s = close_all(&w, 1000);
		const struct nt_lock_figures *interval = &s->processes[0].interval.locks, *total = &s->processes[0].total.locks;
		if (with_pipe) {
			assert_known(interval->count, 3);
			assert_known(total->count, 3);
			assert_null(interval->why.reason);
		} else {
			assert_unknown(interval->count);
			assert_unknown(total->count);
			assert_string_equal(interval->why.reason, "managed code tells of them");
			assert_string_equal(total->why.reason, "managed code tells of them");
		}
		nt_snapshot_release(s);
		feed_fini(&pipe);
		end(&w);
	}
}

/* An event that came proves that such events come, whatever the environment says. */
static void test_seen_is_known(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_MODE_NONE, NT_STATE_DELIVERING);
	thrown(&w.lttng, 1, "A", "m");
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_known(s->processes[0].interval.exceptions.count, 1);
	assert_unknown(s->processes[0].interval.locks.count);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pool_from_events),
		cmocka_unit_test(test_pool_from_memory),
		cmocka_unit_test(test_pool_in_mode_n),
		cmocka_unit_test(test_pool_beside_a_session),
		cmocka_unit_test(test_items_of_the_pool_come_from_counters),
		cmocka_unit_test(test_workers_that_wait_for_tasks),
		cmocka_unit_test(test_exceptions),
		cmocka_unit_test(test_catches_are_not_guessed),
		cmocka_unit_test(test_many_exception_types_are_bounded),
		cmocka_unit_test(test_contention),
		cmocka_unit_test(test_what_a_mode_lets_us_know),
		cmocka_unit_test(test_without_a_source_nothing_is_known),
		cmocka_unit_test(test_a_source_that_goes_silent),
		cmocka_unit_test(test_exceptions_come_over_eventpipe),
		cmocka_unit_test(test_locks_in_part),
		cmocka_unit_test(test_seen_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
