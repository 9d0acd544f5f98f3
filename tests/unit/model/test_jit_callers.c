// SPDX-License-Identifier: GPL-2.0-only
/* Who causes compilations: their begin with its stack is told beside the stream that counts, before or after it. */
#include "build.h"

#include "model/jit/jit_callers.h"
#include "nettop/source.h"

#include <stdio.h>

struct world {
	struct nt_model *model;
	struct feed map, counts, stacks;
	struct nt_snapshot *snapshot;
};

enum { CODE = 0x100000, SIZE = 0x100, EVALUATE = CODE, COMPILE = CODE + SIZE, CREATE = CODE + 2 * SIZE, MAIN = CODE + 3 * SIZE };

static void asked(struct world *w, double at_ms, bool on)
{
	event(&w->stacks, NT_EV_SOURCE_STATE, at_ms, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_DELIVERING,
					     .open = 1,
					     .brings = NT_WANT_RUNTIME_EVENTS | NT_WANT_JIT_EVENTS | (on ? NT_WANT_JIT_CALLERS : 0) };
	feed_send(&w->stacks);
}

static void begin(struct world *w)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->map, w->model, NT_SOURCE_CODEMAP);
	feed_init(&w->counts, w->model, NT_SOURCE_EVENTPIPE);
	feed_init(&w->stacks, w->model, NT_SOURCE_EVENTPIPE);
	delivering(&w->map);
	map_image(&w->map, 0, CODE, 0x100000, "/memfd:doublemapper", NT_MAP_FILE | NT_MAP_JIT);
	raw_line(&w->map, 0, EVALUATE, SIZE, "int32 [Shop] Shop.RuleEngine::Evaluate(int32)[OptimizedTier1]");
	raw_line(&w->map, 0, COMPILE, SIZE, "object [System.Linq.Expressions] System.Linq.Expressions.Expression::Compile()[Tier0]");
	raw_line(&w->map, 0, CREATE, SIZE, "void [System.Private.CoreLib] System.Reflection.Emit.DynamicMethod::CreateDelegate()[Tier0]");
	raw_line(&w->map, 0, MAIN, SIZE, "void [Shop] Shop.Program::Main()[Tier0]");
	feed_send(&w->map);
	target_mode(&w->counts, NT_MODE_NONE);
	feed_send(&w->counts);
	asked(w, 0, true);
}

static void end(struct world *w)
{
	nt_snapshot_release(w->snapshot);
	feed_fini(&w->map);
	feed_fini(&w->counts);
	feed_fini(&w->stacks);
	nt_model_free(w->model);
}

static const struct nt_process_snapshot *closed(struct world *w, double at_ms)
{
	nt_snapshot_release(w->snapshot);
	w->snapshot = close_at(w->model, at_ms);
	return &w->snapshot->processes[0];
}

/* The begin, with where it was. */
static void began(struct world *w, double at_ms, uint32_t tid, uint64_t method, const uint64_t *stack, unsigned count)
{
	struct nt_event *e = event(&w->stacks, NT_EV_JIT_START, at_ms, tid);
	e->beside = true;
	e->u.jit_start.method_id = method;
	e->stack = count ? nt_interner_stack(w->stacks.interner, w->stacks.batch, stack, 0, count) : 0;
	feed_send(&w->stacks);
}

static const uint64_t by_rules[] = { CREATE + 8, COMPILE + 8, EVALUATE + 8, MAIN + 8 }, by_main[] = { MAIN + 8 };

static void compiled(struct world *w, double at_ms, double took_ms, uint32_t tid, uint64_t method, const char *name, enum nt_tier tier)
{
	nt_str id = text(&w->counts, name);
	jit_start(&w->counts, at_ms, tid, method, 40);
	method_load(&w->counts, at_ms + took_ms, tid, method, tier)->name = id;
	feed_send(&w->counts);
}

