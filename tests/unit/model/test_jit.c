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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_nested_and_failed),
		cmocka_unit_test(test_backlog),
		cmocka_unit_test(test_hostile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
