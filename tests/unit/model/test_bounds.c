// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory stays bounded under churn: methods that come and go at re-used addresses under ever new names, call chains and epochs that are never
 * the same, exceptions with ever new messages, threads that live for a moment, events that never find their pair.
 */
#include "build.h"

#include <malloc.h>
#include <stdio.h>

/* NT_SOAK_INTERVALS in the environment makes it longer (100000 is about a day at one interval per second). */
enum { INTERVALS = 3000, WARM_UP = 1000 };

struct world {
	struct nt_model *model;
	struct feed lttng, perf, codemap, procfs;
};

static void churn_runtime(struct feed *lttng, uint32_t i)
{
	char name[64];
	double at = 1000.0 * i;
	for (uint32_t k = 0; k < 10; k++) {
		snprintf(name, sizeof(name), "dynamicClass.lambda_method%u(Closure, Row)", i * 10 + k);
		uint64_t method = i * 10 + k;
		nt_str id = text(lttng, name);
		jit_start(lttng, at + k, 1, method, 50);
		if (k % 3) { /* others fail */
			struct nt_ev_method *load = method_load(lttng, at + k + 0.5, 1, method, NT_TIER_0);
			load->name = id;
			load->start = 0x100000 + (uint64_t)(i * 7 % 50 + k) * 0x80;
		}
		if (k % 2)
			jit_start(lttng, at + k, 1000 + i * 10 + k, method, 50); /* on a thread that ends */
		event(lttng, NT_EV_CONTENTION_START, at + k, 2000 + i * 10 + k);
		snprintf(name, sizeof(name), "message %u", i * 10 + k);
		nt_str message = text(lttng, name), type = text(lttng, "System.FormatException");
		struct nt_ev_exception *exception = &event(lttng, NT_EV_EXCEPTION_THROWN, at + k, 3)->u.exception;
		exception->type = type;
		exception->message = message;
	}
	suspend(lttng, at + 20, 5, i % 7);
	gc_start(lttng, at + 21, 5, i, i % 3, i % 3);
	if (i % 4)
		gc_end(lttng, at + 22, 5, i, i % 3);
	if (i % 5)
		restart(lttng, at + 23, 5);
}

static void churn_samples(struct feed *perf, uint32_t i)
{
	double at = 1000.0 * i;
	uint64_t chain[20];
	for (uint32_t k = 0; k < 20; k++) {
		for (uint32_t frame = 0; frame < 20; frame++)
			chain[frame] = 0x100000 + ((uint64_t)i * 2654435761u + k * 97 + frame * 13) % 0x2000;
		chain[k] += 0x300000; /* a library, never answered: its questions are given up */
		sample_chain(perf, at + k, 10 + (i + k) % 3000, chain, 0, 20);
	}
}

static void churn_threads(struct feed *procfs, uint32_t i)
{
	double at = 1000.0 * i;
	for (uint32_t k = 0; k < 20; k++) {
		uint32_t tid = 10 + (i * 20 + k) % 30000;
		struct nt_ev_thread_stat *stat = &event(procfs, NT_EV_THREAD_STAT, at, tid)->u.thread_stat;
		stat->start_ticks = i;
		if (k % 2)
			event(procfs, NT_EV_THREAD, at + 1, tid)->u.thread =
				(struct nt_ev_thread){ .start_ticks = i, .op = NT_THREAD_ENDED };
	}
}

static void churn_map(struct feed *codemap, uint32_t i)
{
	char name[64];
	for (uint32_t k = 0; k < 5; k++) {
		snprintf(name, sizeof(name), "Shop.Generated.Method%u()", i * 5 + k);
		code_line(codemap, 1000.0 * i, 0x101000 + (uint64_t)((i * 11 + k) % 40) * 0x40, 0x60, i % 10 ? "Shop.Stable()" : name,
			  NT_TIER_0);
	}
}

static size_t heap_bytes(void)
{
	struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

static void test_memory_stays_bounded(void **state_)
{
	(void)state_;
	const char *wanted = getenv("NT_SOAK_INTERVALS");
	uint32_t intervals = wanted ? (uint32_t)atoi(wanted) : INTERVALS;
	struct world w = { .model = new_model_with(0) };
	feed_init(&w.lttng, w.model, NT_SOURCE_LTTNG);
	feed_init(&w.perf, w.model, NT_SOURCE_PERF);
	feed_init(&w.codemap, w.model, NT_SOURCE_CODEMAP);
	feed_init(&w.procfs, w.model, NT_SOURCE_PROCFS);
	/* Sources' own tables are bounded too; here they are small, so that many epochs pass. */
	struct feed *small[] = { &w.lttng, &w.perf, &w.codemap };
	for (int i = 0; i < 3; i++) {
		nt_interner_free(small[i]->interner);
		small[i]->interner = nt_interner_new(256 << 10);
		nt_batch_reset(small[i]->batch);
		nt_interner_begin(small[i]->interner, small[i]->batch);
	}
	target_mode(&w.procfs, NT_MODE_N);
	delivering(&w.lttng);
	delivering(&w.perf);
	delivering(&w.codemap);
	map_image(&w.perf, 0, 0x100000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	map_image(&w.perf, 0, 0x400000, 0x10000, "/usr/lib/libfoo.so", NT_MAP_FILE);
	size_t after_warm_up = 0, most = 0;
	for (uint32_t i = 0; i < intervals; i++) {
		churn_runtime(&w.lttng, i);
		churn_samples(&w.perf, i);
		churn_threads(&w.procfs, i);
		churn_map(&w.codemap, i);
		feed_send(&w.lttng);
		feed_send(&w.codemap);
		feed_send(&w.procfs);
		feed_send(&w.perf);
		struct nt_snapshot *s = close_at(w.model, 1000.0 * (i + 1));
		assert_true(s->processes[0].thread_count < 5000);
		nt_snapshot_release(s);
		size_t bytes = heap_bytes();
		if (i == WARM_UP)
			after_warm_up = bytes;
		most = bytes > most ? bytes : most;
	}
	struct nt_snapshot *s = nt_model_close(w.model, ms(1000.0 * intervals), true);
	assert_known(s->processes[0].total.cpu.samples, intervals * 20);
	assert_known(s->processes[0].total.exceptions.count, intervals * 10);
	nt_snapshot_release(s);
	if (getenv("NT_SOAK_INTERVALS"))
		printf("%zu kB after %d intervals, at most %zu kB in %u\n", after_warm_up / 1024, WARM_UP, most / 1024, intervals);
	feed_fini(&w.lttng);
	feed_fini(&w.perf);
	feed_fini(&w.codemap);
	feed_fini(&w.procfs);
	nt_model_free(w.model);
	/* Collections kept, rows of methods and the garbage between two compactions grow for a while, by a few MB. */
	if (after_warm_up) /* a sanitizer's allocator does not tell */
		assert_true(most < after_warm_up + (12 << 20));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_stays_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
