// SPDX-License-Identifier: GPL-2.0-only
/* The CPU time of compilations, from when their threads had a CPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/jit/jit_cpu.h"

enum { TID = 7, MOST = 8 };

struct told {
	size_t count;
	struct {
		uint32_t row;
		uint64_t cpu_ns;
	} items[MOST];
};

static void tell(void *context, const struct nt_jit_window *window, uint64_t cpu_ns)
{
	struct told *told = context;
	assert_true(told->count < MOST);
	told->items[told->count].row = window->row;
	told->items[told->count++].cpu_ns = cpu_ns;
}

static void compiled(struct nt_jit_cpu *cpu, uint32_t row, nt_time t0, nt_time t1)
{
	const struct nt_jit_window window = { .t0 = t0, .t1 = t1, .tid = TID, .row = row };
	nt_jit_cpu_compiled(cpu, &window);
}

/* On from 100 to 150, from 200 to 260, from 400 on. */
static void switches(struct nt_jit_cpu *cpu)
{
	static const nt_time times[] = { 100, 150, 200, 260, 400 };
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		nt_jit_cpu_switched(cpu, TID, times[i], i % 2 == 0);
	nt_jit_cpu_told_until(cpu, 500);
}

static void test_what_the_thread_had_a_cpu(void **state)
{
	(void)state;
	struct nt_jit_cpu cpu = { 0 };
	struct told told = { 0 };
	switches(&cpu);
	compiled(&cpu, 1, 110, 120); /* all of it */
	compiled(&cpu, 2, 140, 210); /* off in between */
	compiled(&cpu, 3, 270, 390); /* not at all */
	compiled(&cpu, 4, 410, 430);
	compiled(&cpu, 5, 440, 510); /* ends after what was told */
	nt_jit_cpu_settle(&cpu, 500, NT_TIME_UNKNOWN, false, tell, &told);
	assert_int_equal(told.count, 4);
	static const uint64_t expected[] = { 10, 20, 0, 20 };
	for (size_t i = 0; i < told.count; i++) {
		assert_int_equal(told.items[i].row, i + 1);
		assert_int_equal(told.items[i].cpu_ns, expected[i]);
	}
	nt_jit_cpu_told_until(&cpu, 600);
	nt_jit_cpu_settle(&cpu, 600, NT_TIME_UNKNOWN, false, tell, &told);
	assert_int_equal(told.count, 5);
	assert_int_equal(told.items[4].cpu_ns, 70);
	uint64_t since;
	assert_true(nt_jit_cpu_since(&cpu, 250, &since));
	assert_int_equal(since, 10 + 200);
	nt_jit_cpu_fini(&cpu);
}

/* The sum over all is what the thread used, once. */
static void test_one_within_another(void **state)
{
	(void)state;
	struct nt_jit_cpu cpu = { 0 };
	struct told told = { 0 };
	switches(&cpu);
	compiled(&cpu, 1, 110, 115);
	compiled(&cpu, 2, 205, 215); /* within 4 */
	compiled(&cpu, 3, 220, 230); /* likewise */
	compiled(&cpu, 4, 140, 250);
	nt_jit_cpu_settle(&cpu, 500, NT_TIME_UNKNOWN, false, tell, &told);
	assert_int_equal(told.count, 4);
	assert_int_equal(told.items[1].cpu_ns, 10);
	assert_int_equal(told.items[2].cpu_ns, 10);
	assert_int_equal(told.items[3].cpu_ns, 10 + 50 - 20);
	nt_jit_cpu_fini(&cpu);
}

/* What nobody told of is not known, and that is not 0. */
static void test_what_is_not_known(void **state)
{
	(void)state;
	struct nt_jit_cpu cpu = { 0 };
	struct told told = { 0 };
	uint64_t since;
	compiled(&cpu, 1, 50, 60); /* nobody tells of switches */
	assert_false(nt_jit_cpu_since(&cpu, 0, &since));
	switches(&cpu);
	compiled(&cpu, 2, 90, 120); /* began before */
	compiled(&cpu, 3, 410, 420);
	nt_jit_cpu_lost(&cpu, 450);
	nt_jit_cpu_switched(&cpu, TID, 440, false); /* told late, of before the loss */
	nt_jit_cpu_switched(&cpu, TID, 460, true);
	compiled(&cpu, 4, 445, 470);
	compiled(&cpu, 5, 465, 470);
	nt_jit_cpu_settle(&cpu, 500, NT_TIME_UNKNOWN, true, tell, &told);
	assert_int_equal(told.count, 1);
	assert_int_equal(told.items[0].row, 5);
	assert_false(nt_jit_cpu_since(&cpu, 400, &since));
	nt_jit_cpu_fini(&cpu);
}

/* A program that switches a million times has no more of them kept than may still be needed. */
static void test_old_ones_are_forgotten(void **state)
{
	(void)state;
	struct nt_jit_cpu cpu = { 0 };
	struct told told = { 0 };
	for (nt_time time = 0; time < 30000; time++)
		nt_jit_cpu_switched(&cpu, TID, time * NT_NS_PER_MS, time % 2 == 0);
	nt_jit_cpu_told_until(&cpu, 30 * NT_NS_PER_S);
	compiled(&cpu, 1, 29 * NT_NS_PER_S, 29 * NT_NS_PER_S + 10 * NT_NS_PER_MS);
	nt_jit_cpu_settle(&cpu, 30 * NT_NS_PER_S, NT_TIME_UNKNOWN, false, tell, &told);
	assert_int_equal(told.items[0].cpu_ns, 5 * NT_NS_PER_MS);
	assert_true(cpu.edge_count <= 10001);
	nt_jit_cpu_fini(&cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_the_thread_had_a_cpu),
		cmocka_unit_test(test_one_within_another),
		cmocka_unit_test(test_what_is_not_known),
		cmocka_unit_test(test_old_ones_are_forgotten),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
