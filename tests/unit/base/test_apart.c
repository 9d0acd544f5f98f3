// SPDX-License-Identifier: GPL-2.0-only
/* Work in a process apart: what it is handed and hands back, and what becomes of one that hangs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/apart.h"
#include "nettop/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct asked {
	bool hang;
	char text[8];
};

struct answer {
	pid_t pid;
	char text[8];
	char given[8];
};

static void work(const void *asked_bytes, const int *given, void *answer_bytes, int *fd)
{
	const struct asked *asked = asked_bytes;
	struct answer *answer = answer_bytes;
	while (asked->hang)
		pause();
	answer->pid = getpid();
	memcpy(answer->text, asked->text, sizeof(answer->text));
	(void)!pread(given[0], answer->given, sizeof(answer->given), 0);
	*fd = memfd_create("test", MFD_CLOEXEC);
	(void)!write(*fd, "made", 4);
}

static int ask(const char *where, bool hang, struct answer *answer, int *fd)
{
	const struct asked asked = { hang, "asked" };
	int given = memfd_create("given", MFD_CLOEXEC);
	assert_int_equal(write(given, "given", 5), 5);
	int error = nt_apart_do(&(struct nt_apart){ .work = work,
						    .where = where,
						    .asked = &asked,
						    .asked_size = sizeof(asked),
						    .given = &given,
						    .given_count = 1,
						    .answer = answer,
						    .answer_size = sizeof(*answer),
						    .fd = fd });
	close(given);
	return error;
}

static pid_t check_done(const char *where)
{
	struct answer answer;
	char made[8] = "";
	int fd;
	assert_int_equal(ask(where, false, &answer, &fd), 0);
	assert_string_equal(answer.text, "asked");
	assert_string_equal(answer.given, "given");
	assert_int_equal(pread(fd, made, sizeof(made), 0), 4);
	assert_string_equal(made, "made");
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	return answer.pid;
}

static void test_in_this_process(void **state)
{
	(void)state;
	assert_int_equal(check_done("/a/"), getpid());
}

static void test_apart(void **state)
{
	(void)state;
	nt_apart_start();
	pid_t worker = check_done("/a/");
	assert_int_not_equal(worker, getpid());
	assert_int_equal(check_done("/b/"), worker);
}

enum { BURN_MS = 30 };

static uint64_t used_ns(void)
{
	struct timespec used;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * NT_NS_PER_S + (uint64_t)used.tv_nsec;
}

static void burn(const void *asked, const int *given, void *answer, int *fd)
{
	(void)asked;
	(void)given;
	(void)answer;
	(void)fd;
	for (uint64_t begin = used_ns(); used_ns() - begin < BURN_MS * NT_NS_PER_MS;)
		continue;
}

/* What it costs is part of what nettop costs. */
static void test_its_cpu_time_is_known(void **state)
{
	(void)state;
	char byte = 0, answer;
	int fd;
	uint64_t before = nt_apart_cpu_ns();
	for (int i = 1; i <= 2; i++) {
		assert_int_equal(nt_apart_do(&(struct nt_apart){ .work = burn,
								 .where = "/a/",
								 .asked = &byte,
								 .asked_size = 1,
								 .answer = &answer,
								 .answer_size = 1,
								 .fd = &fd }),
				 0);
		assert_true(nt_apart_cpu_ns() - before >= (uint64_t)i * BURN_MS * NT_NS_PER_MS);
	}
	assert_true(nt_apart_cpu_ns() - before < 100 * BURN_MS * NT_NS_PER_MS);
}

/* One that can be killed is forgotten when it has ended: the next one looks again. */
static void test_one_that_hangs(void **state)
{
	struct answer answer;
	int fd;
	(void)state;
	pid_t first = check_done("/a/");
	assert_int_equal(ask("/a/", true, &answer, &fd), ETIMEDOUT);
	assert_int_equal(fd, -1);
	assert_int_not_equal(check_done("/b/"), first);
	int pidfd = pidfd_open(first, 0);
	if (pidfd >= 0) {
		assert_int_equal(poll(&(struct pollfd){ .fd = pidfd, .events = POLLIN }, 1, 5000), 1);
		close(pidfd);
	}
	check_done("/a/");
}

#ifdef __SANITIZE_ADDRESS__
static void overflow(const void *asked, const int *given, void *answer, int *fd)
{
	volatile int most = INT_MAX;
	(void)given;
	(void)answer;
	(void)fd;
	most += *(const char *)asked;
}

static void overrun(const void *asked, const int *given, void *answer, int *fd)
{
	static char *volatile bytes;
	(void)given;
	(void)answer;
	(void)fd;
	bytes = malloc(8);
	bytes[7 + *(const char *)asked] = 1;
	free(bytes);
}

static bool is_reported(const char *folder)
{
	bool said = false;
	struct dirent *entry;
	DIR *reports = opendir(folder);
	assert_non_null(reports);
	while ((entry = readdir(reports))) {
		struct stat is;
		if (entry->d_name[0] == '.')
			continue;
		said = said || (fstatat(dirfd(reports), entry->d_name, &is, 0) == 0 && is.st_size > 0);
		unlinkat(dirfd(reports), entry->d_name, 0);
	}
	closedir(reports);
	return said;
}

static nt_apart_work *const bugs[] = { overflow, overrun };

/* Returns the exit status of a process that sends somebody to do it: 1 = it was done as if nothing were wrong. */
static int do_bug(size_t bug)
{
	char one = 1, answer;
	int fd;
	nt_apart_start();
	return nt_apart_do(&(struct nt_apart){ .work = bugs[bug],
					       .where = "/a/",
					       .asked = &one,
					       .asked_size = 1,
					       .answer = &answer,
					       .answer_size = 1,
					       .fd = &fd }) == 0;
}

/* Their stderr and their exit status are nobody's: that a bug in one of them is seen at all is up to the files that a sanitizer is told of at its start. */
static void test_what_a_sanitizer_finds_there_is_reported(void **state)
{
	(void)state;
	for (char bug[] = "0"; bug[0] < '0' + (int)(sizeof(bugs) / sizeof(*bugs)); bug[0]++) {
		char folder[] = "/tmp/nt-apart-XXXXXX", options[64];
		int status;
		assert_non_null(mkdtemp(folder));
		snprintf(options, sizeof(options), "log_path=%s/report", folder);
		pid_t child = fork();
		if (child == 0) {
			setenv("ASAN_OPTIONS", options, 1);
			setenv("UBSAN_OPTIONS", options, 1);
			execl("/proc/self/exe", "test_apart", bug, (char *)NULL);
			_exit(1);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		assert_true(is_reported(folder));
		rmdir(folder);
	}
}
#endif

int main(int count, char **arguments)
{
#ifdef __SANITIZE_ADDRESS__
	if (count == 2)
		_exit(do_bug((size_t)(arguments[1][0] - '0')));
#endif
	(void)count;
	(void)arguments;
	const struct CMUnitTest tests[] = {
#ifdef __SANITIZE_ADDRESS__
		cmocka_unit_test(test_what_a_sanitizer_finds_there_is_reported),
#endif
		cmocka_unit_test(test_in_this_process), cmocka_unit_test(test_apart), cmocka_unit_test(test_its_cpu_time_is_known),
		cmocka_unit_test(test_one_that_hangs)
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
