// SPDX-License-Identifier: GPL-2.0-only
/* Starting a daemon: it is noted before it can do anything, so that it cannot be left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/lttng/lttng_child.h"

#include "base/spawn.h"
#include "nettop/clock.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000 };

struct noted {
	struct nt_lttng_process child;
	char program[PATH_MAX]; /* that it ran when it was noted */
	int tell_fd;            /* where to write its pid; 0 = nowhere */
};

static void read_program(uint32_t pid, char program[PATH_MAX])
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%u/exe", pid);
	ssize_t length = readlink(path, program, PATH_MAX - 1);
	program[length > 0 ? length : 0] = '\0';
}

static void note(void *context, const struct nt_lttng_process *child)
{
	struct noted *noted = context;
	noted->child = *child;
	read_program(child->pid, noted->program);
}

static void test_noted_before_it_runs(void **state)
{
	(void)state;
	const char *const argv[] = { "/bin/sleep", "60", NULL };
	struct noted noted = { 0 };
	const struct nt_lttng_child_setup setup = { .argv = argv, .note = note, .note_context = &noted };
	struct nt_lttng_process child;
	char ours[PATH_MAX], program[PATH_MAX], how[64];
	assert_int_equal(nt_lttng_child_start(&setup, &child, NULL), NT_OK);
	read_program((uint32_t)getpid(), ours);
	assert_string_equal(noted.program, ours);
	assert_int_equal(noted.child.pid, child.pid);
	assert_true(child.start_ticks != 0);
	assert_true(noted.child.start_ticks == child.start_ticks);
	read_program(child.pid, program);
	assert_non_null(strstr(program, "/sleep"));
	assert_true(nt_lttng_process_alive(&child));
	assert_false(nt_lttng_child_ended(&child, how, sizeof(how)));
	nt_lttng_child_kill(&child);
	assert_false(nt_lttng_process_alive(&child));
}

static void test_a_program_that_cannot_run(void **state)
{
	(void)state;
	const char *const argv[] = { "/no/such/lttng-sessiond", NULL };
	struct noted noted = { 0 };
	const struct nt_lttng_child_setup setup = { .argv = argv, .note = note, .note_context = &noted };
	struct nt_lttng_process child;
	struct nt_error err = { 0 };
	assert_int_equal(nt_lttng_child_start(&setup, &child, &err), NT_ERR_FAILED);
	assert_string_equal(err.cause[0], "cannot start /no/such/lttng-sessiond: No such file or directory");
	assert_int_equal(child.pid, 0);
	assert_true(noted.child.pid != 0); /* the caller takes the note back */
	assert_false(nt_lttng_process_alive(&noted.child));
}

static void tell_and_hang(void *context, const struct nt_lttng_process *child)
{
	const struct noted *noted = context;
	if (write(noted->tell_fd, &child->pid, sizeof(child->pid)) != sizeof(child->pid))
		_exit(1);
	for (;;)
		pause();
}

/* nettop is killed between the fork and the note: the program must not run. */
static void test_nobody_is_left_behind(void **state)
{
	(void)state;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	pid_t nettop = fork();
	assert_true(nettop >= 0);
	if (nettop == 0) {
		const char *const argv[] = { "/bin/sleep", "60", NULL };
		struct noted noted = { .tell_fd = ends[1] };
		const struct nt_lttng_child_setup setup = { .argv = argv, .note = tell_and_hang, .note_context = &noted };
		struct nt_lttng_process child;
		nt_lttng_child_start(&setup, &child, NULL);
		_exit(1);
	}
	uint32_t child = 0;
	assert_int_equal(read(ends[0], &child, sizeof(child)), sizeof(child));
	kill(nettop, SIGKILL);
	assert_int_equal(waitpid(nettop, NULL, 0), nettop);
	int status = 0;
	nt_time deadline = nt_clock_now() + PATIENCE_MS * NT_NS_PER_MS;
	pid_t got;
	while ((got = waitpid((pid_t)child, &status, WNOHANG)) == 0 && nt_clock_now() < deadline)
		poll(NULL, 0, 1);
	assert_int_equal(got, (pid_t)child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == NT_SPAWN_NOT_EXECUTED);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_noted_before_it_runs),
		cmocka_unit_test(test_a_program_that_cannot_run),
		cmocka_unit_test(test_nobody_is_left_behind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
