// SPDX-License-Identifier: GPL-2.0-only
#include "sampled_world.h"

#include <stdio.h>

static void test_self_and_total(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, 0x7000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	code_line(&w.codemap, 0, 0x7000, 0x100, "Shop.Main()", NT_TIER_0);
	code_line(&w.codemap, 0, 0x7100, 0x100, "Shop.Work()", NT_TIER_1);
	const uint64_t chain[] = { 0x7110, 0x7120, 0x7010 };
	for (int i = 0; i < 8; i++)
		sample_chain(&w.perf, 10 + i, 5, chain, 0, 3);
	sample_at(&w.perf, 20, 5, 0x7020);
	sample_at(&w.perf, 21, 5, 0x7020);
	feed_send(&w.perf);
	feed_send(&w.codemap);
	struct nt_snapshot *s = close_at(w.model, 1000);
	const struct nt_method_row *work = row_named(s, "Shop.Work()"), *top = row_named(s, "Shop.Main()");
	assert_non_null(work);
	assert_non_null(top);
	assert_ptr_equal(work, &s->processes[0].methods[0]);
	assert_int_equal(work->self_samples, 8);
	assert_int_equal(work->total_samples, 8); /* recursion counts once */
	assert_int_equal(top->self_samples, 2);
	assert_int_equal(top->total_samples, 10);
	assert_near(work->self_pct, 80);
	assert_near(top->total_pct, 100);
	assert_int_equal(work->tier, NT_TIER_1);
	assert_int_equal(work->kind, NT_CODE_JIT);
	assert_string_equal(work->module, "Shop");
	assert_known(s->processes[0].interval.cpu.samples, 10);
	nt_snapshot_release(s);
	end(&w);
}

/* One sample that was taken tells of three that were left out. */
static void test_samples_of_a_lower_rate(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, 0x7000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	code_line(&w.codemap, 0, 0x7000, 0x100, "Shop.Work()", NT_TIER_0);
	for (int i = 0; i < 2; i++) {
		sample_at(&w.perf, 10 + i, 5, 0x7010);
		struct nt_ev_sample *sample = &w.perf.batch->events[w.perf.batch->event_count - 1].u.sample;
		sample->besides = 3;
		sample->weight_ns = 4 * NT_NS_PER_MS;
	}
	sample_at(&w.perf, 20, 6, 0x7500); /* has no name yet */
	w.perf.batch->events[w.perf.batch->event_count - 1].u.sample.besides = 1;
	feed_send(&w.perf);
	feed_send(&w.codemap);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(row_named(s, "Shop.Work()")->self_samples, 8);
	assert_near(row_named(s, "Shop.Work()")->self_pct, 80);
	assert_known(s->processes[0].interval.cpu.samples, 10);
	nt_snapshot_release(s);
	code_line(&w.codemap, 1100, 0x7500, 0x100, "Shop.Late()", NT_TIER_0);
	feed_send(&w.codemap);
	s = close_at(w.model, 2000);
	assert_int_equal(row_named(s, "Shop.Late()")->self_samples_all, 2);
	nt_snapshot_release(s);
	end(&w);
}

