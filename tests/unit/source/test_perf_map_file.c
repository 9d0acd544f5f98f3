// SPDX-License-Identifier: GPL-2.0-only
/* Which perf map a runtime writes is told by what it has open: here the test itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "target/process/perf_map_file.h"

static const struct nt_target target = {
	.pid = 17,
	.ns_pid = 17,
	.name = (char *)(uintptr_t) "App",
	.proc_dir = (char *)(uintptr_t) "/proc/self",
};

/* It has root/name open as long as the descriptor is. */
static int open_in(const struct fake_proc *root, const char *name)
{
	char path[96];
	fake_proc_file(root, name, "", 0);
	snprintf(path, sizeof(path), "%s/%s", root->root, name);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

static void test_on_and_off(void **state)
{
	struct fake_proc *root = *state;
	struct nt_perf_map_file file;
	struct stat stat;
	int others = open_in(root, "perf-170.map"), longer = open_in(root, "old-perf-17.map");
	assert_int_equal(nt_perf_map_find(&target, &file, NULL), NT_END);
	int map = open_in(root, "perf-17.map");
	assert_int_equal(nt_perf_map_find(&target, &file, NULL), NT_OK);
	assert_int_equal(fstat(map, &stat), 0);
	assert_true(file.device == stat.st_dev && file.inode == stat.st_ino);
	close(map);
	assert_int_equal(nt_perf_map_find(&target, &file, NULL), NT_END);
	close(others);
	close(longer);
}

static void test_removed_but_on(void **state)
{
	struct fake_proc *root = *state;
	struct nt_perf_map_file file, again;
	char path[96];
	int map = open_in(root, "perf-17.map"), folder = open(root->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(nt_perf_map_find(&target, &file, NULL), NT_OK);
	/* Somebody else's file in its place stays. */
	snprintf(path, sizeof(path), "%s/perf-17.map", root->root);
	assert_int_equal(unlink(path), 0);
	fake_proc_file(root, "perf-17.map", "other", 5);
	assert_int_equal(nt_perf_map_remove(folder, "perf-17.map", &file, getuid(), getgid()), NT_END);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(nt_perf_map_find(&target, &again, NULL), NT_OK);
	assert_true(again.inode == file.inode);
	close(map);
	close(folder);
}

static void test_removed(void **state)
{
	struct fake_proc *root = *state;
	struct nt_perf_map_file file;
	char path[96];
	int map = open_in(root, "perf-17.map"), folder = open(root->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	snprintf(path, sizeof(path), "%s/perf-17.map", root->root);
	assert_int_equal(nt_perf_map_find(&target, &file, NULL), NT_OK);
	assert_int_equal(nt_perf_map_remove(folder, "perf-17.map", &file, getuid(), getgid()), NT_OK);
	assert_int_equal(access(path, F_OK), -1);
	close(map);
	close(folder);
}

/* Removed with the rights of the target's user: who may not, and whose file it is not, removes nothing. */
static void test_removed_as_somebody(void **state)
{
	struct fake_proc *root = *state;
	struct nt_perf_map_file file;
	char path[96];
	enum { USER = 54321, STRANGER = 54322 };
	if (geteuid() != 0) {
		print_message("skipped: only root can be somebody else\n");
		return;
	}
	int map = open_in(root, "perf-17.map"), folder = open(root->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	snprintf(path, sizeof(path), "%s/perf-17.map", root->root);
	assert_int_equal(nt_perf_map_find(&target, &file, NULL), NT_OK);
	assert_int_equal(chmod(root->root, 01777), 0);
	assert_int_equal(chown(path, STRANGER, STRANGER), 0);
	assert_int_equal(nt_perf_map_remove(folder, "perf-17.map", &file, USER, USER), NT_END);
	assert_int_equal(nt_perf_map_remove(folder, "perf-17.map", &file, 0, 0), NT_END);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(chmod(root->root, 0755), 0); /* his file, not his folder */
	assert_int_equal(nt_perf_map_remove(folder, "perf-17.map", &file, STRANGER, STRANGER), NT_ERR_FAILED);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(chmod(root->root, 01777), 0);
	assert_int_equal(nt_perf_map_remove(folder, "perf-17.map", &file, STRANGER, STRANGER), NT_OK);
	assert_int_equal(access(path, F_OK), -1);
	close(map);
	close(folder);
}

/* Written before the process began, and not open: a clock that was set since then makes any file look old. */
static void test_of_an_earlier_process(void **state)
{
	int map = open_in(*state, "perf-17.map");
	struct stat stat;
	assert_int_equal(fstat(map, &stat), 0);
	int64_t written = (int64_t)stat.st_mtim.tv_sec * (int64_t)NT_NS_PER_S + (int64_t)stat.st_mtim.tv_nsec;
	assert_false(nt_perf_map_is_stale(target.proc_dir, written + (int64_t)NT_NS_PER_S, &stat));
	close(map);
	assert_true(nt_perf_map_is_stale(target.proc_dir, written + (int64_t)NT_NS_PER_S, &stat));
	assert_false(nt_perf_map_is_stale(target.proc_dir, written, &stat));
}

static void test_ended(void **state)
{
	(void)state;
	struct nt_target ended = target;
	struct nt_perf_map_file file;
	ended.proc_dir = (char *)(uintptr_t) "/proc/0";
	assert_int_equal(nt_perf_map_find(&ended, &file, NULL), NT_ERR_GONE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_on_and_off, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_removed_but_on, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_removed, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_removed_as_somebody, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_of_an_earlier_process, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test(test_ended),
	};
	return cmocka_run_group_tests_name("target/perf_map_file", tests, NULL, NULL);
}
