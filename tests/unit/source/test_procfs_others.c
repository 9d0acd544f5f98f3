// SPDX-License-Identifier: GPL-2.0-only
/* Who else uses the CPUs, in a /proc of the test: processes of one name together, without the watched one, between two looks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "source/procfs/procfs_others.h"

enum { WATCHED = 7 };

static void process(const struct fake_proc *root, unsigned pid, const char *name, unsigned start, unsigned ticks)
{
	char *path = nt_format("%u/stat", pid);
	char *text = nt_format("%u (%s) R 1 1 1 0 -1 0 0 0 0 0 %u 0 0 0 20 0 1 0 %u 1 1 1\n", pid, name, ticks, start);
	fake_proc_file(root, path, text, strlen(text));
	free(text);
	free(path);
}

/* A whole look, whenever it may be. */
static void look(struct nt_procfs_others *others, int dir_fd)
{
	nt_time before = others->before_time;
	others->next_look = 0;
	while (others->before_time == before)
		nt_procfs_others_step(others, dir_fd, WATCHED, true, nt_clock_now());
}

static void test_names(void **state)
{
	const struct fake_proc *root = *state;
	struct nt_procfs_others others = { 0 };
	process(root, WATCHED, "shop", 1, 100);
	process(root, 8, "idle", 1, 100);
	for (unsigned pid = 100; pid < 120; pid++)
		process(root, pid, "worker", 1, 50);
	process(root, 200, "single", 1, 0);
	process(root, 201, "gone", 1, 0);
	char *folder = nt_format("%s/%d", root->root, WATCHED);
	int dir_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	look(&others, dir_fd);
	assert_int_equal(others.worst.over_ns, 0); /* one look says nothing */
	process(root, WATCHED, "shop", 1, 9000);
	for (unsigned pid = 100; pid < 120; pid++)
		process(root, pid, "worker", 1, pid < 115 ? 54 : 50);
	process(root, 200, "single", 1, 59);
	process(root, 201, "gone", 2, 5000); /* another one of that pid: since when it used that nobody knows */
	look(&others, dir_fd);
	assert_string_equal(others.worst.name, "worker");
	assert_int_equal(others.worst.count, 15);
	assert_int_equal(others.worst.used_ns, 60 * NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
	assert_true(others.worst.over_ns > 0);
	nt_procfs_others_step(&others, dir_fd, WATCHED, false, 0);
	assert_int_equal(others.worst.over_ns, 0);
	nt_procfs_others_fini(&others);
	close(dir_fd);
	free(folder);
}

static void test_nothing_there(void **state)
{
	const struct fake_proc *root = *state;
	struct nt_procfs_others others = { 0 };
	fake_proc_file(root, "7/stat", "", 0);
	fake_proc_file(root, "9/stat", "nonsense", 8);
	fake_proc_file(root, "99999999999/stat", "", 0);
	char *folder = nt_format("%s/7", root->root);
	int dir_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	look(&others, dir_fd);
	look(&others, dir_fd);
	assert_int_equal(others.worst.over_ns, 0);
	nt_procfs_others_fini(&others);
	nt_procfs_others_step(&others, -1, WATCHED, true, 0);
	nt_procfs_others_fini(&others);
	close(dir_fd);
	free(folder);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_nothing_there, fake_proc_setup, fake_proc_teardown),
	};
	return cmocka_run_group_tests_name("source/procfs_others", tests, NULL, NULL);
}
