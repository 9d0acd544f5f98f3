// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process to be watched, with threads of chosen kinds:  threads BUSY IDLE CHURNING [DEPTH [PAIRS]]
 * BUSY threads burn CPU, each with DEPTH frames on its stack; IDLE threads sleep; each CHURNING thread starts and joins short threads all the time; each of the two threads of
 * a PAIR waits for the other one all the time, as those of a server do.
 * Prints "ready" once all are there. Ends with its standard input, or with its parent.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { STACK_BYTES = 128 * 1024, FLASH_TURNS = 200 * 1000, CHURN_REST_US = 2000, PASS_TURNS = 2000, PAIRS_MAX = 16 };

static volatile uint64_t turns;

static volatile bool for_ever = true;

/* Not a tail call: the addition comes after it. */
static __attribute__((noinline)) uint64_t descend(unsigned depth)
{
	if (depth > 1)
		return descend(depth - 1) + turns;
	while (for_ever)
		turns = turns + 1;
	return turns;
}

static void *burn(void *argument)
{
	descend(*(unsigned *)argument);
	return NULL;
}

static void *rest(void *argument)
{
	pause();
	return argument;
}

static void *flash(void *argument)
{
	for (int i = 0; i < FLASH_TURNS; i++)
		turns = turns + 1;
	return argument;
}

static void *churn(void *argument)
{
	for (;;) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, flash, argument) == 0)
			pthread_join(thread, NULL);
		usleep(CHURN_REST_US);
	}
	return NULL;
}

/* Hand a byte to the other one, and wait for it. The pipes: one for each direction. */
static void *pass(void *argument)
{
	const int *ends = argument;
	char c = 0;
	while (write(ends[1], &c, 1) == 1 && read(ends[0], &c, 1) == 1)
		for (int i = 0; i < PASS_TURNS; i++)
			turns = turns + 1;
	return NULL;
}

static void start(int count, void *(*run)(void *), void *argument)
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (int i = 0; i < count; i++) {
		pthread_t thread;
		if (pthread_create(&thread, &attr, run, argument) != 0) {
			perror("threads: pthread_create");
			exit(1);
		}
	}
}

static void start_pairs(int count)
{
	static int ends[PAIRS_MAX][2][2];
	for (int i = 0; i < count && i < PAIRS_MAX; i++) {
		int there[2], back[2];
		if (pipe(there) != 0 || pipe(back) != 0) {
			perror("threads: pipe");
			exit(1);
		}
		ends[i][0][0] = back[0], ends[i][0][1] = there[1];
		ends[i][1][0] = there[0], ends[i][1][1] = back[1];
		start(1, pass, ends[i][0]);
		start(1, pass, ends[i][1]);
	}
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fputs("usage: threads BUSY IDLE CHURNING [DEPTH [PAIRS]]\n", stderr);
		return 2;
	}
	unsigned depth = argc > 4 ? (unsigned)atoi(argv[4]) : 1;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	start(atoi(argv[2]), rest, NULL);
	start(atoi(argv[1]), burn, &depth);
	start(atoi(argv[3]), churn, NULL);
	start_pairs(argc > 5 ? atoi(argv[5]) : 0);
	puts("ready");
	fflush(stdout);
	for (char c; read(STDIN_FILENO, &c, 1) == 1;)
		;
	return 0;
}
