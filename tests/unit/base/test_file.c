// SPDX-License-Identifier: GPL-2.0-only
/* Files that somebody else names: what is no regular file is not opened, and what is opened is what was looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/file_foreign.h"
#include "base/file_name.h"
#include "tests/unit/waiting_writer.h"

#include <stdio.h>
#include <sys/mount.h>
#include <sys/wait.h>

struct folder {
	char path[32];
};

static int setup(void **state)
{
	struct folder *folder = nt_alloc(sizeof(*folder));
	strcpy(folder->path, "/tmp/nt-file.XXXXXX");
	assert_non_null(mkdtemp(folder->path));
	*state = folder;
	return 0;
}

static int teardown(void **state)
{
	struct folder *folder = *state;
	nt_file_remove_tree(folder->path);
	free(folder);
	return 0;
}

static char *write_file(const struct folder *folder, const char *name, const char *text)
{
	char *path = nt_format("%s/%s", folder->path, name);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	return path;
}

static int name_file(const char *path)
{
	int named = open(path, NT_FILE_NAMED | O_NOFOLLOW);
	assert_true(named >= 0);
	return named;
}

static void test_names_of_libraries(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int at; /* of its .so; -1 = no library's */
	} cases[] = {
		{ "libc.so.6", 4 },         { "libcoreclr.so", 10 }, { "app", -1 }, { "app.sockets", -1 }, { "app.sockets.so", 11 },
		{ "app.sockets.so.6", 11 }, { ".so", -1 },           { "", -1 },    { "app.so1", -1 },     { "libstdc++.so.6.0.30", 9 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *so = nt_file_library_end(cases[i].name);
		assert_int_equal(so ? (int)(so - cases[i].name) : -1, cases[i].at);
	}
}

static void test_what_was_looked_at_is_opened(void **state)
{
	char *path = write_file(*state, "a", "first"), *other = write_file(*state, "b", "other"), text[8] = "";
	int named = name_file(path), fd;
	assert_int_equal(rename(other, path), 0); /* whose name leads elsewhere by now */
	assert_int_equal(nt_file_open_named(named, &fd), 0);
	assert_int_equal(read(fd, text, sizeof(text) - 1), 5);
	assert_string_equal(text, "first");
	close(fd);
	close(named);
	free(path);
	free(other);
}

static void check_not_opened(const char *path)
{
	int named = name_file(path), fd;
	assert_int_equal(nt_file_open_named(named, &fd), EINVAL);
	assert_int_equal(fd, -1);
	close(named);
}

static void test_fifo_is_not_opened(void **state)
{
	const struct folder *folder = *state;
	char *path = nt_format("%s/fifo", folder->path), *text;
	size_t length;
	struct waiting_writer writer;
	waiting_writer_begin(&writer, path);
	check_not_opened(path);
	assert_true(waiting_writer_waits(&writer));
	assert_int_equal(nt_file_read_foreign(path, getuid(), 4096, &text, &length), EINVAL);
	assert_null(text);
	assert_true(waiting_writer_waits(&writer));
	waiting_writer_end(&writer);
	free(path);
}

static void test_nothing_else_is_opened(void **state)
{
	const struct folder *folder = *state;
	char *path = write_file(folder, "target", "text"), *link = nt_format("%s/link", folder->path), *text;
	size_t length;
	assert_int_equal(symlink(path, link), 0);
	check_not_opened(link);
	check_not_opened(folder->path);
	check_not_opened("/dev/null");
	assert_int_not_equal(nt_file_read_foreign(link, getuid(), 4096, &text, &length), 0);
	assert_int_not_equal(nt_file_read_foreign("/dev/zero", getuid(), 4096, &text, &length), 0);
	assert_int_equal(nt_file_read_foreign(path, getuid(), 4096, &text, &length), 0);
	assert_string_equal(text, "text");
	free(text);
	free(link);
	free(path);
}

/* In a mount namespace of its own, with something over /proc. */
static int open_without_proc(const char *path, const char *instead)
{
	int named = name_file(path), fd;
	pid_t child = fork();
	if (child == 0) {
		if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		    mount("tmpfs", "/proc", "tmpfs", 0, NULL) < 0)
			_exit(255);
		char link[64];
		snprintf(link, sizeof(link), "/proc/self/fd/%d", named);
		if (instead && (mkdir("/proc/self", 0755) < 0 || mkdir("/proc/self/fd", 0755) < 0 || symlink(instead, link) < 0))
			_exit(254);
		_exit(nt_file_open_named(named, &fd));
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	close(named);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void test_without_proc(void **state)
{
	if (geteuid() != 0)
		skip();
	char *path = write_file(*state, "a", "text"), *other = write_file(*state, "b", "other");
	int without = open_without_proc(path, NULL);
	if (without == 255) {
		free(path);
		free(other);
		skip(); /* mounting is closed here */
	}
	assert_int_equal(without, ENOSYS);
	/* Something else that is called so. */
	assert_int_equal(open_without_proc(path, other), ENOSYS);
	free(path);
	free(other);
}

/* As a file of /proc is read. */
static void a_text_below_a_folder(void **state)
{
	(void)state;
	size_t length;
	char *text = nt_file_text("/proc/self", "comm", 4096, &length);
	assert_non_null(text);
	assert_int_equal(strlen(text), length);
	free(text);
	text = nt_file_text("/proc/self", "comm", 3, &length);
	assert_int_equal(length, 3);
	free(text);
	assert_null(nt_file_text("/proc/self", "no-such-file", 4096, &length));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_below_a_folder),
		cmocka_unit_test(test_names_of_libraries),
		cmocka_unit_test_setup_teardown(test_what_was_looked_at_is_opened, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fifo_is_not_opened, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_else_is_opened, setup, teardown),
		cmocka_unit_test_setup_teardown(test_without_proc, setup, teardown),
	};
	return cmocka_run_group_tests_name("base/file", tests, NULL, NULL);
}