static const struct nt_jit_caller_row *row(const struct nt_process_snapshot *process, const char *site, const char *via)
{
	for (size_t i = 0; i < process->jit_caller_count; i++) {
		const struct nt_jit_caller_row *r = &process->jit_callers[i];
		bool same_site = site && r->site ? strcmp(site, r->site) == 0 : site == r->site;
		bool same_via = via && r->via ? strcmp(via, r->via) == 0 : via == r->via;
		if (same_site && same_via)
			return r;
	}
	return NULL;
}

static const char evaluate[] = "Shop.RuleEngine.Evaluate(int)", compile[] = "System.Linq.Expressions.Expression.Compile()";

/* Both halves, whichever comes first; a time of its own in each stream. */
static void test_the_place_and_what_it_calls(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	began(&w, 3100.01, 1, 0xa, by_rules, 4);
	compiled(&w, 3100, 5, 1, 0xa, "lambda_method1(Closure)", NT_TIER_OPTIMIZED);
	compiled(&w, 3200, 7, 1, 0xb, "lambda_method2(Closure)", NT_TIER_OPTIMIZED);
	began(&w, 3199.99, 1, 0xb, by_rules, 4);
	began(&w, 3300, 1, 0xc, by_main, 1);
	compiled(&w, 3300, 2, 1, 0xc, "Shop.Cart.Total()", NT_TIER_0);
	const struct nt_process_snapshot *process = closed(&w, 4000);
	assert_int_equal(process->jit_caller_count, 2);
	const struct nt_jit_caller_row *rules = row(process, evaluate, compile);
	assert_non_null(rules);
	assert_int_equal(rules->count, 2);
	assert_int_equal(rules->time_ns, 12 * NT_NS_PER_MS);
	assert_int_equal(rules->max_ns, 7 * NT_NS_PER_MS);
	assert_string_equal(rules->compiled, "lambda_method2(Closure)");
	assert_int_equal(rules->compiled_from->count, 4);
	assert_true(rules->fresh);
	const struct nt_jit_caller_row *first = row(process, "Shop.Program.Main()", NULL);
	assert_non_null(first);
	assert_int_equal(first->count, 1);
	assert_int_equal(first->time_ns, 2 * NT_NS_PER_MS);
	assert_known(process->interval.jit.method_count, 3); /* a begin with its stack counts nothing */
	uint64_t id = rules->id;

	compiled(&w, 4100, 1, 1, 0xa, "lambda_method1(Closure)", NT_TIER_OPTIMIZED);
	began(&w, 4100, 1, 0xa, by_rules, 4);
	rules = row(closed(&w, 5000), evaluate, compile);
	assert_int_equal(rules->id, id);
	assert_int_equal(rules->count, 1);
	assert_int_equal(rules->count_all, 3);
	assert_false(rules->fresh);
	end(&w);
}

/* The same method on the same thread again and again: each with its own begin. Another thread's begin is not its. */
static void test_halves_of_one_compilation_meet(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (int i = 0; i < 3; i++) {
		began(&w, 3000 + i * 200, 1, 0xa, i == 1 ? by_rules : by_main, i == 1 ? 4 : 1);
		began(&w, 3000 + i * 200, 2, 0xa, by_rules, 4);
	}
	for (int i = 0; i < 3; i++)
		compiled(&w, 3000 + i * 200, i + 1, 1, 0xa, "Same()", NT_TIER_0);
	const struct nt_process_snapshot *process = closed(&w, 4000);
	assert_int_equal(process->jit_caller_count, 2);
	assert_int_equal(row(process, evaluate, compile)->count, 1);
	assert_int_equal(row(process, evaluate, compile)->time_ns, 2 * NT_NS_PER_MS);
	assert_int_equal(row(process, "Shop.Program.Main()", NULL)->time_ns, 4 * NT_NS_PER_MS);
	end(&w);
}