/* The name comes an interval later: all counts move to it. */
static void test_late_name_takes_the_counts(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, 0x7000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	map_image(&w.perf, 1, 0x400000, 0x10000, "/usr/lib/libfoo.so", NT_MAP_FILE);
	code_line(&w.codemap, 0, 0x7f00, 0x10, "Shop.Other()", NT_TIER_0);
	const uint64_t chain[] = { 0x401010, 0x401020, 0x7010 };
	for (int i = 0; i < 4; i++)
		sample_chain(&w.perf, 10 + i, 5, chain, 0, 3);
	feed_send(&w.perf);
	feed_send(&w.codemap);
	struct nt_snapshot *s = close_at(w.model, 1000);
	const struct nt_method_row *open = row_named(s, "libfoo.so+0x1010");
	assert_non_null(open);
	assert_non_null(open->reason);
	assert_int_equal(open->self_samples, 4);
	assert_int_equal(row_named(s, "[runtime stub]")->total_samples, 4);
	assert_int_equal(s->processes[0].question_count, 3); /* the third one: is it a stub? */
	assert_int_equal(s->processes[0].questions[0].offset, 0x1010);
	assert_string_equal(s->processes[0].questions[0].image, "/usr/lib/libfoo.so");
	nt_snapshot_release(s);

	code_line(&w.codemap, 1100, 0x7000, 0x100, "Shop.Main()", NT_TIER_0);
	struct nt_ev_name *name = &event(&w.codemap, NT_EV_NAME, 1100, 0)->u.name;
	nt_str image = text(&w.codemap, "/usr/lib/libfoo.so"), foo = text(&w.codemap, "foo");
	*name = (struct nt_ev_name){ .inode = 7, .start = 0x1000, .end = 0x1100, .image = image, .name = foo, .kind = NT_CODE_NATIVE };
	feed_send(&w.codemap);
	s = close_at(w.model, 2000);
	assert_null(row_named(s, "libfoo.so+0x1010"));
	assert_null(row_named(s, "[runtime stub]"));
	const struct nt_method_row *named = row_named(s, "foo");
	assert_non_null(named);
	assert_int_equal(named->self_samples_all, 4);
	assert_int_equal(named->total_samples_all, 4); /* two frames in one function: once per chain */
	assert_int_equal(named->self_samples, 0);
	assert_null(named->reason);
	assert_int_equal(row_named(s, "Shop.Main()")->total_samples_all, 4);
	assert_int_equal(s->processes[0].question_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

/* An address that was two methods one after the other: each sample counts for the one of its time. */
static void test_reused_address_by_time(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, 0x7000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	code_line(&w.codemap, 0, 0x7000, 0x100, "lambda_method1()", NT_TIER_0);
	for (int i = 0; i < 5; i++)
		sample_at(&w.perf, 100 + i, 1, 0x7010);
	code_line(&w.codemap, 500, 0x7000, 0x80, "lambda_method2()", NT_TIER_0);
	for (int i = 0; i < 7; i++)
		sample_at(&w.perf, 600 + i, 1, 0x7010);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(row_named(s, "lambda_method1()")->self_samples, 5);
	assert_int_equal(row_named(s, "lambda_method2()")->self_samples, 7);
	assert_true(row_named(s, "lambda_method1()")->ended || row_named(s, "lambda_method2()")->ended == false);
	nt_snapshot_release(s);
	end(&w);
}

static uint64_t samples_of(const struct nt_snapshot *snapshot, const char *name)
{
	const struct nt_method_row *row = row_named(snapshot, name);
	return row ? row->self_samples : 0;
}

/* The same when the map tells of three methods at once, after their samples have been counted without a name: as much as is known of each is moved to it. */
static void test_reused_address_named_late(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, 0x7000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	code_line(&w.codemap, 0, 0x7f00, 0x10, "Shop.Other()", NT_TIER_0);
	for (int method = 0; method < 3; method++)
		for (int i = 0; i < 5 + method; i++)
			sample_at(&w.perf, 200 * method + 100 + 2 * i, 1, 0x7010);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(row_named(s, "[runtime stub]")->self_samples, 18);
	nt_snapshot_release(s);
	for (int method = 0; method < 3; method++) {
		char name[] = "Shop.Method0()";
		name[sizeof("Shop.Method") - 1] = (char)('0' + method);
		code_line(&w.codemap, 200 * method + 50, 0x7000, 0x80, name, NT_TIER_0);
	}
	s = close_all(&w, 2000);
	assert_null(row_named(s, "[runtime stub]"));
	assert_int_equal(row_named(s, "Shop.Method0()")->self_samples_all, 5);
	assert_int_equal(row_named(s, "Shop.Method1()")->self_samples_all, 6);
	assert_int_equal(row_named(s, "Shop.Method2()")->self_samples_all, 7);
	assert_known(s->processes[0].total.cpu.samples, 18);
	nt_snapshot_release(s);
	end(&w);
}

/*
 * Dynamic methods follow each other at one address faster than the map is read: what was sampled after the last look at it is counted after the next one,
 * with the thread it was on, or when the map has not been read for long.
 */
static void test_dynamic_methods_wait_for_the_map(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, 0x7000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	code_line(&w.codemap, 0, 0x7000, 0x80, "dynamicClass.first()", NT_TIER_0);
	idle(&w.codemap, 100);
	for (int i = 0; i < 5; i++)
		sample_at(&w.perf, 50 + i, 1, 0x7010);
	for (int i = 0; i < 7; i++)
		sample_at(&w.perf, 600 + i, 1, 0x7010);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(samples_of(s, "first()"), 5);
	assert_known(s->processes[0].interval.cpu.samples, 5);
	nt_snapshot_release(s);
	code_line(&w.codemap, 500, 0x7000, 0x80, "dynamicClass.second()", NT_TIER_0);
	idle(&w.codemap, 1100);
	s = close_all(&w, 2000);
	assert_int_equal(samples_of(s, "first()"), 0);
	assert_int_equal(samples_of(s, "second()"), 7);
	assert_int_equal(row_named(s, "first()")->self_samples_all, 5);
	assert_known(s->processes[0].total.cpu.samples, 12);
	nt_snapshot_release(s);
	sample_at(&w.perf, 2500, 1, 0x7010);
	for (double at = 3000; at <= 5000; at += 1000) {
		s = close_all(&w, at);
		assert_int_equal(samples_of(s, "second()"), 0);
		nt_snapshot_release(s);
	}
	s = close_all(&w, 6000);
	assert_int_equal(samples_of(s, "second()"), 1);
	nt_snapshot_release(s);
	end(&w);
}

/* METHOD_LOAD names what the map does not cover yet; when the line comes, the counts go to it. */
static void test_method_load_is_the_second_table(void **state_)
{
	(void)state_;
	struct world w;
	struct feed lttng;
	begin(&w);
	feed_init(&lttng, w.model, NT_SOURCE_LTTNG);
	delivering(&lttng);
	map_image(&w.perf, 1, 0x10000, 0x100000, "/memfd:doublemapper", NT_MAP_JIT);
	code_line(&w.codemap, 0, 0x80000, 0x10, "Shop.Elsewhere()", NT_TIER_0);
	code_line(&w.codemap, 0, 0x10200, 0x40, "Old.Dead()", NT_TIER_0);
	nt_str work = text(&lttng, "Shop.Work()"), fresh = text(&lttng, "Shop.New()");
	method_load(&lttng, 50, 1, 1, NT_TIER_1)->name = work;   /* at 0x10100 */
	method_load(&lttng, 150, 1, 2, NT_TIER_0)->name = fresh; /* at 0x10200: the address is re-used */
	feed_send(&lttng);
	sample_at(&w.perf, 200, 1, 0x10110);
	sample_at(&w.perf, 100, 1, 0x10210);
	sample_at(&w.perf, 201, 1, 0x10210);
	sample_at(&w.perf, 202, 1, 0x10210);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(row_named(s, "Shop.Work()")->self_samples, 1);
	assert_null(row_named(s, "Shop.Work()")->module);
	assert_int_equal(row_named(s, "Shop.Work()")->tier, NT_TIER_1);
	assert_int_equal(row_named(s, "Old.Dead()")->self_samples, 1);
	assert_int_equal(row_named(s, "Shop.New()")->self_samples, 2);
	nt_snapshot_release(s);

	code_line(&w.codemap, 1100, 0x10100, 0x64, "Shop.Work()", NT_TIER_1);
	code_line(&w.codemap, 1100, 0x10200, 0x64, "Shop.New()", NT_TIER_0);
	sample_at(&w.perf, 1200, 1, 0x10110);
	s = close_all(&w, 2000);
	size_t rows = 0;
	for (size_t i = 0; i < s->processes[0].method_count; i++)
		rows += strcmp(s->processes[0].methods[i].name, "Shop.Work()") == 0;
	assert_int_equal(rows, 1); /* moved to the row with the module */
	assert_int_equal(row_named(s, "Shop.Work()")->self_samples_all, 2);
	assert_string_equal(row_named(s, "Shop.Work()")->module, "Shop");
	assert_int_equal(row_named(s, "Shop.New()")->self_samples_all, 2);
	nt_snapshot_release(s);
	feed_fini(&lttng);
	end(&w);
}

static void test_kernel_and_native(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, 0x400000, 0x10000, "/usr/lib/libcoreclr.so", NT_MAP_FILE);
	answer_name(&w, 2, "[kernel]", 0xffffffff81000000, 0xffffffff81000100, "clear_page", NULL);
	answer_name(&w, 2, "/usr/lib/libcoreclr.so", 0x1000, 0x2000, NULL, "stripped");
	const uint64_t chain[] = { 0xffffffff81000010, 0xffffffffffffff80, 0x401500, 0x401900, 0xdead };
	for (int i = 0; i < 3; i++)
		sample_chain(&w.perf, 10, 1, chain, 2, 5);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_method_row *kernel = row_named(s, "clear_page"), *runtime = row_named(s, "libcoreclr.so");
	assert_int_equal(kernel->kind, NT_CODE_KERNEL);
	assert_string_equal(kernel->module, "[kernel]");
	assert_int_equal(kernel->self_samples, 3);
	/* All nameless code of an image is one row per reason, once per chain. */
	assert_int_equal(runtime->total_samples, 3);
	assert_string_equal(runtime->reason, "stripped");
	assert_int_equal(runtime->naming, NT_NAMING_STRIPPED);
	/* The junk at the end of the chain is in no mapping: not a caller. */
	assert_null(row_named(s, "[no mapping]"));
	assert_int_equal(s->processes[0].method_count, 2);
	nt_snapshot_release(s);
	end(&w);
}

/* The leaf always has a row; so has a sample without a chain. */
static void test_every_sample_has_a_row(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	sample_at(&w.perf, 5, 1, 0x123); /* before any mapping is known */
	struct nt_snapshot *s = close_all(&w, 500);
	assert_non_null(row_named(s, "[no mapping]")->reason);
	nt_snapshot_release(s);
	map_image(&w.perf, 600, 0x7000, 0x1000, "/memfd:doublemapper", NT_MAP_JIT);
	sample_at(&w.perf, 610, 1, 0x999999);
	sample_at(&w.perf, 611, 1, 0x7010);
	struct nt_event *e = event(&w.perf, NT_EV_SAMPLE, 612, 1);
	e->u.sample.stack = 0;
	e = event(&w.perf, NT_EV_SAMPLE, 613, 1);
	e->u.sample.stack = 4000000; /* never announced */
	uint64_t marker = ~UINT64_C(0) - 511;
	sample_chain(&w.perf, 614, 1, &marker, 0, 1);
	s = close_all(&w, 1000);
	assert_int_equal(row_named(s, "[no mapping]")->self_samples_all, 2);
	assert_string_equal(row_named(s, "[no mapping]")->reason, "no mapping at this address");
	assert_string_equal(row_named(s, "[jit code]")->reason, "perf map off");
	assert_int_equal(row_named(s, "[jit code]")->naming, NT_NAMING_PERF_MAP_OFF);
	assert_int_equal(row_named(s, "[no call chain]")->self_samples, 3);
	uint64_t self = 0;
	for (size_t i = 0; i < s->processes[0].method_count; i++)
		self += s->processes[0].methods[i].self_samples;
	assert_known(s->processes[0].interval.cpu.samples, 5);
	assert_int_equal(self, 5);
	nt_snapshot_release(s);
	end(&w);
}

static void map_state(struct world *w, double at, enum nt_source_state state, const char *reason, enum nt_naming naming)
{
	nt_str id = text(&w->codemap, reason);
	event(&w->codemap, NT_EV_SOURCE_STATE, at, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = state, .open = true, .reason = id, .naming = naming };
}

/* Code that was gone when the map was switched on can have no line in it: that is said of samples before, and of no other. */
static void test_a_map_that_came_later(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 0, 0x7000, 0x1000, "/memfd:doublemapper", NT_MAP_JIT);
	map_state(&w, 1, NT_STATE_ABSENT, "the target writes no perf map", NT_NAMING_PERF_MAP_OFF);
	sample_at(&w.perf, 100, 1, 0x7010);
	struct nt_snapshot *s = close_all(&w, 500);
	assert_int_equal(row_named(s, "[jit code]")->naming, NT_NAMING_PERF_MAP_OFF);
	nt_snapshot_release(s);
	code_line(&w.codemap, 0, 0x7100, 0x40, "Shop.Cart.Add()", NT_TIER_0);
	map_state(&w, 600, NT_STATE_DELIVERING, "switched on by nettop", NT_NAMING_NAMED);
	sample_at(&w.perf, 550, 1, 0x7010);
	sample_at(&w.perf, 560, 1, 0x7110);
	sample_at(&w.perf, 700, 1, 0x7010);
	s = close_all(&w, 1000);
	assert_int_equal(row_named(s, "[jit code]")->naming, NT_NAMING_PERF_MAP_LATE);
	assert_string_equal(row_named(s, "[jit code]")->reason, "perf map later than the sample");
	assert_int_equal(row_named(s, "Shop.Cart.Add()")->self_samples, 1);
	assert_int_equal(row_named(s, "[runtime stub]")->naming, NT_NAMING_NO_LINE);
	assert_int_equal(row_named(s, "[runtime stub]")->self_samples, 1);
	nt_snapshot_release(s);
	end(&w);
}

