// SPDX-License-Identifier: GPL-2.0-only
/* When EnablePerfMap may be sent: a process's threads tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file.h"
#include "target/process/runtime_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_thread(const char *folder, int tid, const char *name, uint64_t start_ticks)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/task/%d", folder, tid);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/task/%d/stat", folder, tid);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "%d (%s) S 1 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 %llu 0 0 0\n", tid, name, (unsigned long long)start_ticks);
	assert_int_equal(fclose(file), 0);
}

static bool is_past(const char *name, uint64_t thread_age_ms)
{
	char folder[] = "/tmp/nettop-test-XXXXXX", path[64];
	const uint64_t ticks_per_s = (uint64_t)sysconf(_SC_CLK_TCK), start = 1000 * ticks_per_s;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/task", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	add_thread(folder, 7, "dotnet", ticks_per_s);
	add_thread(folder, 8, name, start);
	bool past = nt_runtime_is_past_its_start(folder, 1000 * NT_NS_PER_S + thread_age_ms * NT_NS_PER_MS);
	nt_file_remove_tree(folder);
	return past;
}

static void test_the_age_of_the_finalizer_decides(void **state)
{
	(void)state;
	assert_true(is_past(".NET Finalizer", 2000));
	assert_false(is_past(".NET Finalizer", 1900));
	assert_false(is_past(".NET EventPipe", 3600000)); /* it may wait for hours */
	assert_false(nt_runtime_is_past_its_start("/nowhere", 1000 * NT_NS_PER_S));
}

static void test_versions(void **state)
{
	(void)state;
	assert_true(nt_runtime_start_is_fragile(8));
	assert_true(nt_runtime_start_is_fragile(9));
	assert_false(nt_runtime_start_is_fragile(10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_age_of_the_finalizer_decides),
		cmocka_unit_test(test_versions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
