// SPDX-License-Identifier: GPL-2.0-only
/* When a pool of threads starves, and when it only grows. */
#include "finding_seconds.h"

/* A second of a pool of `count` workers, so many of which sleep, so many of these without work. */
static struct nt_pool_figures *pool_second(uint32_t count, uint32_t sleeping, uint32_t parked)
{
	struct nt_process_snapshot *process = next_second();
	process->threads = nt_alloc(count * sizeof(*process->threads));
	process->thread_count = count;
	for (uint32_t i = 0; i < count; i++)
		process->threads[i] = (struct nt_thread_row){ .id = i + 1,
							      .tid = i + 1,
							      .name = ".NET TP Worker",
							      .role = NT_ROLE_POOL,
							      .cpu_pct = nt_f64_of(0),
							      .state = i < sleeping ? 'S' : 'R',
							      .parked = i < parked };
	process->interval.pool.worker_count = nt_u64_of(count);
	return &process->interval.pool;
}

static void workers_that_wait_for_tasks_are_starvation(void **state)
{
	(void)state;
	for (uint32_t second = 0; second < 5; second++) {
		struct nt_pool_figures *pool = pool_second(19 + 4 * second, 18 + 4 * second, 0);
		pool->starved_count = nt_u64_of(0);
		pool->blocked_count = nt_u64_of(4);
		close_second();
	}
	const struct nt_finding *finding = the_finding(NT_FINDING_POOL_STARVATION);
	assert_non_null(finding);
	assert_non_null(strstr(finding->text, "34 of 35 workers not running"));
}

static void more_workers_while_items_wait_are_starvation(void **state)
{
	(void)state;
	for (uint32_t second = 0; second < 5; second++) {
		pool_second(4 + 2 * second, 4 + 2 * second, 0)->queue_count = nt_u64_of(20 + 30 * second);
		close_second();
	}
	assert_non_null(strstr(the_finding(NT_FINDING_POOL_STARVATION)->text, "140 items queued"));
}

/* Workers that have nothing to do, workers that compute, and a pause in which no worker could take an item: in none of them the pool lacks workers. */
static void what_else_adds_workers_is_no_starvation(void **state)
{
	(void)state;
	static const struct {
		uint32_t sleeping, parked, pause_ms;
		struct nt_u64 queued;
	} cases[] = {
		{ 7, 4, 0, { 0 } },
		{ 0, 0, 0, { 0 } },
		{ 7, 0, 2500, { 0 } },
		{ 7, 0, 0, { .known = true } },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 8; second++) {
			struct nt_pool_figures *pool = pool_second(7, cases[i].sleeping, cases[i].parked);
			pool->starved_count = nt_u64_of(1);
			pool->blocked_count = nt_u64_of(0);
			pool->queue_count = cases[i].queued;
			struct nt_gc_figures *gc = &snapshot->processes[0].interval.gc;
			gc->pause_ns = gc->pause_max_ns = nt_u64_of(cases[i].pause_ms * NT_NS_PER_MS);
			close_second();
			assert_null(the_finding(NT_FINDING_POOL_STARVATION));
		}
	}
}

/* A service whose workers read from sockets gets two more with the load, and a little less is done: somebody must wait for it to be starvation. */
static void more_workers_without_a_queue_are_none(void **state)
{
	for (unsigned queued = 0; queued < 6; queued += 3) {
		set_up(state);
		for (int second = 0; second < 10; second++) {
			uint32_t workers = second < 4 ? 5 : 7;
			struct nt_pool_figures *pool = pool_second(workers, workers, 0);
			pool->queue_count = nt_u64_of(queued);
			pool->completed_count = nt_u64_of(second < 4 ? 60 : 55);
			close_second();
		}
		assert_int_equal(the_finding(NT_FINDING_POOL_STARVATION) != NULL, queued != 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FINDINGS(workers_that_wait_for_tasks_are_starvation),
		WITH_FINDINGS(more_workers_while_items_wait_are_starvation),
		WITH_FINDINGS(what_else_adds_workers_is_no_starvation),
		WITH_FINDINGS(more_workers_without_a_queue_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
