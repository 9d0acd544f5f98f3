// SPDX-License-Identifier: GPL-2.0-only
#include "build.h"

struct world {
	struct nt_model *model;
	struct feed lttng;
};

static void begin(struct world *world)
{
	world->model = new_model();
	feed_init(&world->lttng, world->model, NT_SOURCE_LTTNG);
	target_mode(&world->lttng, NT_MODE_N);
	delivering(&world->lttng);
}

static void end(struct world *world)
{
	feed_fini(&world->lttng);
	nt_model_free(world->model);
}

static struct nt_jit_figures figures(struct world *world)
{
	feed_send(&world->lttng);
	struct nt_snapshot *s = close_at(world->model, 1000);
	struct nt_jit_figures jit = s->processes[0].interval.jit;
	nt_snapshot_release(s);
	return jit;
}

static void test_pairs(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	jit_start(&w.lttng, 100, 1, 0xa, 40);
	jit_start(&w.lttng, 101, 2, 0xb, 50); /* another thread at the same time */
	method_load(&w.lttng, 104, 1, 0xa, NT_TIER_0);
	method_load(&w.lttng, 102, 2, 0xb, NT_TIER_1);
	method_load(&w.lttng, 103, 3, 0xc, NT_TIER_0);            /* never begun here: loaded from elsewhere */
	method_load(&w.lttng, 104, 1, 0xa, NT_TIER_0)->flags = 1; /* not jitted */
	struct nt_jit_figures jit = figures(&w);
	assert_known(jit.method_count, 2);
	assert_known(jit.time_ns, 5 * NT_NS_PER_MS);
	assert_known(jit.il_bytes, 90);
	assert_known(jit.native_bytes, 200);
	assert_known(jit.tier_count[NT_TIER_0], 1);
	assert_known(jit.tier_count[NT_TIER_1], 1);
	assert_unknown(jit.backlog_count);
	assert_null(jit.why.reason);
	end(&w);
}

static void test_nested_and_failed(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	jit_start(&w.lttng, 100, 1, 0xa, 10);
	jit_start(&w.lttng, 101, 1, 0xb, 10);
	method_load(&w.lttng, 103, 1, 0xb, NT_TIER_0);
	jit_start(&w.lttng, 104, 1, 0xdead, 99); /* fails: never loads */
	method_load(&w.lttng, 106, 1, 0xa, NT_TIER_0);
	jit_start(&w.lttng, 107, 1, 0xc, 10);
	method_load(&w.lttng, 106, 1, 0xc, NT_TIER_0); /* time goes back: no negative duration */
	struct nt_jit_figures jit = figures(&w);
	assert_known(jit.method_count, 3);
	assert_known(jit.time_ns, (6 + 2) * NT_NS_PER_MS);
	assert_known(jit.il_bytes, 30);
	end(&w);
}

static void test_backlog(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	struct nt_ev_tiering *tiering = &event(&w.lttng, NT_EV_TIERING, 1, 1)->u.tiering;
	*tiering = (struct nt_ev_tiering){ .op = NT_TIERING_BG_START, .method_count = 40 };
	tiering = &event(&w.lttng, NT_EV_TIERING, 2, 1)->u.tiering;
	*tiering = (struct nt_ev_tiering){ .op = NT_TIERING_BG_STOP, .method_count = 12, .jitted_count = 28 };
	event(&w.lttng, NT_EV_TIERING, 3, 1)->u.tiering.op = NT_TIERING_PAUSE;
	assert_known(figures(&w).backlog_count, 12);
	end(&w);
}

/* Deep nesting, thousands of threads that never finish, every method unloaded at exit: bounded, no crash, no count. */
static void test_hostile(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t i = 0; i < 1000; i++)
		jit_start(&w.lttng, 1, 7, i, UINT32_MAX);
	for (uint32_t i = 0; i < 20000; i++)
		jit_start(&w.lttng, 2, 100 + i, 1, 1);
	method_load(&w.lttng, 3, 20099, 1, NT_TIER_0)->tier = 4000;
	for (uint32_t i = 0; i < 2000; i++) {
		struct nt_event *e = event(&w.lttng, NT_EV_METHOD_UNLOAD, 4, 1);
		e->u.method.flags = 8;
		e->u.method.size = UINT64_MAX;
	}
	struct nt_jit_figures jit = figures(&w);
	assert_known(jit.method_count, 1);
	assert_known(jit.tier_count[NT_TIER_UNKNOWN], 1);
	end(&w);
}