/* A return address may already lie behind the function that called; the interrupted place is exact. */
static void test_return_addresses(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	code_line(&w.codemap, 0, 0x7000, 0x100, "Shop.Caller()", NT_TIER_0);
	code_line(&w.codemap, 0, 0x7100, 0x100, "Shop.Next()", NT_TIER_0);
	answer_name(&w, 2, "[kernel]", 0, UINT64_MAX, "sys", NULL);
	const uint64_t chain[] = { 0x7100, 0x7100 };
	sample_chain(&w.perf, 10, 1, chain, 0, 2);
	const uint64_t interrupted[] = { 0xffffffff81000000, 0x7100 };
	sample_chain(&w.perf, 10, 1, interrupted, 1, 2);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(row_named(s, "Shop.Next()")->self_samples, 1);
	assert_int_equal(row_named(s, "Shop.Next()")->total_samples, 2);
	assert_int_equal(row_named(s, "Shop.Caller()")->total_samples, 1);
	nt_snapshot_release(s);
	end(&w);
}

/* One row per method, whatever its tier; the tier is that of most samples in the window. */
static void test_window_and_tiers(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	code_line(&w.codemap, 0, 0x7000, 0x100, "Shop.Hot()", NT_TIER_0);
	code_line(&w.codemap, 0, 0x8000, 0x100, "Shop.Hot()", NT_TIER_OSR);
	code_line(&w.codemap, 0, 0x9000, 0x100, "Shop.Hot()", NT_TIER_1);
	for (int i = 0; i < 100; i++)
		sample_at(&w.perf, 10, 1, 0x7010);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(row_named(s, "Shop.Hot()")->tier, NT_TIER_0);
	assert_near(row_named(s, "Shop.Hot()")->window_self, 100);
	nt_snapshot_release(s);
	for (int i = 1; i <= 5; i++) { /* one half-life */
		sample_at(&w.perf, 1000 * i + 10, 1, 0x8010);
		s = close_all(&w, 1000 * (i + 1));
		nt_snapshot_release(s);
	}
	for (int i = 0; i < 60; i++)
		sample_at(&w.perf, 6010, 1, 0x9010);
	s = close_all(&w, 7000);
	const struct nt_method_row *hot = row_named(s, "Shop.Hot()");
	assert_int_equal(s->processes[0].method_count, 1);
	assert_int_equal(hot->tier, NT_TIER_1); /* 60 now weigh more than 100 six intervals ago */
	assert_int_equal(hot->tier_samples[NT_TIER_0], 100);
	assert_int_equal(hot->tier_samples[NT_TIER_OSR], 5);
	assert_int_equal(hot->tier_samples[NT_TIER_1], 60);
	double expected = 60, weight = 1;
	for (int i = 1; i <= 6; i++) {
		weight *= 0.870550563296124; /* 2^(-1/5) */
		expected += i < 6 ? weight : 100 * weight;
	}
	assert_true(hot->window_self > expected - 0.001 && hot->window_self < expected + 0.001);
	assert_near(hot->window_self_pct, 100);
	assert_near(hot->all_self_pct, 100);
	assert_int_equal(s->processes[0].window_samples_milli, (uint64_t)(hot->window_self * 1000 + 0.5));
	nt_snapshot_release(s);
	end(&w);
}

