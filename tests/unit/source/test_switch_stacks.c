// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/perf/switch_stacks.h"

/* A stack is a thread's, of its epoch, until records are missing: never that of another thread whose number falls on the same place. */
static void a_stack_is_of_its_thread_and_epoch(void **state)
{
	(void)state;
	enum { FAR = 1 << 12 };
	struct nt_switch_stacks *stacks = nt_switch_stacks_new();
	assert_int_equal(nt_switch_stacks_of(stacks, 7, 1), 0);
	nt_switch_stacks_set(stacks, 7, 100, 1, 42);
	nt_switch_stacks_set(stacks, 8, 100, 1, 43);
	assert_int_equal(nt_switch_stacks_of(stacks, 7, 1), 42);
	assert_int_equal(nt_switch_stacks_of(stacks, 8, 1), 43);
	assert_int_equal(nt_switch_stacks_of(stacks, 7, 2), 0);
	nt_switch_stacks_set(stacks, 7 + FAR, 100, 1, 44);
	assert_int_equal(nt_switch_stacks_of(stacks, 7 + FAR, 1), 44);
	assert_int_equal(nt_switch_stacks_of(stacks, 7, 1), 0);
	nt_switch_stacks_forget(stacks, 200);
	assert_int_equal(nt_switch_stacks_of(stacks, 8, 1), 0);
	/* It waited to be told while records after it were left out. */
	nt_switch_stacks_set(stacks, 8, 199, 1, 45);
	assert_int_equal(nt_switch_stacks_of(stacks, 8, 1), 0);
	nt_switch_stacks_set(stacks, 8, 200, 1, 46);
	assert_int_equal(nt_switch_stacks_of(stacks, 8, 1), 46);
	nt_switch_stacks_free(stacks);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_stack_is_of_its_thread_and_epoch) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