/* ---- the runtime's counters ---- */

static void eventpipe_brings(struct feed *pipe, double at_ms, uint32_t demand)
{
	struct nt_event *e = event(pipe, NT_EV_SOURCE_STATE, at_ms, 0);
	e->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .open = 1, .brings = demand };
}

static void told(struct feed *pipe, double at_ms, const char *name, bool grows, double number)
{
	struct nt_ev_counter counter = { .provider = text(pipe, "System.Runtime"),
					 .name = text(pipe, name),
					 .kind = grows ? NT_COUNTER_INCREMENT : NT_COUNTER_GAUGE,
					 .known = grows ? NT_COUNTER_CHANGE : NT_COUNTER_VALUE,
					 .change = grows ? number : 0,
					 .value = grows ? 0 : number,
					 .period_ns = NT_NS_PER_S };
	event(pipe, NT_EV_COUNTER, at_ms, 0)->u.counter = counter;
}

/* As at the end of each period: how many methods there are in all, how much IL, and for how many ms the JIT has worked since. */
static void counters(struct feed *pipe, double at_ms, double methods, double il_bytes, double jit_ms)
{
	told(pipe, at_ms, "methods-jitted-count", false, methods);
	told(pipe, at_ms, "il-bytes-jitted", false, il_bytes);
	told(pipe, at_ms, "time-in-jit", true, jit_ms);
	feed_send(pipe);
}

