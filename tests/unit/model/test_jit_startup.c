// SPDX-License-Identifier: GPL-2.0-only
/* The start of a process: what it compiles in order, why that was not there precompiled, and what would have spared it. */
#include "build.h"

#include "model/jit/jit_startup.h"

enum { READYTORUN = 0x20, DYNAMIC = 1, GENERIC = 2, JITTED = 8, REJECTED = 0x40, CORE = 0x1000, PRECOMPILED = 0x2000, PLAIN = 0x3000 };

struct world {
	struct nt_model *model;
	struct feed pipe, procfs;
};

static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->pipe, w->model, NT_SOURCE_EVENTPIPE);
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	target_mode(&w->procfs, NT_MODE_NONE);
	delivering(&w->pipe);
	delivering(&w->procfs);
}

static void end(struct world *w)
{
	feed_fini(&w->pipe);
	feed_fini(&w->procfs);
	nt_model_free(w->model);
}

static void module(struct world *w, double at, uint64_t id, const char *path, uint32_t module_flags)
{
	nt_str name = text(&w->pipe, path);
	event(&w->pipe, NT_EV_MODULE_LOAD, at, 1)->u.module_load = (struct nt_ev_module_load){ id, module_flags, name };
}

static void begins(struct world *w, double core_at, uint32_t core_flags)
{
	begin(w);
	module(w, core_at, CORE, "/usr/share/dotnet/System.Private.CoreLib.dll", core_flags);
	module(w, core_at + 1, PRECOMPILED, "/app/Lib.dll", READYTORUN);
	module(w, core_at + 2, PLAIN, "/app/Shop.dll", 0);
}

static void compiled(struct world *w, double at, double took, uint64_t id, uint64_t of_module, uint32_t flags, enum nt_tier tier)
{
	jit_start(&w->pipe, at, 1, id, 40);
	struct nt_ev_method *load = method_load(&w->pipe, at + took, 1, id, tier);
	load->module_id = of_module;
	load->flags = flags | JITTED;
}

static struct nt_snapshot *closed(struct world *w, double at)
{
	feed_send(&w->pipe);
	feed_send(&w->procfs);
	return close_at(w->model, at);
}

static const struct nt_jit_startup_rows *start_of(const struct nt_snapshot *s)
{
	return &s->processes[0].jit_startup;
}

static void test_each_has_its_cause(void **state_)
{
	(void)state_;
	static const struct {
		uint64_t module;
		uint32_t flags;
		enum nt_tier tier;
		enum nt_jit_cause cause;
	} expected[] = {
		{ PLAIN, 0, NT_TIER_0, NT_JIT_CAUSE_NO_CODE },
		{ PLAIN, GENERIC, NT_TIER_0, NT_JIT_CAUSE_NO_CODE },
		{ PRECOMPILED, 0, NT_TIER_0, NT_JIT_CAUSE_NOT_AMONG },
		{ CORE, GENERIC, NT_TIER_0, NT_JIT_CAUSE_GENERIC },
		{ PRECOMPILED, REJECTED, NT_TIER_0, NT_JIT_CAUSE_REJECTED },
		{ CORE, DYNAMIC, NT_TIER_OPTIMIZED, NT_JIT_CAUSE_DYNAMIC },
		{ PLAIN, 0, NT_TIER_OSR, NT_JIT_CAUSE_AGAIN },
		{ 0x9999, 0, NT_TIER_0, NT_JIT_CAUSE_UNKNOWN },
	};
	enum { COUNT = sizeof(expected) / sizeof(expected[0]) };
	struct world w;
	begins(&w, 10, READYTORUN);
	for (size_t i = 0; i < COUNT; i++)
		compiled(&w, 20 + 10 * (double)i, 5, 0xa0 + i, expected[i].module, expected[i].flags, expected[i].tier);
	struct nt_snapshot *s = closed(&w, 1000);
	const struct nt_jit_startup_rows *rows = start_of(s);
	assert_true(rows->seen);
	assert_int_equal(rows->count, COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		assert_int_equal(rows->items[i].cause, expected[i].cause);
		assert_int_equal(rows->items[i].at_ns, (10 + 10 * i) * NT_NS_PER_MS);
		assert_int_equal(rows->items[i].time_ns, 5 * NT_NS_PER_MS);
		assert_false(rows->items[i].cpu_ns.known);
	}
	assert_string_equal(rows->items[0].module, "Shop");
	assert_int_equal(rows->cause_count, 7); /* of one module two are one */
	assert_int_equal(rows->causes[0].cause, NT_JIT_CAUSE_NO_CODE);
	assert_int_equal(rows->causes[0].count, 2);
	assert_int_equal(rows->causes[0].self_ns, 10 * NT_NS_PER_MS);
	assert_string_equal(rows->causes[0].remedy, "ReadyToRun");
	assert_string_equal(rows->causes[0].module, "Shop");
	nt_snapshot_release(s);

	s = closed(&w, 2000);
	assert_int_equal(start_of(s)->count, COUNT);
	assert_false(start_of(s)->items[0].fresh);
	nt_snapshot_release(s);
	end(&w);
}