/* Rows without weight leave the list and come back in the final snapshot. */
static void test_hidden_rows(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	code_line(&w.codemap, 0, 0x7000, 0x100, "Shop.Once()", NT_TIER_0);
	code_line(&w.codemap, 0, 0x8000, 0x100, "Shop.Always()", NT_TIER_0);
	sample_at(&w.perf, 10, 1, 0x7010);
	struct nt_snapshot *s = NULL;
	for (int i = 0; i < 60; i++) {
		sample_at(&w.perf, 1000 * i + 20, 1, 0x8010);
		nt_snapshot_release(s);
		s = close_all(&w, 1000 * (i + 1));
		assert_int_equal(row_named(s, "Shop.Always()")->fresh, i == 0);
	}
	assert_null(row_named(s, "Shop.Once()"));
	assert_int_equal(s->processes[0].methods_hidden, 1);
	nt_snapshot_release(s);
	s = nt_model_close(w.model, ms(61000), true);
	assert_int_equal(row_named(s, "Shop.Once()")->self_samples_all, 1);
	assert_int_equal(s->processes[0].methods_hidden, 0);
	assert_int_equal(s->processes[0].samples_all, 61);
	nt_snapshot_release(s);
	end(&w);
}

/* Freed code: the row stays as a tombstone. */
static void test_freed_code(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	code_line(&w.codemap, 0, 0x7000, 0x100, "Shop.Gone()", NT_TIER_0);
	sample_at(&w.perf, 10, 1, 0x7010);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_false(row_named(s, "Shop.Gone()")->ended);
	nt_snapshot_release(s);
	struct nt_ev_code_end *gone = &event(&w.codemap, NT_EV_CODE_END, 1500, 0)->u.code_end;
	*gone = (struct nt_ev_code_end){ .start = 0x7000, .size = 0x100 };
	s = close_all(&w, 2000);
	assert_true(row_named(s, "Shop.Gone()")->ended);
	nt_snapshot_release(s);
	end(&w);
}