static void test_counters_while_nobody_looks(void **state_)
{
	(void)state_;
	enum { USUAL = NT_WANT_RUNTIME_EVENTS, LOOKED_AT = NT_WANT_RUNTIME_EVENTS | NT_WANT_JIT_EVENTS };
	struct nt_model *model = new_model();
	struct feed pipe, procfs;
	feed_init(&procfs, model, NT_SOURCE_PROCFS);
	event(&procfs, NT_EV_THREAD_STAT, 1, 7)->u.thread_stat = (struct nt_ev_thread_stat){ .start_ticks = 7 };
	feed_send(&procfs);
	feed_init(&pipe, model, NT_SOURCE_EVENTPIPE);
	target_mode(&pipe, NT_MODE_NONE);
	eventpipe_brings(&pipe, 1, USUAL);
	/* From the second time on a sum says by how much it has grown. */
	counters(&pipe, 900, 5000, 90000, 30);
	struct nt_snapshot *s = close_at(model, 1000);
	assert_unknown(s->processes[0].interval.jit.method_count);
	assert_known(s->processes[0].interval.jit.time_ns, 30 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	counters(&pipe, 1900, 5007, 90400, 20);
	s = close_at(model, 2000);
	const struct nt_process_snapshot *p = &s->processes[0];
	assert_known(p->interval.jit.method_count, 7);
	assert_known(p->interval.jit.time_ns, 20 * NT_NS_PER_MS);
	assert_known(p->interval.jit.il_bytes, 400);
	assert_unknown(p->interval.jit.native_bytes);
	assert_unknown(p->interval.jit.tier_count[NT_TIER_0]);
	assert_unknown(p->interval.jit.backlog_count);
	assert_non_null(strstr(p->interval.jit.why.reason, "JIT screen (3)"));
	assert_known(p->total.jit.method_count, 7);
	assert_known(p->total.jit.time_ns, 50 * NT_NS_PER_MS);
	assert_unknown(p->total.jit.tier_count[NT_TIER_0]);
	nt_snapshot_release(s);

	/* Somebody looks, from the middle of an interval on: that is told by the counters as a whole, and nothing of it twice. */
	eventpipe_brings(&pipe, 2500, LOOKED_AT);
	jit_start(&pipe, 2600, 1, 0xa, 40);
	method_load(&pipe, 2601, 1, 0xa, NT_TIER_0);
	counters(&pipe, 2900, 5010, 90500, 6);
	s = close_at(model, 3000);
	p = &s->processes[0];
	assert_known(p->interval.jit.method_count, 3);
	assert_null(p->interval.jit.why.reason);
	assert_int_equal(p->jit_method_count, 1);
	assert_known(p->total.jit.method_count, 10);
	assert_known(p->total.jit.time_ns, 56 * NT_NS_PER_MS);
	nt_snapshot_release(s);

	/* Events win, whatever the counters say meanwhile. */
	jit_start(&pipe, 3100, 1, 0xb, 50);
	method_load(&pipe, 3102, 1, 0xb, NT_TIER_1);
	jit_start(&pipe, 3200, 7, 0xc, 50); /* goes on when the look ends */
	counters(&pipe, 3900, 5100, 99999, 70);
	s = close_at(model, 4000);
	p = &s->processes[0];
	assert_known(p->interval.jit.method_count, 1);
	assert_known(p->interval.jit.time_ns, 2 * NT_NS_PER_MS);
	assert_known(p->interval.jit.tier_count[NT_TIER_1], 1);
	assert_known(p->total.jit.method_count, 11);
	assert_int_equal(p->jit_now_count, 1);
	nt_snapshot_release(s);

	/* Nobody looks any more. */
	eventpipe_brings(&pipe, 4100, USUAL);
	counters(&pipe, 4900, 5102, 100000, 5);
	s = close_at(model, 5000);
	p = &s->processes[0];
	assert_known(p->interval.jit.method_count, 2);
	assert_known(p->total.jit.method_count, 13);
	assert_unknown(p->interval.jit.tier_count[NT_TIER_0]);
	assert_int_equal(p->jit_now_count, 0);
	nt_snapshot_release(s);

	/* The next look knows nothing of what went on at the end of the last. */
	eventpipe_brings(&pipe, 5100, LOOKED_AT);
	idle(&pipe, 5900);
	feed_send(&pipe);
	nt_snapshot_release(close_at(model, 6000));
	idle(&pipe, 6900);
	feed_send(&pipe);
	s = close_at(model, 7000);
	p = &s->processes[0];
	assert_known(p->interval.jit.method_count, 0);
	assert_int_equal(p->jit_now_count, 0);
	nt_snapshot_release(s);
	feed_fini(&pipe);
	feed_fini(&procfs);
	nt_model_free(model);
}

/* Silent counters: not known, not 0. */
static void test_silent_counters(void **state_)
{
	(void)state_;
	struct nt_model *model = new_model();
	struct feed pipe;
	feed_init(&pipe, model, NT_SOURCE_EVENTPIPE);
	target_mode(&pipe, NT_MODE_NONE);
	eventpipe_brings(&pipe, 1, NT_WANT_RUNTIME_EVENTS);
	struct nt_snapshot *s = close_at(model, 1000);
	assert_unknown(s->processes[0].interval.jit.method_count);
	assert_unknown(s->processes[0].total.jit.method_count);
	nt_snapshot_release(s);
	counters(&pipe, 1100, 10, 100, 1);
	counters(&pipe, 2100, 11, 110, 1);
	nt_snapshot_release(close_at(model, 2500));
	s = close_at(model, 9000);
	assert_unknown(s->processes[0].interval.jit.method_count);
	assert_unknown(s->processes[0].interval.jit.time_ns);
	assert_known(s->processes[0].total.jit.method_count, 1);
	nt_snapshot_release(s);
	feed_fini(&pipe);
	nt_model_free(model);
}

/* The same counters come beside LTTng, too, when somebody looks at them: nobody adds them. */
static void test_counters_beside_events(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	struct feed pipe;
	feed_init(&pipe, w.model, NT_SOURCE_EVENTPIPE);
	eventpipe_brings(&pipe, 1, NT_WANT_POOL_EVENTS | NT_WANT_COUNTERS);
	counters(&pipe, 100, 10, 100, 1);
	jit_start(&w.lttng, 200, 1, 0xa, 40);
	method_load(&w.lttng, 201, 1, 0xa, NT_TIER_0);
	feed_send(&w.lttng);
	counters(&pipe, 900, 500, 9000, 80);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.jit.method_count, 1);
	assert_known(s->processes[0].total.jit.method_count, 1);
	assert_known(s->processes[0].total.jit.tier_count[NT_TIER_0], 1);
	nt_snapshot_release(s);
	feed_fini(&pipe);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_nested_and_failed),
		cmocka_unit_test(test_backlog),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_counters_while_nobody_looks),
		cmocka_unit_test(test_silent_counters),
		cmocka_unit_test(test_counters_beside_events),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
