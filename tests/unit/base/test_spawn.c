// SPDX-License-Identifier: GPL-2.0-only
/* A program behind a gate. What its users do with one is in the tests of `source` and `app`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/spawn.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail_with(const void *context, int keep_fd)
{
	(void)keep_fd;
	return *(const int *)context;
}

static struct nt_spawn start(char *program, const int *prepared)
{
	static char exit_3[] = "exit 3", option[] = "-c";
	char *const argv[] = { program, option, exit_3, NULL };
	const struct nt_spawn_setup setup = { .argv = argv, .environment = environ, .prepare = fail_with, .context = prepared };
	struct nt_spawn spawn;
	assert_int_equal(nt_spawn_start(&setup, &spawn), 0);
	assert_int_equal(waitpid(spawn.pid, NULL, WNOHANG), 0); /* it waits */
	return spawn;
}

static int status_of(const struct nt_spawn *spawn)
{
	int status;
	assert_int_equal(waitpid(spawn->pid, &status, 0), spawn->pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void test_executed_or_why_not(void **state)
{
	(void)state;
	static char shell[] = "sh", missing[] = "no-such-program-anywhere", folder[] = "/";
	const struct {
		char *program;
		int prepared, error, status;
	} cases[] = { { shell, 0, 0, 3 },
		      { missing, 0, ENOENT, NT_SPAWN_NOT_FOUND },
		      { folder, 0, EACCES, NT_SPAWN_NOT_EXECUTED },
		      { shell, EMFILE, EMFILE, NT_SPAWN_NOT_EXECUTED } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_spawn spawn = start(cases[i].program, &cases[i].prepared);
		assert_int_equal(nt_spawn_execute(&spawn), cases[i].error);
		assert_int_equal(status_of(&spawn), cases[i].status);
		nt_spawn_close(&spawn); /* once more is nothing */
	}
}

static void test_without_the_word(void **state)
{
	(void)state;
	static char shell[] = "sh";
	const int nothing = 0;
	struct nt_spawn spawn = start(shell, &nothing);
	nt_spawn_close(&spawn);
	assert_int_equal(status_of(&spawn), NT_SPAWN_NOT_EXECUTED);
}

static void test_killed_before_the_word(void **state)
{
	(void)state;
	static char shell[] = "sh";
	const int nothing = 0;
	signal(SIGPIPE, SIG_IGN);
	struct nt_spawn spawn = start(shell, &nothing);
	siginfo_t info;
	kill(spawn.pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)spawn.pid, &info, WEXITED), 0);
	assert_int_equal(nt_spawn_execute(&spawn), EPIPE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_executed_or_why_not),
		cmocka_unit_test(test_without_the_word),
		cmocka_unit_test(test_killed_before_the_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