/* Late names across several intervals move exactly what was counted, and samples of other epochs stay where they are. */
static void test_late_name_keeps_the_sums(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, 0x7000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	code_line(&w.codemap, 0, 0x16f00, 0x10, "Shop.Other()", NT_TIER_0);
	struct nt_snapshot *s = NULL;
	for (int i = 0; i < 20; i++) {
		for (int k = 0; k <= i; k++)
			sample_at(&w.perf, 1000 * i + 10 + k, 1, 0x7010 + (uint64_t)(k % 3) * 4);
		if (i % 4 == 3) /* the map changes, though not here */
			code_line(&w.codemap, 1000 * i, 0x16000 + (uint64_t)i * 16, 8, "Shop.Another()", NT_TIER_0);
		nt_snapshot_release(s);
		s = close_all(&w, 1000 * (i + 1));
	}
	double weight = row_named(s, "[runtime stub]")->window_self;
	assert_int_equal(row_named(s, "[runtime stub]")->self_samples_all, 210);
	nt_snapshot_release(s);
	code_line(&w.codemap, 0, 0x7000, 0x100, "Shop.Found()", NT_TIER_1);
	s = close_all(&w, 21000);
	assert_null(row_named(s, "[runtime stub]"));
	const struct nt_method_row *found = row_named(s, "Shop.Found()");
	assert_int_equal(found->self_samples_all, 210);
	assert_int_equal(found->tier_samples[NT_TIER_1], 210);
	weight *= 0.870550563296124;
	assert_true(found->window_self > weight - 0.001 && found->window_self < weight + 0.001);
	assert_near(found->window_self_pct, 100);
	nt_snapshot_release(s);
	end(&w);
}

