// SPDX-License-Identifier: GPL-2.0-only
/* Looks beside the main thread: one for each time it is asked, and an end that waits for nobody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "source/processes/process_watch.h"

#include <fcntl.h>
#include <poll.h>

enum { PATIENCE_MS = 30000 };

static void make_process(const struct fake_proc *proc, unsigned pid)
{
	fake_proc_stat(proc, pid, "stat", &(struct fake_stat){ .id = pid, .comm = "Shop", .state = 'S', .start_ticks = 100 });
	fake_proc_text(proc, pid, "status", "Name:\tShop\n");
	fake_proc_text(proc, pid, "cmdline", "Shop");
	fake_proc_text(proc, pid, "maps",
		       "7f0000000000-7f0000600000 r-xp 00000000 08:01 9 /opt/Microsoft.NETCore.App/10.0.1/libcoreclr.so\n");
	fake_proc_text(proc, pid, "environ", "");
}

static bool is_readable(const struct nt_process_watch *watch, int wait_ms)
{
	struct pollfd fd = { .fd = nt_process_watch_fd(watch), .events = POLLIN };
	return poll(&fd, 1, wait_ms) == 1;
}

static void test_a_look_for_each_question(void **state)
{
	const struct fake_proc *proc = *state;
	struct nt_process_watch *watch;
	struct nt_process_scan_result result;
	make_process(proc, 11);
	assert_int_equal(nt_process_watch_new(proc->root, 0, false, NULL, &watch, NULL), NT_OK);
	assert_int_equal(nt_process_watch_take(watch, &result, NULL), NT_AGAIN);
	for (int i = 0; i < 3; i++) {
		nt_process_watch_ask(watch);
		assert_true(is_readable(watch, PATIENCE_MS));
		assert_int_equal(nt_process_watch_take(watch, &result, NULL), NT_OK);
		assert_int_equal(result.count, 1);
		assert_int_equal(result.rows[0].pid, 11);
		assert_false(is_readable(watch, 0));
		assert_int_equal(nt_process_watch_take(watch, &result, NULL), NT_AGAIN);
	}
	nt_process_watch_free(watch);
}

static void test_an_error_is_told(void **state)
{
	(void)state;
	struct nt_process_watch *watch;
	struct nt_process_scan_result result;
	struct nt_error err = { 0 };
	assert_int_equal(nt_process_watch_new("/nonexistent", 0, false, NULL, &watch, NULL), NT_OK);
	nt_process_watch_ask(watch);
	assert_true(is_readable(watch, PATIENCE_MS));
	assert_int_equal(nt_process_watch_take(watch, &result, &err), NT_ERR_FAILED);
	assert_non_null(strstr(err.cause[0], "/nonexistent"));
	nt_process_watch_free(watch);
}

/* Freed while a process holds it up. */
static void test_an_end_in_the_middle(void **state)
{
	const struct fake_proc *proc = *state;
	struct nt_process_watch *watch;
	make_process(proc, 12);
	char *path = nt_format("%s/12/maps", proc->root);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0644), 0);
	assert_int_equal(nt_process_watch_new(proc->root, 0, false, NULL, &watch, NULL), NT_OK);
	nt_process_watch_ask(watch);
	nt_process_watch_free(watch);
	/* Lets go whoever waits in open(); nobody does when the end came before the look. */
	int fd = open(path, O_WRONLY | O_NONBLOCK);
	if (fd >= 0)
		close(fd);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_look_for_each_question, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test(test_an_error_is_told),
		cmocka_unit_test_setup_teardown(test_an_end_in_the_middle, fake_proc_setup, fake_proc_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
