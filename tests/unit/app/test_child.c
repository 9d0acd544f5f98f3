// SPDX-License-Identifier: GPL-2.0-only
/* A program of ours: held at the gate, executed, told to end; and what it writes. Real processes, no sleeps: each step is waited for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/child/child.h"
#include "app/child/child_output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { PATIENCE_MS = 20000 };

static struct nt_child *start_program(char **argv, const struct nt_child_output *output)
{
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	const struct nt_child_setup setup = { .argv = argv,
					      .environment = environ,
					      .in = null_fd,
					      .out = output ? nt_child_output_for_out(output) : null_fd,
					      .err = output ? nt_child_output_for_err(output) : null_fd };
	struct nt_child *child = NULL;
	assert_int_equal(nt_child_start(&setup, &child, NULL), NT_OK);
	close(null_fd);
	return child;
}

static struct nt_child *start(const char *command, const struct nt_child_output *output)
{
	static char shell[] = "sh", option[] = "-c";
	char *argv[] = { shell, option, strdup(command), NULL };
	struct nt_child *child = start_program(argv, output);
	free(argv[2]); /* the child has a copy of all memory */
	return child;
}

static void wait_for_end(const struct nt_child *child)
{
	struct pollfd ended = { .fd = nt_child_fd(child), .events = POLLIN };
	assert_int_equal(poll(&ended, 1, PATIENCE_MS), 1);
	assert_true(nt_child_has_ended(child));
}

static void test_status_of_the_program(void **state)
{
	(void)state;
	static const struct {
		const char *command;
		int status;
		const char *text;
	} cases[] = { { "exit 0", 0, "exit status 0" }, { "exit 7", 7, "exit status 7" }, { "kill -KILL $$", 137, "killed by SIGKILL" } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[64];
		struct nt_child *child = start(cases[i].command, NULL);
		assert_false(nt_child_has_ended(child));
		assert_int_equal(nt_child_execute(child, NULL), NT_OK);
		wait_for_end(child);
		assert_int_equal(nt_child_status(child), cases[i].status);
		assert_string_equal(nt_child_end_text(child, text, sizeof(text)), cases[i].text);
		assert_true(nt_child_ended_alone(child));
		nt_child_free(child);
	}
}

static void test_what_cannot_be_executed(void **state)
{
	(void)state;
	static char missing[] = "no-such-program-anywhere", folder[] = "/";
	const struct {
		char *program;
		int status;
		const char *words;
	} cases[] = { { missing, 127, "there is no such program" }, { folder, 126, "Permission denied" } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *argv[] = { cases[i].program, NULL };
		const struct nt_child_setup setup = { .argv = argv, .environment = environ, .in = 0, .out = 1, .err = 2 };
		struct nt_child *child = NULL;
		struct nt_error err = { 0 };
		assert_int_equal(nt_child_start(&setup, &child, &err), NT_OK);
		assert_true(nt_child_execute(child, &err) < 0);
		assert_int_equal(nt_child_status(child), cases[i].status);
		assert_non_null(strstr(err.cause[0], cases[i].program));
		assert_non_null(strstr(err.cause[0], cases[i].words));
		nt_child_free(child);
	}
}

static void test_the_first_signal_is_the_programs(void **state)
{
	(void)state;
	/* No shell between: dash that forks just then keeps the signal until its own child has ended, which did not get it. */
	static char sleep[] = "sleep", seconds[] = "1000";
	char *argv[] = { sleep, seconds, NULL };
	struct nt_child *child = start_program(argv, NULL);
	assert_int_equal(nt_child_execute(child, NULL), NT_OK);
	assert_true(nt_child_interrupt(child, SIGINT));
	assert_false(nt_child_interrupt(child, SIGINT));
	wait_for_end(child);
	assert_int_equal(nt_child_status(child), 128 + SIGINT);
	assert_true(nt_child_ended_alone(child));
	assert_false(nt_child_interrupt(NULL, SIGINT));
	nt_child_free(child);
}

static void test_nettop_ends_first(void **state)
{
	(void)state;
	struct nt_child *child = start("sleep 1000", NULL);
	assert_int_equal(nt_child_execute(child, NULL), NT_OK);
	nt_child_signal(child, SIGSTOP);
	nt_child_end(child); /* works on a stopped one */
	wait_for_end(child);
	assert_int_equal(nt_child_status(child), 128 + SIGTERM);
	assert_false(nt_child_ended_alone(child));
	nt_child_free(child);
}

static void test_held_at_the_gate_it_executes_nothing(void **state)
{
	(void)state;
	char path[] = "/tmp/nt-child.XXXXXX", command[64];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	snprintf(command, sizeof(command), "rm %s", path);
	struct nt_child *child = start(command, NULL);
	nt_child_end(child);
	wait_for_end(child);
	assert_int_equal(access(path, F_OK), 0);
	nt_child_free(child);
	unlink(path);
}

static void read_until_end(struct nt_child_output *output, const struct nt_child *child)
{
	struct pollfd news = { .fd = nt_child_output_fd(output), .events = POLLIN };
	while (!nt_child_has_ended(child)) {
		poll(&news, 1, 10);
		nt_child_output_read(output);
	}
	while (poll(&news, 1, 0) == 1)
		nt_child_output_read(output);
}

static void test_output_goes_into_the_log(void **state)
{
	(void)state;
	struct nt_log *log = nt_log_new();
	struct nt_child_output *output = NULL;
	assert_int_equal(nt_child_output_new(log, &output, NULL), NT_OK);
	/* More than a pipe holds: it would stand still if nobody read. */
	struct nt_child *child = start("echo first; echo second >&2; yes | head -n 100000; printf end", output);
	nt_child_output_given(output);
	assert_int_equal(nt_child_execute(child, NULL), NT_OK);
	read_until_end(output, child);
	assert_int_equal(nt_log_count(log) + nt_log_dropped(log), 100003);
	struct nt_log_line last = nt_log_line(log, nt_log_count(log) - 1);
	assert_string_equal(last.text, "end");
	assert_int_equal(last.kind, NT_LOG_OUTPUT);
	nt_child_free(child);
	nt_child_output_free(output);
	nt_log_free(log);
}

int main(void)
{
	signal(SIGINT, SIG_DFL); /* a shell starts what it does not wait for with SIGINT ignored, and a child inherits that */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_status_of_the_program),
		cmocka_unit_test(test_what_cannot_be_executed),
		cmocka_unit_test(test_the_first_signal_is_the_programs),
		cmocka_unit_test(test_nettop_ends_first),
		cmocka_unit_test(test_held_at_the_gate_it_executes_nothing),
		cmocka_unit_test(test_output_goes_into_the_log),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
