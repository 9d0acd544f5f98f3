// SPDX-License-Identifier: GPL-2.0-only
/* Threads of ours: who takes signals, and how much stack they have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/thread.h"

#include <signal.h>
#include <stdbool.h>

struct seen {
	bool taken; /* some signal would reach it */
	size_t stack_bytes;
};

static void *look(void *argument)
{
	struct seen *seen = argument;
	sigset_t mask;
	pthread_attr_t attributes;
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	for (int signal = 1; signal < 32; signal++)
		seen->taken |= signal != SIGKILL && signal != SIGSTOP && !sigismember(&mask, signal);
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstacksize(&attributes, &seen->stack_bytes);
	pthread_attr_destroy(&attributes);
	return NULL;
}

static struct seen seen_by_thread(size_t stack_bytes)
{
	struct seen seen = { 0 };
	pthread_t thread;
	assert_int_equal(nt_thread_start(&thread, stack_bytes, look, &seen), 0);
	pthread_join(thread, NULL);
	return seen;
}

static void test_takes_no_signal(void **state)
{
	sigset_t mask;
	(void)state;
	assert_false(seen_by_thread(0).taken);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	assert_false(sigismember(&mask, SIGTERM)); /* who started it still does */
}

static void test_stack(void **state)
{
	(void)state;
	assert_int_equal(seen_by_thread(256 << 10).stack_bytes, 256 << 10);
	assert_true(seen_by_thread(0).stack_bytes > 256 << 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_takes_no_signal), cmocka_unit_test(test_stack) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
