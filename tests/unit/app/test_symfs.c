// SPDX-License-Identifier: GPL-2.0-only
/* A folder of symbols whose paths come from a target that means harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/commands/symfs.h"
#include "base/alloc.h"
#include "source/export/code_lines.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[] = "/tmp/nt-symfs.XXXXXX";

/* Below the scratch folder; the caller's. */
static char *below(const char *name)
{
	return nt_format("%s/%s", scratch, name);
}

static struct nt_perf_map_line line = { .start = 0x1000, .size = 0x10, .offset = 0x200, .name = "M", .length = 1 };

static enum nt_status make(const char *folder, const struct nt_code_file *files, size_t count, unsigned *symbol_files)
{
	struct nt_code_file copies[8];
	memcpy(copies, files, count * sizeof(*files));
	const struct nt_code_lines lines = { .lines = &line, .count = 1, .files = copies, .file_count = count };
	struct nt_error err = { 0 };
	char *path = below(folder);
	enum nt_status status = nt_symfs_make(path, &lines, symbol_files, &err);
	free(path);
	return status;
}

static bool is(const char *name, mode_t type)
{
	struct stat st;
	char *path = below(name);
	bool yes = lstat(path, &st) == 0 && (st.st_mode & S_IFMT) == type;
	free(path);
	return yes;
}

static void assemblies_get_symbols_and_others_links(void **state)
{
	(void)state;
	const struct nt_code_file files[] = {
		{ .path = "/opt/app/A.dll", .assembly = true, .count = 1 },
		{ .path = "/opt/app/A.dll", .assembly = true, .first = 1 }, /* mapped in two pieces */
		{ .path = "/opt/app/bundle", .count = 1 },
		{ .path = "/opt/app/IlOnly.dll", .assembly = true },
		{ .path = "/opt/app/A.dll", .assembly = true, .count = 1 }, /* and twice */
	};
	unsigned symbol_files;
	assert_int_equal(make("plain", files, 5, &symbol_files), NT_OK);
	assert_true(is("plain/opt/app/A.dll", S_IFREG));
	assert_true(is("plain/opt/app/bundle", S_IFLNK));
	assert_true(is("plain/opt/app/IlOnly.dll", S_IFLNK));
	assert_true(is("plain/usr/lib/debug", S_IFLNK));
	assert_int_equal(make("plain", files, 5, &symbol_files), NT_ERR_FAILED);
}

static void no_path_leads_out(void **state)
{
	(void)state;
	char *outside = below("outside"), *through = below("outside/X.dll"), *link = below("outside/library.so");
	assert_int_equal(mkdir(outside, 0700), 0);
	const struct nt_code_file files[] = {
		{ .path = outside }, /* a link to a folder... */
		{ .path = link },    /* ...in which another one would lie */
		{ .path = "/../../../up.so" },
		{ .path = "/up/../../../down.so" },
		{ .path = "//twice//over.so/" },
		{ .path = "" },
	};
	unsigned symbol_files;
	assert_int_equal(make("hostile", files, 6, &symbol_files), NT_OK);
	assert_false(is("outside/library.so", S_IFLNK));
	assert_false(is("up.so", S_IFLNK) || is("down.so", S_IFLNK));
	const struct nt_code_file beside[] = { { .path = outside }, { .path = through, .assembly = true, .count = 1 } };
	assert_int_equal(make("mixed", beside, 2, &symbol_files), NT_OK);
	assert_false(is("outside/X.dll", S_IFREG));
	const struct nt_code_file up[] = { { .path = "/../X.dll", .assembly = true, .count = 1 } };
	assert_int_equal(make("up", up, 1, &symbol_files), NT_ERR_FAILED);
	assert_false(is("X.dll", S_IFREG));
	free(outside);
	free(through);
	free(link);
}

static int begin(void **state)
{
	(void)state;
	return mkdtemp(scratch) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	char *command = nt_format("rm -rf %s", scratch);
	int status = system(command);
	free(command);
	return status;
}

/* Told to end in its middle it leaves nothing of it: here, before the first file is written. */
static void nothing_is_left_by_who_is_told_to_end(void **state)
{
	(void)state;
	const struct nt_code_file files[] = { { .path = "/opt/app/A.dll", .assembly = true, .count = 1 } };
	sigset_t set, before;
	unsigned symbol_files;
	int signal;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &before);
	kill(getpid(), SIGTERM);
	assert_int_equal(make("told", files, 1, &symbol_files), NT_ERR_FAILED);
	sigwait(&set, &signal);
	sigprocmask(SIG_SETMASK, &before, NULL);
	assert_false(is("told", S_IFDIR));
	assert_int_equal(make("told", files, 1, &symbol_files), NT_OK);
}

/* What a file has in its way: the folder is given up, with all that is in it. */
static void nothing_is_left_of_what_failed(void **state)
{
	(void)state;
	const struct nt_code_file files[] = {
		{ .path = "/opt/app/A.dll", .assembly = true, .count = 1 },
		{ .path = "/opt/app/A.dll/B.dll", .assembly = true, .count = 1 },
	};
	unsigned symbol_files;
	assert_int_equal(make("failed", files, 2, &symbol_files), NT_ERR_FAILED);
	assert_false(is("failed", S_IFDIR));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(assemblies_get_symbols_and_others_links),
		cmocka_unit_test(no_path_leads_out),
		cmocka_unit_test(nothing_is_left_by_who_is_told_to_end),
		cmocka_unit_test(nothing_is_left_of_what_failed),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