/* Methods without end: those not seen for long become one row; the sums stay, and what is seen again has a row again. */
static void test_too_many_methods(void **state_)
{
	(void)state_;
	enum { METHODS = 20000 };
	struct world w;
	begin(&w);
	nt_interner_free(w.perf.interner);
	w.perf.interner = nt_interner_new(1 << 20); /* what waits does so for as long as its ids hold */
	nt_interner_begin(w.perf.interner, w.perf.batch);
	char name[64];
	for (uint32_t i = 0; i < METHODS; i++) {
		snprintf(name, sizeof(name), "lambda_method%u()", i);
		code_line(&w.codemap, 0, 0x100000 + i * 0x40, 0x40, name, NT_TIER_0);
		sample_at(&w.perf, 10, 1, 0x100000 + i * 0x40);
	}
	map_image(&w.perf, 1, 0x400000000, 0x1000, "/memfd:doublemapper", NT_MAP_JIT);
	sample_at(&w.perf, 20, 1, 0x400000000); /* no name yet */
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(s->processes[0].method_count, METHODS + 1);
	uint64_t id = row_named(s, "lambda_method5()")->id;
	nt_snapshot_release(s);
	for (int i = 1; i < 100; i++) {
		sample_at(&w.perf, 1000 * i + 10, 1, 0x100000);
		nt_snapshot_release(close_all(&w, 1000 * (i + 1)));
	}
	sample_at(&w.perf, 100010, 1, 0x100000 + 5 * 0x40);
	code_line(&w.codemap, 0, 0x400000000, 0x100, "Shop.Late()", NT_TIER_0);
	feed_send(&w.perf);
	feed_send(&w.codemap);
	s = nt_model_close(w.model, ms(101000), true);
	assert_int_equal(s->processes[0].method_count, 4);
	assert_int_equal(row_named(s, "(other methods)")->self_samples_all, METHODS - 1);
	assert_int_equal(row_named(s, "lambda_method0()")->self_samples_all, 100);
	assert_int_equal(row_named(s, "lambda_method5()")->self_samples_all, 1);
	assert_int_not_equal(row_named(s, "lambda_method5()")->id, id);
	assert_int_equal(row_named(s, "Shop.Late()")->self_samples_all, 1); /* waited all the time */
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_self_and_total),
		cmocka_unit_test(test_samples_of_a_lower_rate),
		cmocka_unit_test(test_late_name_takes_the_counts),
		cmocka_unit_test(test_reused_address_by_time),
		cmocka_unit_test(test_reused_address_named_late),
		cmocka_unit_test(test_dynamic_methods_wait_for_the_map),
		cmocka_unit_test(test_method_load_is_the_second_table),
		cmocka_unit_test(test_kernel_and_native),
		cmocka_unit_test(test_every_sample_has_a_row),
		cmocka_unit_test(test_a_map_that_came_later),
		cmocka_unit_test(test_return_addresses),
		cmocka_unit_test(test_window_and_tiers),
		cmocka_unit_test(test_hidden_rows),
		cmocka_unit_test(test_freed_code),
		cmocka_unit_test(test_late_name_keeps_the_sums),
		cmocka_unit_test(test_too_many_methods),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
