// SPDX-License-Identifier: GPL-2.0-only
/* Compiled methods as rows, what is being compiled, and the sums of the last 10 s. */
#include "build.h"

#include "model/jit/jit_rows.h"

#include <stdio.h>

struct world {
	struct nt_model *model;
	struct feed lttng, procfs, map;
};

static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->lttng, w->model, NT_SOURCE_LTTNG);
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	feed_init(&w->map, w->model, NT_SOURCE_CODEMAP);
	target_mode(&w->procfs, NT_MODE_N);
	delivering(&w->lttng);
	delivering(&w->procfs);
}

static void end(struct world *w)
{
	feed_fini(&w->lttng);
	feed_fini(&w->procfs);
	feed_fini(&w->map);
	nt_model_free(w->model);
}

static struct nt_snapshot *close_all(struct world *w, double at_ms)
{
	feed_send(&w->lttng);
	feed_send(&w->procfs);
	feed_send(&w->map);
	return close_at(w->model, at_ms);
}

/* A method of this name was compiled on a thread, from `at` on for `took` ms. */
static struct nt_ev_method *compile(struct world *w, double at, double took, uint32_t tid, uint64_t method, const char *name,
				    enum nt_tier tier)
{
	nt_str id = text(&w->lttng, name);
	jit_start(&w->lttng, at, tid, method, 40);
	w->lttng.batch->events[w->lttng.batch->event_count - 1].u.jit_start.name = id;
	struct nt_ev_method *load = method_load(&w->lttng, at + took, tid, method, tier);
	load->name = id;
	return load;
}

static const struct nt_jit_row *row(const struct nt_snapshot *s, const char *name)
{
	for (size_t i = 0; i < s->processes[0].jit_method_count; i++)
		if (strcmp(s->processes[0].jit_methods[i].name, name) == 0)
			return &s->processes[0].jit_methods[i];
	return NULL;
}