/* In order of their begin; what is within another one counts once in the sums. */
static void test_one_within_another(void **state_)
{
	(void)state_;
	struct world w;
	begins(&w, 10, READYTORUN);
	jit_start(&w.pipe, 100, 1, 0xa, 40);
	compiled(&w, 110, 20, 0xb, PLAIN, 0, NT_TIER_0);
	struct nt_ev_method *outer = method_load(&w.pipe, 150, 1, 0xa, NT_TIER_0);
	outer->module_id = PLAIN;
	outer->flags = JITTED;
	struct nt_snapshot *s = closed(&w, 1000);
	const struct nt_jit_startup_rows *rows = start_of(s);
	assert_int_equal(rows->count, 2);
	assert_int_equal(rows->items[0].time_ns, 50 * NT_NS_PER_MS);
	assert_int_equal(rows->items[0].self_ns, 30 * NT_NS_PER_MS);
	assert_int_equal(rows->items[1].self_ns, 20 * NT_NS_PER_MS);
	assert_int_equal(rows->causes[0].self_ns, 50 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

static void test_what_is_instrumented_in_the_background(void **state_)
{
	(void)state_;
	struct world w;
	begins(&w, 10, READYTORUN);
	event(&w.pipe, NT_EV_TIERING, 40, 1)->u.tiering = (struct nt_ev_tiering){ .op = NT_TIERING_BG_START, .method_count = 2 };
	compiled(&w, 50, 5, 0xa, PRECOMPILED, 0, NT_TIER_INSTRUMENTED);
	compiled(&w, 60, 5, 0xa, PRECOMPILED, 0, NT_TIER_1);
	compiled(&w, 70, 5, 0xb, PRECOMPILED, 0, NT_TIER_INSTRUMENTED_OPT);
	struct nt_snapshot *s = closed(&w, 1000);
	const struct nt_jit_startup_rows *rows = start_of(s);
	assert_int_equal(rows->items[0].cause, NT_JIT_CAUSE_INSTRUMENTED);
	assert_int_equal(rows->items[1].cause, NT_JIT_CAUSE_AGAIN);
	assert_int_equal(rows->items[2].cause, NT_JIT_CAUSE_INSTRUMENTED);
	for (size_t i = 0; i < rows->cause_count; i++)
		assert_null(rows->causes[i].module);
	nt_snapshot_release(s);
	end(&w);
}

static struct nt_jit_setting_cost cost_with(uint32_t off, uint32_t by_file)
{
	struct world w;
	begins(&w, 10, READYTORUN);
	event(&w.procfs, NT_EV_JIT_SETTING, 5, 0)->u.jit_setting = (struct nt_ev_jit_setting){ .off = off, .by_file = by_file };
	compiled(&w, 50, 5, 0xa, PLAIN, 0, NT_TIER_OPTIMIZED);
	compiled(&w, 60, 3, 0xb, CORE, GENERIC, NT_TIER_OPTIMIZED);
	compiled(&w, 70, 5, 0xc, CORE, DYNAMIC, NT_TIER_OPTIMIZED);
	compiled(&w, 80, 5, 0xd, PLAIN, 0, NT_TIER_0);
	compiled(&w, 90, 5, 0xd, PLAIN, 0, NT_TIER_1);
	struct nt_snapshot *s = closed(&w, 1000);
	const struct nt_jit_setting_cost cost = start_of(s)->setting;
	nt_snapshot_release(s);
	end(&w);
	return cost;
}

static void assert_sentence(const struct nt_jit_setting_cost *cost, bool with_cpu, const char *expected)
{
	char text[NT_JIT_SETTING_TEXT];
	assert_string_equal(nt_jit_setting_sentence(cost, with_cpu, text), expected);
}

/* Not what is made at run time, which is optimized at once anyway. */
static void test_what_a_setting_costs(void **state_)
{
	(void)state_;
	struct nt_jit_setting_cost cost = cost_with(NT_JIT_OFF_TIERS, 0);
	assert_int_equal(cost.count, 2);
	assert_int_equal(cost.self_ns, 8 * NT_NS_PER_MS);
	assert_false(cost.cpu_ns.known);
	assert_string_equal(nt_jit_setting_origin(&cost), "environment");
	assert_sentence(&cost, true, "TieredCompilation=0 costs at most 8.0 ms: 2 methods optimized at once");
	cost.cpu_ns = nt_u64_of(7 * NT_NS_PER_MS);
	assert_sentence(&cost, true, "TieredCompilation=0 costs at most 7.0 ms of CPU time: 2 methods optimized at once");
	cost.count = 0;
	assert_sentence(&cost, false, "TieredCompilation=0 has cost nothing: no method was optimized at once");

	cost = cost_with(NT_JIT_OFF_QUICK_LOOPS, 1);
	assert_string_equal(nt_jit_setting_origin(&cost), "runtimeconfig");
	assert_sentence(&cost, false, "TieredCompilation.QuickJitForLoops=false costs at most 8.0 ms: 2 methods optimized at once");
}

/* Of those that there is no room for nobody says that they cost nothing. */
static void test_what_a_setting_costs_a_long_start(void **state_)
{
	(void)state_;
	for (int beyond = 0; beyond < 2; beyond++) {
		struct world w;
		begins(&w, 10, READYTORUN);
		event(&w.procfs, NT_EV_JIT_SETTING, 5, 0)->u.jit_setting = (struct nt_ev_jit_setting){ .off = NT_JIT_OFF_TIERS };
		for (int i = 0; i < NT_JIT_STARTUP_METHODS; i++) {
			compiled(&w, 50 + (double)i, 0.5, 0x1000 + (uint64_t)i, PLAIN, 0, NT_TIER_0);
			if (i % 500 == 0)
				feed_send(&w.pipe);
		}
		if (beyond)
			compiled(&w, 9000, 1, 0xa, PLAIN, 0, NT_TIER_OPTIMIZED);
		struct nt_snapshot *s = closed(&w, 20000);
		assert_int_equal(start_of(s)->beyond_count, beyond);
		assert_sentence(
			&start_of(s)->setting, false,
			beyond ? "TieredCompilation=0 has cost nothing: no method was optimized at once, of the first 4096 compilations"
			       : "TieredCompilation=0 has cost nothing: no method was optimized at once");
		nt_snapshot_release(s);
		end(&w);
	}
	struct nt_jit_setting_cost cost = cost_with(NT_JIT_OFF_TIERS, 0);
	cost.of_first = 4096;
	assert_sentence(&cost, false,
			"TieredCompilation=0 costs at most 8.0 ms: 2 methods optimized at once, of the first 4096 compilations");
}

static void test_no_setting_or_none_that_is_known(void **state_)
{
	(void)state_;
	struct nt_jit_setting_cost cost = cost_with(NT_JIT_OFF_NONE, 0);
	assert_int_equal(cost.count, 0);
	assert_null(nt_jit_setting_name(&cost));
	assert_null(nt_jit_setting_origin(&cost));
	assert_sentence(&cost, false, "neither tiers nor quick compilation are switched off");
	cost = cost_with(NT_JIT_OFF_COUNT, 9);
	assert_int_equal(cost.off, NT_JIT_OFF_UNKNOWN);
	assert_int_equal(cost.count, 0);
	assert_sentence(&cost, false, "whether tiers or quick compilation are switched off is not known");
}

/* A setting: then it is not known of any module whether it has precompiled code. */
static void test_readytorun_off(void **state_)
{
	(void)state_;
	struct world w;
	begins(&w, 10, 0);
	compiled(&w, 50, 5, 0xa, CORE, 0, NT_TIER_0);
	struct nt_snapshot *s = closed(&w, 1000);
	assert_int_equal(start_of(s)->items[0].cause, NT_JIT_CAUSE_OFF);
	assert_string_equal(start_of(s)->causes[0].remedy, "ReadyToRun=1");
	nt_snapshot_release(s);
	end(&w);
}

static void test_a_start_that_was_not_seen(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	module(&w, 10, PLAIN, "/app/Plugin.dll", 0);
	compiled(&w, 50, 5, 0xa, PLAIN, 0, NT_TIER_0);
	struct nt_snapshot *s = closed(&w, 1000);
	assert_false(start_of(s)->seen);
	assert_int_equal(start_of(s)->count, 0);
	assert_int_equal(start_of(s)->cause_count, 0);
	assert_int_equal(s->processes[0].jit_method_count, 1);
	nt_snapshot_release(s);
	end(&w);
}

static void test_only_the_first_seconds_and_not_too_many(void **state_)
{
	(void)state_;
	struct world w;
	begins(&w, 10, READYTORUN);
	for (size_t i = 0; i < NT_JIT_STARTUP_METHODS + 7; i++) {
		compiled(&w, 20 + (double)i, 0.5, 0xa0 + i, PLAIN, 0, NT_TIER_0);
		if (i % 500 == 0)
			feed_send(&w.pipe);
	}
	compiled(&w, 11 + NT_JIT_STARTUP_MS, 1, 0x7, PLAIN, 0, NT_TIER_0);
	struct nt_snapshot *s = closed(&w, 20000);
	assert_int_equal(start_of(s)->count, NT_JIT_STARTUP_METHODS);
	assert_int_equal(start_of(s)->beyond_count, 7);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_has_its_cause),
		cmocka_unit_test(test_one_within_another),
		cmocka_unit_test(test_what_is_instrumented_in_the_background),
		cmocka_unit_test(test_what_a_setting_costs),
		cmocka_unit_test(test_what_a_setting_costs_a_long_start),
		cmocka_unit_test(test_no_setting_or_none_that_is_known),
		cmocka_unit_test(test_readytorun_off),
		cmocka_unit_test(test_a_start_that_was_not_seen),
		cmocka_unit_test(test_only_the_first_seconds_and_not_too_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
