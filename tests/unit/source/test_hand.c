// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "source/common/hand.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

/* Semaphores outlive the errands, as the test does. */
struct errand {
	struct nt_errand errand;
	sem_t *entered;  /* run() tells; NULL = does not */
	sem_t *gate;     /* run() waits for it; NULL = does not wait */
	sem_t *released; /* release() tells */
	int result;
};

static void run(struct nt_errand *errand)
{
	struct errand *self = (struct errand *)errand;
	if (self->entered)
		sem_post(self->entered);
	if (self->gate)
		sem_wait(self->gate);
	self->result = 42;
}

static void release(struct nt_errand *errand)
{
	struct errand *self = (struct errand *)errand;
	sem_t *released = self->released;
	free(self);
	sem_post(released);
}

static struct errand *errand_new(sem_t *gate, sem_t *released)
{
	struct errand *errand = nt_alloc(sizeof(*errand));
	*errand = (struct errand){ .errand = { .run = run, .release = release }, .gate = gate, .released = released };
	return errand;
}

static void wait_for(sem_t *semaphore)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 20;
	assert_int_equal(sem_timedwait(semaphore, &until), 0);
}

struct gates {
	sem_t gate, released;
};

static void open_gates(struct gates *gates)
{
	sem_init(&gates->gate, 0, 0);
	sem_init(&gates->released, 0, 0);
}

static void test_errands_come_back(void **state)
{
	(void)state;
	struct gates gates;
	open_gates(&gates);
	struct nt_hand *hand = nt_hand_new();
	for (int i = 0; i < 100; i++) {
		struct errand *errand = errand_new(NULL, &gates.released);
		assert_int_equal(nt_hand_do(hand, &errand->errand, 20 * NT_NS_PER_S), NT_OK);
		assert_int_equal(errand->result, 42);
		release(&errand->errand);
	}
	nt_hand_free(hand);
}

static void test_one_that_hangs_is_abandoned_and_the_next_goes_on(void **state)
{
	(void)state;
	struct gates gates;
	open_gates(&gates);
	struct nt_hand *hand = nt_hand_new();
	nt_time before = nt_clock_now();
	assert_int_equal(nt_hand_do(hand, &errand_new(&gates.gate, &gates.released)->errand, 20 * NT_NS_PER_MS), NT_ERR_TIMEOUT);
	assert_true(nt_clock_now() - before >= 20 * NT_NS_PER_MS);

	struct errand *next = errand_new(NULL, &gates.released);
	assert_int_equal(nt_hand_do(hand, &next->errand, 20 * NT_NS_PER_S), NT_OK);
	release(&next->errand);
	wait_for(&gates.released);

	sem_post(&gates.gate); /* the file answers at last: what hung frees itself */
	wait_for(&gates.released);
	nt_hand_free(hand);
}

static void test_no_more_threads_than_the_limit(void **state)
{
	(void)state;
	struct gates gates;
	open_gates(&gates);
	struct nt_hand *hand = nt_hand_new();
	/* A thread that is given up before it has begun does not hang, and comes back: so count those that hang. */
	sem_t entered;
	sem_init(&entered, 0, 0);
	int hanging = 0, tried = 0;
	for (; hanging < NT_HAND_ABANDONED_MAX; tried++) {
		struct errand *errand = errand_new(&gates.gate, &gates.released);
		errand->entered = &entered;
		assert_int_equal(nt_hand_do(hand, &errand->errand, 10 * NT_NS_PER_MS), NT_ERR_TIMEOUT);
		sem_getvalue(&entered, &hanging);
	}
	nt_time before = nt_clock_now();
	assert_int_equal(nt_hand_do(hand, &errand_new(NULL, &gates.released)->errand, 60 * NT_NS_PER_S), NT_ERR_TIMEOUT);
	assert_true(nt_clock_now() - before < 30 * NT_NS_PER_S); /* refused, not waited for */

	for (int i = 0; i < NT_HAND_ABANDONED_MAX; i++)
		sem_post(&gates.gate);
	for (int i = 0; i < tried + 1; i++)
		wait_for(&gates.released);
	/* They release before they sign off. */
	enum nt_status status = NT_ERR_TIMEOUT;
	for (nt_time until = nt_clock_now() + 20 * NT_NS_PER_S; status != NT_OK && nt_clock_now() < until;) {
		struct errand *errand = errand_new(NULL, &gates.released);
		status = nt_hand_do(hand, &errand->errand, 20 * NT_NS_PER_S);
		if (status == NT_OK)
			release(&errand->errand);
	}
	assert_int_equal(status, NT_OK);
	nt_hand_free(hand);
}

static void *cancel_soon(void *argument)
{
	const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };
	nanosleep(&pause, NULL); /* not for order: it is right whichever comes first */
	nt_hand_cancel(argument);
	return NULL;
}

static void test_cancel_ends_the_wait(void **state)
{
	(void)state;
	struct gates gates;
	open_gates(&gates);
	struct nt_hand *hand = nt_hand_new();
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, cancel_soon, hand), 0);
	nt_time before = nt_clock_now();
	assert_int_equal(nt_hand_do(hand, &errand_new(&gates.gate, &gates.released)->errand, 60 * NT_NS_PER_S), NT_END);
	assert_true(nt_clock_now() - before < 30 * NT_NS_PER_S);
	pthread_join(thread, NULL);
	assert_int_equal(nt_hand_do(hand, &errand_new(NULL, &gates.released)->errand, NT_NS_PER_S), NT_END);
	wait_for(&gates.released);
	nt_hand_free(hand); /* while a thread still hangs */
	sem_post(&gates.gate);
	wait_for(&gates.released);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errands_come_back),
		cmocka_unit_test(test_one_that_hangs_is_abandoned_and_the_next_goes_on),
		cmocka_unit_test(test_no_more_threads_than_the_limit),
		cmocka_unit_test(test_cancel_ends_the_wait),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