static void test_a_method_is_a_row(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	compile(&w, 100, 5, 1, 0xa, "Shop.Cart.Total()", NT_TIER_0);
	compile(&w, 200, 50, 1, 0xb, "Shop.Cart.Merge()", NT_TIER_0)->size = 3000;
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(s->processes[0].jit_method_count, 2);
	assert_string_equal(s->processes[0].jit_methods[0].name, "Shop.Cart.Merge()"); /* longest first */
	const struct nt_jit_row *merge = row(s, "Shop.Cart.Merge()");
	assert_int_equal(merge->time_ns, 50 * NT_NS_PER_MS);
	assert_int_equal(merge->native_bytes, 3000);
	assert_int_equal(merge->il_bytes, 40);
	assert_int_equal(merge->tier, NT_TIER_0);
	assert_int_equal(merge->trigger, NT_JIT_FOREGROUND);
	assert_null(merge->module);
	assert_true(merge->fresh);
	uint64_t id = merge->id;
	nt_snapshot_release(s);

	compile(&w, 1200, 10, 1, 0xb, "Shop.Cart.Merge()", NT_TIER_1);
	s = close_all(&w, 2000);
	merge = row(s, "Shop.Cart.Merge()");
	assert_int_equal(merge->id, id);
	assert_int_equal(merge->count, 1);
	assert_int_equal(merge->count_all, 2);
	assert_int_equal(merge->time_ns, 10 * NT_NS_PER_MS);
	assert_int_equal(merge->time_all_ns, 60 * NT_NS_PER_MS);
	assert_int_equal(merge->max_ns, 50 * NT_NS_PER_MS);
	assert_int_equal(merge->tier, NT_TIER_1);
	assert_false(merge->fresh);
	assert_int_equal(row(s, "Shop.Cart.Total()")->count, 0); /* not in this interval */
	assert_int_equal(row(s, "Shop.Cart.Total()")->time_ns, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_triggers(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	event(&w.lttng, NT_EV_TIERING, 90, 5)->u.tiering.op = NT_TIERING_BG_START;
	compile(&w, 100, 1, 5, 0xa, "Background()", NT_TIER_1);
	compile(&w, 100, 1, 6, 0xb, "Foreground()", NT_TIER_0);
	compile(&w, 110, 1, 6, 0xc, "Rejected()", NT_TIER_0)->flags = NT_METHOD_JITTED | NT_METHOD_R2R_REJECTED;
	compile(&w, 115, 1, 6, 0xd, "Replaced()", NT_TIER_OSR)->flags = NT_METHOD_JITTED | NT_METHOD_R2R_REJECTED;
	event(&w.lttng, NT_EV_TIERING, 120, 5)->u.tiering.op = NT_TIERING_BG_STOP;
	compile(&w, 130, 1, 5, 0xe, "Later()", NT_TIER_0);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(row(s, "Background()")->trigger, NT_JIT_BACKGROUND);
	assert_int_equal(row(s, "Foreground()")->trigger, NT_JIT_FOREGROUND);
	assert_int_equal(row(s, "Rejected()")->trigger, NT_JIT_REJECTED);
	assert_int_equal(row(s, "Replaced()")->trigger, NT_JIT_FOREGROUND);
	assert_int_equal(row(s, "Later()")->trigger, NT_JIT_FOREGROUND);
	assert_known(s->processes[0].interval.jit.rejected_count, 1);
	nt_snapshot_release(s);
	end(&w);
}

/* Expression trees: every one has a name of its own, and all are the work of one place. */
static void test_dynamic_methods_are_one_row(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (unsigned i = 0; i < 500; i++) {
		char name[64];
		snprintf(name, sizeof(name), "lambda_method%u(Closure, Row)", i);
		compile(&w, 100 + i, 0.5, 1, 0x100 + i, name, NT_TIER_OPTIMIZED)->flags = NT_METHOD_JITTED | NT_METHOD_DYNAMIC;
	}
	compile(&w, 700, 1, 1, 0xa, "Shop.Page2()", NT_TIER_0);
	compile(&w, 710, 1, 1, 0xb, "12(int)", NT_TIER_0)->flags = NT_METHOD_JITTED | NT_METHOD_DYNAMIC;
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(s->processes[0].jit_method_count, 3);
	const struct nt_jit_row *lambda = row(s, "lambda_method(Closure, Row)");
	assert_int_equal(lambda->count_all, 500);
	assert_string_equal(lambda->module, "(dynamic)");
	assert_non_null(row(s, "Shop.Page2()"));
	assert_non_null(row(s, "12(int)"));
	assert_known(s->processes[0].interval.jit.dynamic_count, 501);
	nt_snapshot_release(s);
	end(&w);
}

static void test_the_perf_map_knows_the_module(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	compile(&w, 100, 1, 1, 0xa, "Shop.Cart.Total()", NT_TIER_0);
	compile(&w, 110, 1, 1, 0xb, "Shop.Cart.Merge()", NT_TIER_0)->module_id = 2;
	compile(&w, 115, 1, 1, 0xc, "Shop.Cart.Add()", NT_TIER_0); /* the map has no line of it, but of another of its module */
	code_line(&w.map, 120, 0x10000 + 0xa * 0x100, 100, "Shop.Cart.Total()", NT_TIER_0);
	code_line(&w.map, 120, 0x10000 + 0xb * 0x100, 100, "Somebody.Else()", NT_TIER_0); /* the address was used again */
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_string_equal(row(s, "Shop.Cart.Total()")->module, "Shop");
	assert_null(row(s, "Shop.Cart.Merge()")->module);
	assert_string_equal(row(s, "Shop.Cart.Add()")->module, "Shop");
	nt_snapshot_release(s);
	end(&w);
}

static void thread_seen(struct world *w, uint32_t tid)
{
	event(&w->procfs, NT_EV_THREAD_STAT, 1, tid)->u.thread_stat = (struct nt_ev_thread_stat){ .start_ticks = tid };
}

static void begin_compiling(struct world *w, double at, uint32_t tid, const char *name)
{
	nt_str id = text(&w->lttng, name);
	jit_start(&w->lttng, at, tid, 0x77, 10);
	w->lttng.batch->events[w->lttng.batch->event_count - 1].u.jit_start.name = id;
}

static void test_what_is_compiled_now(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t tid = 1; tid <= 3; tid++)
		thread_seen(&w, tid);
	begin_compiling(&w, 900, 1, "Outer()");
	begin_compiling(&w, 950, 1, "Inner()");
	event(&w.lttng, NT_EV_TIERING, 800, 2)->u.tiering.op = NT_TIERING_BG_START;
	begin_compiling(&w, 810, 2, "Tiered()");
	begin_compiling(&w, 820, 99, "Of.A.Thread.That.Is.Gone()");
	compile(&w, 820, 5, 3, 0xa, "Done()", NT_TIER_0);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(process->jit_now_count, 2);
	assert_string_equal(process->jit_now[0].name, "Tiered()");
	assert_int_equal(process->jit_now[0].tid, 2);
	assert_int_equal(process->jit_now[0].since, ms(810));
	assert_int_equal(process->jit_now[0].trigger, NT_JIT_BACKGROUND);
	assert_string_equal(process->jit_now[1].name, "Inner()");
	nt_snapshot_release(s);
	s = close_all(&w, 12000); /* nothing takes so long: it failed */
	assert_int_equal(s->processes[0].jit_now_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_the_last_ten_seconds(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (int second = 0; second < 20; second++) {
		compile(&w, second * 1000 + 10, 1, 1, 0xa, "Same()", second < 5 ? NT_TIER_0 : NT_TIER_1);
		struct nt_snapshot *s = close_all(&w, (second + 1) * 1000);
		const struct nt_process_snapshot *process = &s->processes[0];
		uint64_t seconds = second < 10 ? (uint64_t)second + 1 : 10;
		assert_int_equal(process->recent_ns, seconds * NT_NS_PER_S);
		assert_known(process->jit_recent.method_count, seconds);
		assert_known(process->jit_recent.time_ns, seconds * NT_NS_PER_MS);
		assert_known(process->jit_recent.tier_count[NT_TIER_0], second < 5    ? (uint64_t)second + 1
									: second < 10 ? 5
									: second < 14 ? 14 - (uint64_t)second
										      : 0);
		nt_snapshot_release(s);
	}
	struct nt_snapshot *s = close_all(&w, 50000); /* an interval longer than that */
	assert_int_equal(s->processes[0].recent_ns, 30 * NT_NS_PER_S);
	assert_known(s->processes[0].jit_recent.method_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void assert_sums(struct nt_jit_sums sums, uint64_t count, double time_ms, uint64_t native_bytes)
{
	assert_int_equal(sums.count, count);
	assert_int_equal(sums.time_ns, (uint64_t)(time_ms * (double)NT_NS_PER_MS));
	assert_int_equal(sums.il_bytes, 40 * count);
	assert_int_equal(sums.native_bytes, native_bytes);
}

static const struct nt_jit_group_row *group(const struct nt_process_snapshot *process, enum nt_jit_grouping grouping, const char *name)
{
	for (size_t i = 0; i < process->jit_group_count[grouping]; i++) {
		const char *of_row = process->jit_groups[grouping][i].name;
		if (name && of_row ? strcmp(name, of_row) == 0 : name == of_row)
			return &process->jit_groups[grouping][i];
	}
	fail_msg("there is no group %s", name);
	return NULL;
}

static const struct nt_jit_group_row *module(const struct nt_process_snapshot *process, size_t index)
{
	assert_true(index < process->jit_group_count[NT_JIT_BY_MODULE]);
	return &process->jit_groups[NT_JIT_BY_MODULE][index];
}

static void test_sums_by_tier_trigger_and_module(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	compile(&w, 100, 2, 1, 0xa, "Shop.Cart.Total()", NT_TIER_0)->module_id = 0x7000;
	compile(&w, 110, 3, 1, 0xb, "Shop.Cart.Merge()", NT_TIER_0)->module_id = 0x7000;
	compile(&w, 120, 4, 1, 0xc, "Other.Page()", NT_TIER_OPTIMIZED)->module_id = 0x8000;
	struct nt_ev_method *lambda = compile(&w, 130, 30, 1, 0xd, "lambda_method1(Closure)", NT_TIER_OPTIMIZED);
	lambda->flags = NT_METHOD_JITTED | NT_METHOD_DYNAMIC;
	lambda->module_id = 0x7000;
	compile(&w, 170, 1, 1, 0xe, "Nowhere.Found()", NT_TIER_0)->module_id = 0x9000;
	struct nt_ev_method *rejected = compile(&w, 180, 6, 1, 0xf, "Other.Cart()", NT_TIER_0);
	rejected->flags = NT_METHOD_JITTED | NT_METHOD_R2R_REJECTED;
	rejected->module_id = 0x8001; /* the same assembly, loaded twice */
	code_line(&w.map, 150, 0x10000 + 0xb * 0x100, 100, "Shop.Cart.Merge()", NT_TIER_0);
	nt_snapshot_release(close_all(&w, 1000));
	event(&w.lttng, NT_EV_TIERING, 1090, 5)->u.tiering.op = NT_TIERING_BG_START;
	compile(&w, 1100, 10, 5, 0xb, "Shop.Cart.Merge()", NT_TIER_1)->module_id = 0x7000;
	feed_send(&w.lttng);
	struct nt_snapshot *s = nt_model_close(w.model, ms(2000), true);
	const struct nt_process_snapshot *process = &s->processes[0];

	assert_sums(group(process, NT_JIT_BY_TIER, nt_tier_name(NT_TIER_0))->all, 4, 12, 400);
	assert_sums(group(process, NT_JIT_BY_TIER, nt_tier_name(NT_TIER_OPTIMIZED))->all, 2, 34, 200);
	assert_sums(group(process, NT_JIT_BY_TIER, nt_tier_name(NT_TIER_1))->all, 1, 10, 100);
	assert_sums(group(process, NT_JIT_BY_TRIGGER, "foreground")->all, 5, 40, 500);
	assert_sums(group(process, NT_JIT_BY_TRIGGER, "background")->all, 1, 10, 100);
	assert_sums(group(process, NT_JIT_BY_TRIGGER, "r2r reject")->all, 1, 6, 100);
	assert_int_equal(row(s, "Other.Cart()")->rejected_all, 1);
	assert_int_equal(row(s, "Shop.Cart.Merge()")->rejected_all, 0);

	assert_int_equal(process->jit_group_count[NT_JIT_BY_MODULE], 3); /* what no line of the map names is one row */
	assert_string_equal(module(process, 0)->name, "(dynamic)");
	assert_sums(module(process, 0)->all, 1, 30, 100);
	assert_string_equal(module(process, 1)->name, "Shop");
	assert_sums(module(process, 1)->all, 3, 15, 300);
	assert_null(module(process, 2)->name);
	assert_sums(module(process, 2)->all, 3, 11, 300);
	nt_snapshot_release(s);
	end(&w);
}

/* Of a method that was compiled last. */
static void in_namespace(struct world *w, struct nt_ev_method *method, const char *namespace)
{
	size_t index = (size_t)((char *)method - (char *)w->lttng.batch->events) / sizeof(struct nt_event);
	nt_str id = text(&w->lttng, namespace);
	w->lttng.batch->events[index].u.method.namespace = id;
}

static void test_sums_by_namespace(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	in_namespace(&w, compile(&w, 100, 2, 1, 0xa, "Shop.Cart.Total()", NT_TIER_0), "Shop");
	in_namespace(&w, compile(&w, 110, 3, 1, 0xb, "Shop.Cart.Merge()", NT_TIER_0), "Shop");
	in_namespace(&w, compile(&w, 120, 4, 1, 0xc, "Shop.Web.Page.Show()", NT_TIER_0), "Shop.Web");
	compile(&w, 130, 6, 1, 0xd, "Program.Main()", NT_TIER_0);
	struct nt_ev_method *lambda = compile(&w, 140, 30, 1, 0xe, "lambda_method1(Closure)", NT_TIER_OPTIMIZED);
	lambda->flags = NT_METHOD_JITTED | NT_METHOD_DYNAMIC;
	compile(&w, 180, 1, 1, 0xf, "", NT_TIER_0)->name = 0;
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(process->jit_group_count[NT_JIT_BY_NAMESPACE], 5);
	assert_string_equal(process->jit_groups[NT_JIT_BY_NAMESPACE][0].name, "(dynamic)"); /* longest first */
	const struct nt_jit_group_row *shop = group(process, NT_JIT_BY_NAMESPACE, "Shop");
	assert_sums(shop->all, 2, 5, 200);
	assert_sums(shop->now, 2, 5, 200);
	assert_true(shop->fresh);
	assert_sums(group(process, NT_JIT_BY_NAMESPACE, "Shop.Web")->all, 1, 4, 100);
	assert_sums(group(process, NT_JIT_BY_NAMESPACE, "(global)")->all, 1, 6, 100);
	assert_sums(group(process, NT_JIT_BY_NAMESPACE, NULL)->all, 1, 1, 100); /* nothing is said of it */
	uint64_t id = shop->id;
	nt_snapshot_release(s);

	in_namespace(&w, compile(&w, 1100, 7, 1, 0xa, "Shop.Cart.Total()", NT_TIER_1), "Shop");
	s = close_all(&w, 2000);
	shop = group(&s->processes[0], NT_JIT_BY_NAMESPACE, "Shop");
	assert_int_equal(shop->id, id);
	assert_sums(shop->all, 3, 12, 300);
	assert_sums(shop->now, 1, 7, 100);
	assert_false(shop->fresh);
	assert_int_equal(group(&s->processes[0], NT_JIT_BY_NAMESPACE, "(global)")->now.count, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void module_load(struct world *w, double at_ms, uint64_t id, const char *path)
{
	nt_str text_id = text(&w->lttng, path);
	event(&w->lttng, NT_EV_MODULE_LOAD, at_ms, 1)->u.module_load = (struct nt_ev_module_load){ .module_id = id, .path = text_id };
}

/* Without a perf map. */
static void test_modules_are_named_when_they_are_loaded(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	module_load(&w, 90, 0x7000, "/app/Shop.Web.dll");
	module_load(&w, 91, 0x8000, "/app/plugins/Other.dll");
	module_load(&w, 92, 0x9000, "InMemory");
	module_load(&w, 93, 0xa000, "/app/Unused.dll");
	module_load(&w, 94, 0xb000, ".dll");
	module_load(&w, 95, 0xc000, "/");
	for (uint32_t i = 0; i < 6; i++)
		compile(&w, 100 + 20 * i, 10 - i, 1, 0xa + i, "Some.Method()", NT_TIER_0)->module_id =
			(uint64_t[]){ 0x7000, 0x8000, 0x9000, 0xb000, 0xc000, 0xd000 }[i];
	module_load(&w, 300, 0x7000, "/app/Newer.dll");
	feed_send(&w.lttng);
	struct nt_snapshot *s = nt_model_close(w.model, ms(1000), true);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(process->jit_group_count[NT_JIT_BY_MODULE], 5);
	assert_null(module(process, 0)->name); /* of two modules */
	assert_string_equal(module(process, 1)->name, "Shop.Web");
	assert_string_equal(module(process, 2)->name, "Other");
	assert_string_equal(module(process, 3)->name, "InMemory");
	assert_string_equal(module(process, 4)->name, ".dll");
	nt_snapshot_release(s);
	end(&w);
}

static void test_many_modules_are_bounded(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (unsigned i = 0; i < NT_JIT_GROUPS + 100; i++)
		compile(&w, 100, 1, 1, 0xa, "Made.Type.Method()", NT_TIER_0)->module_id = 0x7000 + i;
	feed_send(&w.lttng);
	struct nt_snapshot *s = nt_model_close(w.model, ms(1000), true);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(process->jit_group_count[NT_JIT_BY_MODULE], 2);
	assert_int_equal(module(process, 0)->all.count, NT_JIT_GROUPS);
	assert_string_equal(module(process, 1)->name, "(other modules)");
	assert_int_equal(module(process, 1)->all.count, 100);
	nt_snapshot_release(s);
	end(&w);
}

/* More methods than are shown, more than are kept. */
static void test_bounded(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (unsigned i = 0; i < NT_JIT_METHODS + 100; i++) {
		char name[64];
		snprintf(name, sizeof(name), "Made.Type%u.Method()", i);
		compile(&w, 100, i % 500 / 1000.0, 1, 0xa, name, NT_TIER_0);
	}
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(process->jit_method_count, NT_JIT_SHOWN);
	assert_int_equal(process->jit_method_count + process->jit_methods_hidden, NT_JIT_METHODS + 1);
	assert_string_equal(process->jit_methods[0].name, "(other methods)");
	assert_int_equal(process->jit_methods[0].count_all, 100);
	assert_true(process->jit_methods[NT_JIT_SHOWN - 1].time_all_ns > 480 * NT_NS_PER_US);
	nt_snapshot_release(s);

	/* One that was not shown comes up. */
	compile(&w, 1100, 100, 1, 0xb, "Made.Type500.Method()", NT_TIER_1);
	s = close_all(&w, 2000);
	assert_string_equal(s->processes[0].jit_methods[0].name, "Made.Type500.Method()");
	assert_int_equal(s->processes[0].jit_method_count, NT_JIT_SHOWN);
	nt_snapshot_release(s);
	s = nt_model_close(w.model, ms(3000), true);
	assert_int_equal(s->processes[0].jit_method_count, NT_JIT_METHODS + 1);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_method_is_a_row),
		cmocka_unit_test(test_triggers),
		cmocka_unit_test(test_dynamic_methods_are_one_row),
		cmocka_unit_test(test_the_perf_map_knows_the_module),
		cmocka_unit_test(test_what_is_compiled_now),
		cmocka_unit_test(test_the_last_ten_seconds),
		cmocka_unit_test(test_sums_by_tier_trigger_and_module),
		cmocka_unit_test(test_sums_by_namespace),
		cmocka_unit_test(test_modules_are_named_when_they_are_loaded),
		cmocka_unit_test(test_many_modules_are_bounded),
		cmocka_unit_test(test_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
