// SPDX-License-Identifier: GPL-2.0-only
/* A file named with -o: whole or not there, and what was there before is not lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/common/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static int set_up(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	umask(022);
	snprintf(folder, sizeof(folder), "/tmp/nettop-new-file.XXXXXX");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

/* Also what a test has left: names that begin with a point aside. Returns how many there were. */
static size_t empty_folder(void)
{
	size_t count = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		if (unlinkat(dirfd(dir), entry->d_name, 0) != 0)
			unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
	}
	closedir(dir);
	return count;
}

static int tear_down(void **state)
{
	(void)state;
	empty_folder();
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void write_text(FILE *out, const void *context)
{
	fputs(context, out);
}

/* More than a buffer, so that the failure comes while writing. */
static void write_much(FILE *out, const void *context)
{
	(void)context;
	for (int i = 0; i < 100000; i++)
		fputc('x', out);
}

static enum nt_status put(const char *path, const char *text)
{
	return nt_new_file_write(path, write_text, text, NULL);
}

static void check_content(const char *path, const char *expected)
{
	char text[64] = "";
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static mode_t mode_of(const char *path)
{
	struct stat st;
	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode;
}

static void test_new_and_again(void **state)
{
	(void)state;
	assert_int_equal(nt_new_file_check("a", NULL), NT_OK);
	assert_int_equal(put("a", "one"), NT_OK);
	check_content("a", "one");
	assert_int_equal(mode_of("a") & 07777, 0644);
	assert_int_equal(chmod("a", 0600), 0);
	assert_int_equal(put("a", "two"), NT_OK);
	check_content("a", "two");
	assert_int_equal(mode_of("a") & 07777, 0644);
	assert_int_equal(chmod("a", 06777), 0);
	assert_int_equal(put("a", "three"), NT_OK);
	assert_int_equal(mode_of("a") & 07777, 0644);
	assert_int_equal(empty_folder(), 1);
}

static void test_link_is_refused(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	assert_int_equal(put("real", "one"), NT_OK);
	assert_int_equal(symlink("real", "link"), 0);
	assert_int_equal(symlink("none", "dangling"), 0);
	assert_int_equal(nt_new_file_check("link", &err), NT_ERR_FORBIDDEN);
	assert_string_equal(err.cause[0], "cannot write link: it is a link; name another file");
	assert_int_equal(put("link", "two"), NT_ERR_FORBIDDEN);
	assert_int_equal(put("dangling", "two"), NT_ERR_FORBIDDEN);
	check_content("real", "one");
	assert_int_equal(empty_folder(), 3);
}

static void test_descriptor_is_written_to(void **state)
{
	(void)state;
	int fd = open("a", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	char path[32];
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%d", (const char *const[]){ "/dev/fd", "/proc/self/fd" }[i], fd);
		assert_int_equal(nt_new_file_check(path, NULL), NT_OK);
		assert_int_equal(put(path, i ? "two" : "one "), NT_OK);
	}
	check_content("a", "one two");
	close(fd);
	assert_int_equal(nt_new_file_check(path, NULL), NT_ERR_FAILED);
	assert_int_equal(put(path, "three"), NT_ERR_FAILED);
	assert_int_equal(empty_folder(), 1);
}

static void test_device_is_written_to(void **state)
{
	(void)state;
	assert_int_equal(nt_new_file_check("/dev/null", NULL), NT_OK);
	assert_int_equal(put("/dev/null", "one"), NT_OK);
	assert_true(S_ISCHR(mode_of("/dev/null")));
}

static void test_refused_before(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	assert_int_equal(nt_new_file_check(folder, &err), NT_ERR_FAILED);
	assert_non_null(strstr(err.cause[0], "Is a directory"));
	assert_int_equal(nt_new_file_check("none/a", &err), NT_ERR_FAILED);
	assert_non_null(strstr(err.cause[0], "cannot write none/a: No such file"));
	assert_int_equal(nt_new_file_check(NULL, &err), NT_OK);
}

static void test_no_space(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct rlimit limit, small = { .rlim_cur = 4096 };
	assert_int_equal(put("a", "one"), NT_OK);
	getrlimit(RLIMIT_FSIZE, &limit);
	small.rlim_max = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &small);
	enum nt_status status = nt_new_file_write("a", write_much, NULL, &err);
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_int_equal(status, NT_ERR_FAILED);
	assert_non_null(strstr(err.cause[0], strerror(EFBIG)));
	check_content("a", "one");
	assert_int_equal(empty_folder(), 1);
}

/* Where the file system can do without a name for it: whoever is killed meanwhile leaves nothing. */
static void write_and_look(FILE *out, const void *context)
{
	size_t *seen = *(size_t *const *)context;
	write_much(out, NULL);
	fflush(out);
	*seen = empty_folder();
}

static void test_half_of_it_is_nowhere(void **state)
{
	(void)state;
	size_t seen = 99, *to = &seen;
	int fd = open(folder, O_RDWR | O_TMPFILE, 0600);
	if (fd < 0)
		skip();
	close(fd);
	assert_int_equal(nt_new_file_write("new", write_and_look, &to, NULL), NT_OK);
	assert_int_equal(seen, 0);
	assert_int_equal(empty_folder(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_new_and_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_link_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_descriptor_is_written_to, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_device_is_written_to, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused_before, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_space, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_half_of_it_is_nowhere, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
