// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/wait_status.h"

#include <signal.h>
#include <unistd.h>

static void test_words(void **state)
{
	(void)state;
	static const struct {
		int status;
		const char *text;
	} cases[] = { { W_EXITCODE(0, 0), "exit status 0" },
		      { W_EXITCODE(3, 0), "exit status 3" },
		      { SIGKILL, "killed by SIGKILL" },
		      { SIGABRT | WCOREFLAG, "killed by SIGABRT" },
		      { 64, "killed by signal 64" } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char buf[64];
		assert_string_equal(nt_wait_status_text(cases[i].status, buf, sizeof(buf)), cases[i].text);
	}
}

static void test_of_a_child(void **state)
{
	(void)state;
	int peeked, collected;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		pause();
		_exit(1);
	}
	assert_false(nt_wait_status_peek(P_PID, (id_t)child, &peeked));
	kill(child, SIGTERM);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	assert_true(nt_wait_status_peek(P_PID, (id_t)child, &peeked));
	assert_int_equal(waitpid(child, &collected, 0), child); /* it was left */
	assert_int_equal(peeked, collected);
	assert_false(nt_wait_status_peek(P_PID, (id_t)getpid(), &peeked)); /* no child of ours */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_words), cmocka_unit_test(test_of_a_child) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