static void test_background_and_replacement(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	event(&w.counts, NT_EV_TIERING, 3000, 5)->u.tiering.op = NT_TIERING_BG_START;
	began(&w, 3010, 5, 0xa, NULL, 0);
	compiled(&w, 3010, 3, 5, 0xa, "Shop.Cart.Total()", NT_TIER_1);
	began(&w, 3100, 1, 0xb, by_main, 1);
	compiled(&w, 3100, 4, 1, 0xb, "Shop.Program.Main()", NT_TIER_OSR);
	const struct nt_process_snapshot *process = closed(&w, 4000);
	assert_int_equal(process->jit_caller_count, 2);
	assert_int_equal(row(process, "(tiered compilation)", NULL)->count, 1);
	assert_int_equal(row(process, "Shop.Program.Main()", "(on-stack replacement)")->count, 1);
	end(&w);
}

/* A begin that was lost: after some time it is said that it is not told where. One from before anybody was asked is in no row. */
static void test_what_is_not_told(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	compiled(&w, 100, 3, 1, 0xa, "Early()", NT_TIER_0);
	compiled(&w, 3500, 3, 1, 0xb, "Lost()", NT_TIER_0);
	assert_int_equal(closed(&w, 4000)->jit_caller_count, 0); /* it may come */
	const struct nt_process_snapshot *process = closed(&w, 8000);
	assert_int_equal(process->jit_caller_count, 1);
	assert_int_equal(row(process, NULL, NULL)->count, 1);
	assert_string_equal(row(process, NULL, NULL)->compiled, "Lost()");
	assert_null(row(process, NULL, NULL)->compiled_from);
	end(&w);
}

static void test_for_how_long_it_was_told(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	const struct nt_process_snapshot *process = closed(&w, 1000);
	assert_known(process->interval.jit.callers_covered_ns, NT_NS_PER_S);
	asked(&w, 1250, false);
	compiled(&w, 1300, 3, 1, 0xa, "Unasked()", NT_TIER_0);
	process = closed(&w, 2000);
	assert_known(process->interval.jit.callers_covered_ns, 250 * NT_NS_PER_MS);
	assert_known(process->total.jit.callers_covered_ns, 1250 * NT_NS_PER_MS);
	process = closed(&w, 9000);
	assert_known(process->interval.jit.callers_covered_ns, 0);
	assert_int_equal(process->jit_caller_count, 0);
	asked(&w, 9500, true);
	process = closed(&w, 10000);
	assert_known(process->interval.jit.callers_covered_ns, 500 * NT_NS_PER_MS);
	assert_known(process->total.jit.callers_covered_ns, 1750 * NT_NS_PER_MS);
	end(&w);
}

static void test_bounded(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	enum { PLACES = NT_JIT_CALLERS + 50 };
	for (unsigned i = 0; i < PLACES; i++) {
		char name[80];
		snprintf(name, sizeof(name), "void [Shop] Shop.Made%u::Run()[Tier0]", i);
		raw_line(&w.map, 0, CODE + 0x1000 + i * SIZE, SIZE, name);
	}
	feed_send(&w.map);
	for (unsigned i = 0; i < PLACES; i++) {
		const uint64_t stack[] = { CODE + 0x1000 + i * SIZE + 8 };
		began(&w, 3000 + i, 1, 0x100 + i, stack, 1);
		compiled(&w, 3000 + i, 0.5, 1, 0x100 + i, "Something()", NT_TIER_0);
	}
	const struct nt_process_snapshot *process = closed(&w, 4000);
	uint64_t sum = 0;
	for (size_t i = 0; i < process->jit_caller_count; i++)
		sum += process->jit_callers[i].count_all;
	assert_int_equal(process->jit_caller_count, NT_JIT_CALLERS);
	assert_non_null(row(process, "(other places)", NULL));
	assert_int_equal(sum, PLACES);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_place_and_what_it_calls), cmocka_unit_test(test_halves_of_one_compilation_meet),
		cmocka_unit_test(test_background_and_replacement),  cmocka_unit_test(test_what_is_not_told),
		cmocka_unit_test(test_for_how_long_it_was_told),    cmocka_unit_test(test_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
