// SPDX-License-Identifier: GPL-2.0-only
/* The CPU time of the threads that compile in the background, from readings of all threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/jit/jit_background.h"

enum { MAIN = 100, COMPILER = 107, OTHER = 109 };
static const char tiering[] = ".NET Tiered Com"; /* as the kernel cuts it */

static void reading(struct nt_jit_background *background, uint32_t tid, uint64_t start_ticks, uint64_t cpu_ms, const char *name)
{
	const struct nt_ev_thread_stat stat = { .user_ns = cpu_ms * NT_NS_PER_MS - cpu_ms,
						.kernel_ns = cpu_ms,
						.start_ticks = start_ticks };
	nt_jit_background_read(background, tid, &stat, name);
}

static void assert_ms(const struct nt_jit_background *background, uint64_t ms)
{
	struct nt_u64 cpu_ns = nt_jit_background_cpu_ns(background);
	assert_true(cpu_ns.known);
	assert_int_equal(cpu_ns.v, ms * NT_NS_PER_MS);
}

/* All of a thread that came while nettop looked counts, and of no other thread anything. */
static void test_one_that_came_later(void **state)
{
	(void)state;
	struct nt_jit_background background = { 0 };
	reading(&background, MAIN, 5, 300, "shop");
	reading(&background, OTHER, 6, 50, NULL);
	reading(&background, MAIN, 5, 400, "shop");
	assert_false(nt_jit_background_cpu_ns(&background).known);
	reading(&background, COMPILER, 9, 30, tiering);
	assert_ms(&background, 30);
	reading(&background, COMPILER, 9, 70, tiering);
	reading(&background, COMPILER, 9, 70, tiering);
	assert_ms(&background, 70);
	reading(&background, COMPILER, 20, 10, tiering); /* the number is another's now */
	assert_ms(&background, 80);
}

/* What it had used before nettop came was used when nobody looked; that one has used nothing since nobody knows, to a hundredth of a second. */
static void test_one_that_was_there(void **state)
{
	(void)state;
	struct nt_jit_background background = { 0 };
	for (int i = 0; i < 3; i++) {
		reading(&background, MAIN, 5, 300, "shop");
		reading(&background, COMPILER, 9, 500, tiering);
		assert_false(nt_jit_background_cpu_ns(&background).known);
	}
	reading(&background, COMPILER, 9, 520, tiering);
	assert_ms(&background, 20);
	reading(&background, COMPILER, 9, 510, tiering); /* nonsense */
	reading(&background, COMPILER, 9, 520, tiering);
	assert_ms(&background, 20);
}

/* More than any runtime has, all of them alive: nothing counts twice. */
static void test_many_of_them(void **state)
{
	enum { THREADS = 4 * NT_JIT_BACKGROUND_THREADS };
	(void)state;
	struct nt_jit_background background = { 0 };
	reading(&background, MAIN, 5, 300, "shop");
	for (int round = 0; round < 3; round++) {
		reading(&background, MAIN, 5, 300, "shop");
		for (uint32_t i = 0; i < THREADS; i++)
			reading(&background, COMPILER + i, 10 + i, 10, tiering);
	}
	assert_ms(&background, 10 * THREADS);
	assert_int_equal(background.count, NT_JIT_BACKGROUND_THREADS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_that_came_later),
		cmocka_unit_test(test_one_that_was_there),
		cmocka_unit_test(test_many_of_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
