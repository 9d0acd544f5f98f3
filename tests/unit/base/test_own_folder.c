// SPDX-License-Identifier: GPL-2.0-only
/* The folder of a path, part of which may be a stranger's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/own_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STRANGER = 54321 };

static char folder[64];

static int set_up(void **state)
{
	(void)state;
	umask(022);
	snprintf(folder, sizeof(folder), "/tmp/nettop-own-folder.XXXXXX");
	return mkdtemp(folder) && chdir(folder) == 0 && mkdir("real", 0755) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	int left = chdir("/");
	nt_file_remove_tree(folder);
	return left;
}

/* Where the path's folder is: its inode, or 0 with errno. */
static ino_t inode_of(const char *path, bool make)
{
	struct stat st = { 0 };
	const char *name;
	int fd = nt_own_folder_open(path, make, &name);
	if (fd < 0)
		return 0;
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	return st.st_ino;
}

static ino_t inode_at(const char *path)
{
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	return st.st_ino;
}

static void test_paths(void **state)
{
	(void)state;
	char path[128];
	const char *name;
	int fd = nt_own_folder_open("real/./..//real/file", false, &name);
	assert_true(fd >= 0);
	close(fd);
	assert_string_equal(name, "file");
	assert_int_equal(inode_of("file", false), inode_at("."));
	assert_int_equal(inode_of("/file", false), inode_at("/"));
	snprintf(path, sizeof(path), "%s/real/file", folder);
	assert_int_equal(inode_of(path, false), inode_at("real"));
	snprintf(path, sizeof(path), "/proc/%d/cwd/file", (int)getpid());
	assert_int_equal(inode_of(path, false), inode_at("."));
}

static void test_no_paths(void **state)
{
	(void)state;
	static const char *const none[] = { "", "/", "real/", "real/.", "real/.." };
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		assert_int_equal(inode_of(none[i], false), 0);
		assert_int_equal(errno, EISDIR);
	}
	assert_int_equal(inode_of("none/file", false), 0);
	assert_int_equal(errno, ENOENT);
	close(open("plain", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	assert_int_equal(inode_of("plain/file", false), 0);
	assert_int_equal(errno, ENOTDIR);
	char name[NAME_MAX + 10];
	memset(name, 'a', sizeof(name));
	memcpy(name + sizeof(name) - 3, "/b", 3);
	assert_int_equal(inode_of(name, true), 0);
	assert_int_equal(errno, ENAMETOOLONG);
}

static void test_links(void **state)
{
	(void)state;
	char whole[128];
	snprintf(whole, sizeof(whole), "%s/relative", folder);
	assert_int_equal(symlink("./real", "relative"), 0);
	assert_int_equal(symlink(whole, "absolute"), 0);
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_int_equal(inode_of("relative/file", false), inode_at("real"));
	assert_int_equal(inode_of("absolute/../absolute/file", false), inode_at("real"));
	assert_int_equal(inode_of("loop/file", false), 0);
	assert_int_equal(errno, ELOOP);
}

static void test_link_of_a_stranger(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("only root can make a stranger's link\n");
		skip();
	}
	assert_int_equal(symlink("real", "theirs"), 0);
	assert_int_equal(lchown("theirs", STRANGER, STRANGER), 0);
	assert_int_equal(symlink("theirs", "ours"), 0);
	assert_int_equal(inode_of("theirs/file", false), 0);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(inode_of("theirs/new/file", true), 0);
	assert_int_equal(inode_of("ours/file", false), 0);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(access("real/new", F_OK), -1);
}

static void test_made(void **state)
{
	(void)state;
	assert_int_equal(inode_of("real/a/b/file", false), 0);
	ino_t inode = inode_of("real/a/b/file", true);
	assert_true(inode != 0);
	assert_int_equal(inode, inode_at("real/a/b"));
	assert_int_equal(inode_of("real/a/b/file", true), inode);
}

static void test_new_files(void **state)
{
	(void)state;
	char first[NAME_MAX + 1], second[NAME_MAX + 1], name[NAME_MAX + 1];
	struct stat st;
	int a = nt_own_folder_new_file(AT_FDCWD, "file", first), b = nt_own_folder_new_file(AT_FDCWD, "file", second);
	assert_true(a >= 0 && b >= 0);
	assert_int_equal(access("file", F_OK), -1);
	assert_int_equal(fstat(a, &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0644);
	ino_t kept = st.st_ino;
	assert_int_equal(fstat(b, &st), 0);
	assert_true(nt_own_folder_keep(AT_FDCWD, b, "file", second));
	assert_int_equal(inode_at("file"), st.st_ino);
	assert_true(nt_own_folder_keep(AT_FDCWD, a, "file", first));
	assert_int_equal(inode_at("file"), kept);
	memset(name, 'a', NAME_MAX);
	name[NAME_MAX] = '\0';
	assert_false(nt_own_folder_keep(AT_FDCWD, a, name, first));
	assert_int_equal(errno, ENAMETOOLONG);
	close(a);
	close(b);
	nt_own_folder_discard(AT_FDCWD, first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_paths, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_paths, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_links, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_link_of_a_stranger, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_made, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_new_files, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
