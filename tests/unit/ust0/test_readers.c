// SPDX-License-Identifier: GPL-2.0-only
/*
 * Entering and leaving call sites, against LTTng's own word on whether a thread is inside. In this order: what is given to readers.c stays.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ust0/readers.h"
#include "ust0/ust1.h"

#include <pthread.h>
#include <stdbool.h>

void tp_rcu_read_lock_bp(void);
void tp_rcu_read_unlock_bp(void);

static int locks, unlocks;

static void count_lock(void)
{
	locks++;
}

static void count_unlock(void)
{
	unlocks++;
}

static struct {
	void (*lock)(void), (*unlock)(void);
	int (*is_inside)(void);
	void (*wait)(void);
	const int *has_membarrier;
} lttng;

static bool has_lttng(void)
{
	const struct ust1_function functions[] = {
		{ "lttng_ust_urcu_read_lock", &lttng.lock },
		{ "lttng_ust_urcu_read_unlock", &lttng.unlock },
		{ "lttng_ust_urcu_read_ongoing", &lttng.is_inside },
		{ "lttng_ust_urcu_synchronize_rcu", &lttng.wait },
		{ "lttng_ust_urcu_has_sys_membarrier", &lttng.has_membarrier },
	};
	return ust1_open(UST1_COMMON, functions, sizeof(functions) / sizeof(*functions));
}

static void test_nothing_is_called_before(void **state)
{
	(void)state;
	tp_rcu_read_lock_bp();
	tp_rcu_read_unlock_bp();
}

// What is given does not do to the reader what is inlined, as a later LTTng might not: it must go on being called.
static void test_functions_that_do_something_else_are_called(void **state)
{
	(void)state;
	(void)has_lttng();
	ust0_readers_call(count_lock, count_unlock);
	ust0_readers_inline();
	locks = unlocks = 0;
	tp_rcu_read_lock_bp();
	assert_int_equal(locks, 1);
	assert_int_equal(unlocks, 0);
	tp_rcu_read_unlock_bp();
	assert_int_equal(unlocks, 1);
}

static void lttng_lock(void)
{
	locks++;
	lttng.lock();
}

static void enter_and_leave(void)
{
	for (int i = 0; i < 3; i++) {
		tp_rcu_read_lock_bp();
		assert_true(lttng.is_inside());
		tp_rcu_read_lock_bp(); // a signal handler's event
		lttng.lock();          // an event of another module
		lttng.unlock();
		assert_true(lttng.is_inside());
		tp_rcu_read_unlock_bp();
		assert_true(lttng.is_inside());
		tp_rcu_read_unlock_bp();
		assert_false(lttng.is_inside());
	}
}

static void *in_a_thread(void *unused)
{
	enter_and_leave();
	return unused;
}

static void test_inlined_is_what_lttng_does(void **state)
{
	(void)state;
	if (!has_lttng())
		skip();
	ust0_readers_call(lttng_lock, lttng.unlock);
	ust0_readers_inline();
	enter_and_leave();
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, in_a_thread, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	lttng.wait(); // nobody is inside: it returns
	const int before = locks;
	enter_and_leave();
	if (*lttng.has_membarrier)
		assert_int_equal(locks, before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_called_before),
		cmocka_unit_test(test_functions_that_do_something_else_are_called),
		cmocka_unit_test(test_inlined_is_what_lttng_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
