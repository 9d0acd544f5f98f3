// SPDX-License-Identifier: GPL-2.0-only
/* A process whose main thread never comes back to its loop ends all the same when it is told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/loop/guard.h"
#include "app/loop/loop.h"
#include "app/loop/signals.h"
#include "nettop/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNFINISHED = 5, LIMIT_MS = 2000, SLACK_MS = 3000 /* of a loaded machine */ };

/* What the main thread does with its life; `child`: the program that signals are for. */
typedef void (*life)(struct nt_keeper *keeper, pid_t child);

static char folder[64];
static int line[2]; /* a pipe */

static void hang(struct nt_keeper *keeper, pid_t child)
{
	(void)keeper;
	(void)child;
	for (volatile unsigned long turns = 0;; turns++)
		;
}

/* It has nothing to show for before its end. */
static void hang_at_work(struct nt_keeper *keeper, pid_t child)
{
	nt_guard_unfinished(UNFINISHED);
	hang(keeper, child);
}

/* It takes the signal, and then hangs in its end. */
static void hang_at_the_end(struct nt_keeper *keeper, pid_t child)
{
	struct nt_loop *loop;
	if (nt_loop_new(&loop, NULL) != NT_OK)
		_exit(99);
	while (!nt_signals_ends(nt_loop_signal(loop)))
		nt_loop_wait(loop);
	hang(keeper, child);
}

/* Its line takes as long as the guard has patience, and a little more. */
static void hang_after_a_line(struct nt_keeper *keeper, pid_t child)
{
	sigset_t waiting;
	nt_guard_line_begins();
	do
		sigpending(&waiting);
	while (!sigismember(&waiting, SIGTERM));
	poll(NULL, 0, NT_GUARD_END_MS + 20);
	if (write(line[1], "whole", 5) != 5)
		_exit(99);
	nt_guard_line_ends();
	hang(keeper, child);
}

/* Nobody reads its line. */
static void hang_in_a_line(struct nt_keeper *keeper, pid_t child)
{
	nt_guard_line_begins();
	hang(keeper, child);
}

static void end_well(struct nt_keeper *keeper, pid_t child)
{
	struct nt_loop *loop;
	(void)child;
	if (nt_loop_new(&loop, NULL) != NT_OK)
		_exit(99);
	while (!nt_signals_ends(nt_loop_signal(loop)))
		nt_loop_wait(loop);
	nt_guard_stop();
	nt_keeper_end(keeper);
	_exit(7);
}

/* The signal is the program's, and its end takes longer than the guard has patience. */
static void wait_for_the_program(struct nt_keeper *keeper, pid_t child)
{
	struct nt_loop *loop;
	if (nt_loop_new(&loop, NULL) != NT_OK)
		_exit(99);
	while (!nt_signals_ends(nt_loop_signal(loop)))
		nt_loop_wait(loop);
	kill(child, SIGTERM);
	waitpid(child, NULL, 0);
	nt_guard_stop();
	nt_keeper_end(keeper);
	_exit(8);
}

/* A program of its own group that ends `linger_ms` after SIGTERM. */
static pid_t start_program(int linger_ms)
{
	pid_t pid = fork();
	if (pid == 0) {
		sigset_t set;
		int signal;
		setpgid(0, 0);
		sigemptyset(&set);
		sigaddset(&set, SIGTERM);
		sigwait(&set, &signal);
		poll(NULL, 0, linger_ms);
		_exit(0);
	}
	setpgid(pid, pid);
	return pid;
}

/* Returns the wait status of a process that lives so and gets a SIGTERM; *took_ms from that to its end. */
static int end_of(life live, int linger_ms, unsigned *took_ms)
{
	int ready[2], status;
	char byte;
	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct nt_keeper *keeper;
		nt_signals_block();
		pid_t child = linger_ms < 0 ? 0 : start_program(linger_ms);
		if (nt_keeper_start(-1, &keeper, NULL) != NT_OK || nt_guard_start(keeper, child, NULL) != NT_OK)
			_exit(98);
		nt_keeper_note(keeper, "remove-dir", folder);
		if (write(ready[1], "", 1) != 1)
			_exit(97);
		live(keeper, child);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	nt_time began = nt_clock_now();
	kill(pid, SIGTERM);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*took_ms = (unsigned)((nt_clock_now() - began) / NT_NS_PER_MS);
	return status;
}

static void make_folder(void)
{
	snprintf(folder, sizeof(folder), "/tmp/nettop-guard-%d", (int)getpid());
	mkdir(folder, 0700);
}

static void assert_undone(void)
{
	nt_time deadline = nt_clock_now() + SLACK_MS * NT_NS_PER_MS;
	while (access(folder, F_OK) == 0 && nt_clock_now() < deadline)
		poll(NULL, 0, 5);
	assert_int_not_equal(access(folder, F_OK), 0);
}

static void test_hangs(void **state)
{
	(void)state;
	static const life lives[] = { hang, hang_at_the_end, hang_at_work, hang_in_a_line };
	static const int statuses[] = { 0, 0, UNFINISHED, 0 };
	for (size_t i = 0; i < sizeof(lives) / sizeof(lives[0]); i++) {
		unsigned took_ms;
		make_folder();
		int status = end_of(lives[i], -1, &took_ms);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), statuses[i]);
		assert_true(took_ms < LIMIT_MS + SLACK_MS);
		assert_undone();
	}
}

/* Three tries, for the writer may get no CPU in the moment that the guard waits for it. */
static void test_a_line_is_whole(void **state)
{
	(void)state;
	char text[8];
	ssize_t got = 0;
	for (int i = 0; i < 3 && got == 0; i++) {
		unsigned took_ms;
		make_folder();
		assert_int_equal(pipe2(line, O_NONBLOCK), 0);
		int status = end_of(hang_after_a_line, -1, &took_ms);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
		assert_undone();
		close(line[1]);
		got = read(line[0], text, sizeof(text));
		close(line[0]);
	}
	assert_int_equal(got, 5);
}

static void test_ends_well(void **state)
{
	(void)state;
	unsigned took_ms;
	make_folder();
	int status = end_of(end_well, -1, &took_ms);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_undone();
}

static void test_a_program_goes_first(void **state)
{
	(void)state;
	unsigned took_ms;
	make_folder();
	int status = end_of(wait_for_the_program, LIMIT_MS + 500, &took_ms);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 8);
	assert_undone();
	/* Told by the guard, because nobody else does. */
	make_folder();
	status = end_of(hang, 0, &took_ms);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 128 + SIGTERM);
	assert_undone();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hangs),
		cmocka_unit_test(test_a_line_is_whole),
		cmocka_unit_test(test_ends_well),
		cmocka_unit_test(test_a_program_goes_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
