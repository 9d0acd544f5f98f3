// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/kernel/procfs_text.h"

#include <string.h>

/* The rest of a stat line from field 4 on: utime 111, stime 222, 7 threads, start 151340, 6125 pages. */
#define NUMBERS " 1 7393 7393 0 -1 4194304 5000 0 12 0 111 222 0 0 20 -5 7 0 151340 274877906944 6125 18446744073709551615 1 1"

static void check_stat(const char *text, const char *comm, char letter)
{
	struct nt_procfs_stat stat;
	assert_true(nt_procfs_stat_parse(text, strlen(text), &stat));
	assert_string_equal(stat.comm, comm);
	assert_int_equal(stat.comm_length, strlen(comm));
	assert_int_equal(stat.state, letter);
	assert_int_equal(stat.pid, 7393);
	assert_int_equal(stat.ppid, 1);
	assert_int_equal(stat.user_ticks, 111);
	assert_int_equal(stat.kernel_ticks, 222);
	assert_int_equal(stat.thread_count, 7);
	assert_int_equal(stat.start_ticks, 151340);
	assert_int_equal(stat.rss_pages, 6125);
}

static void test_stat(void **state)
{
	(void)state;
	check_stat("7393 (dotnet) S" NUMBERS "\n", "dotnet", 'S');
	check_stat("7393 (.NET TP Worker) R" NUMBERS, ".NET TP Worker", 'R');
	check_stat("7393 (a) R 1 (\n)) Z" NUMBERS, "a) R 1 (\n)", 'Z');
	check_stat("7393 () t" NUMBERS, "", 't');
}

static void test_stat_that_is_none(void **state)
{
	(void)state;
	static const char *const texts[] = { "",         "7393",           "7393 (",          "7393 (dotnet)",         "7393 (dotnet) ",
					     "(dotnet)", "7393 (x) S 1 2", "x (y) S" NUMBERS, "7393 (x) S 1 a" NUMBERS };
	struct nt_procfs_stat stat;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_false(nt_procfs_stat_parse(texts[i], strlen(texts[i]), &stat));
}

static void test_schedstat(void **state)
{
	(void)state;
	struct nt_procfs_schedstat stat;
	assert_true(nt_procfs_schedstat_parse("703209955 1490076317 258\n", 25, &stat));
	assert_int_equal(stat.cpu_ns, 703209955);
	assert_int_equal(stat.waited_ns, 1490076317);
	assert_int_equal(stat.count, 258);
	static const char *const others[] = { "", "7", "7 8", "7 8 ", "a 1 2" };
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(nt_procfs_schedstat_parse(others[i], strlen(others[i]), &stat));
}

static void test_status(void **state)
{
	(void)state;
	const char *text = "Name:\tdotnet\nUid:\t1000\t1001\t1000\t1000\nGid:\t5\t6\t5\t5\n"
			   "NSpid:\t14799\t33\t1\nCpus_allowed:\tf,ffffffff\nCpus_allowed_list:\t0-35\n";
	struct nt_procfs_status status;
	nt_procfs_status_parse(text, strlen(text), &status);
	assert_true(status.uid_known && status.gid_known);
	assert_int_equal(status.uid, 1001);
	assert_int_equal(status.gid, 6);
	assert_int_equal(status.ns_pid_count, 3);
	assert_int_equal(status.ns_pid[0], 14799);
	assert_int_equal(status.ns_pid[2], 1);
	assert_int_equal(status.cpu_count, 36);
	nt_procfs_status_parse("NSpid:\t", 7, &status);
	assert_int_equal(status.ns_pid_count, 0);
	assert_false(status.uid_known);
}

#define RESIDENT "RssAnon:\t    7228 kB\nRssFile:\t    6664 kB\nRssShmem:\t      12 kB\n"
#define SWAPPED  "VmSwap:\t       4 kB\n"

static void test_memory(void **state)
{
	(void)state;
	struct nt_procfs_memory memory;
	const char *text = "Name:\tdotnet\nVmRSS:\t   13904 kB\n" RESIDENT "VmData:\t7 kB\n" SWAPPED "Threads:\t1\n";
	assert_true(nt_procfs_memory_parse(text, strlen(text), &memory));
	assert_int_equal(memory.anon_bytes, 7228 << 10);
	assert_int_equal(memory.file_bytes, 6664 << 10);
	assert_int_equal(memory.shared_bytes, 12 << 10);
	assert_int_equal(memory.swap_bytes, 4 << 10);
}

/* An old kernel, a process that ends, a text that is cut, and what is no size. */
static void test_memory_that_is_not_told(void **state)
{
	(void)state;
	static const char *const texts[] = { "",
					     "Name:\tdotnet\nState:\tZ (zombie)\nThreads:\t1\n",
					     RESIDENT,
					     "RssAnon:\t7228 kB\n" SWAPPED,
					     RESIDENT "VmSwap:\t       4 kB",
					     RESIDENT "VmSwap:\t       4 MB\n",
					     RESIDENT "VmSwap:\t       4\n",
					     RESIDENT "VmSwap:\t-4 kB\n",
					     RESIDENT "VmSwap:\t18446744073709551615 kB\n" };
	struct nt_procfs_memory memory;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_false(nt_procfs_memory_parse(texts[i], strlen(texts[i]), &memory));
}

static void check_map(const char *line, struct nt_procfs_map *map)
{
	bool valid = false;
	assert_int_equal(nt_procfs_map_next(line, strlen(line), map, &valid), strlen(line));
	assert_true(valid);
}

static void assert_path(const struct nt_procfs_map *map, const char *path, bool deleted)
{
	assert_int_equal(map->path_length, strlen(path));
	assert_memory_equal(map->path, path, strlen(path));
	assert_int_equal(map->deleted, deleted);
}

static void test_maps(void **state)
{
	(void)state;
	struct nt_procfs_map map;
	check_map("7f23bba90000-7f23bc5dc000 r-xp 00001000 fe:01 1234567                    /usr/share/a b/System.Private.CoreLib.dll\n",
		  &map);
	assert_true(map.start == 0x7f23bba90000 && map.end == 0x7f23bc5dc000 && map.offset == 0x1000);
	assert_true(map.dev_major == 0xfe && map.dev_minor == 1 && map.inode == 1234567);
	assert_true(map.read && !map.write && map.exec && !map.shared);
	assert_path(&map, "/usr/share/a b/System.Private.CoreLib.dll", false);
	check_map("7fe7eae50000-7fe7eae90000 r-xs 20d0000 00:01 2049                       /memfd:doublemapper (deleted)\n", &map);
	assert_true(map.shared && map.exec);
	assert_path(&map, "/memfd:doublemapper", true);
	check_map("7ffc0000-7ffd0000 rwxp 00000000 00:00 0 \n", &map);
	assert_path(&map, "", false);
	check_map("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]\n", &map);
	assert_path(&map, "[vsyscall]", false);
}

static void test_maps_that_are_none(void **state)
{
	(void)state;
	static const char *const lines[] = { "\n",
					     "7f00-7f00 r-xp 0 0:0 0\n",
					     "7f10-7f00 r-xp 0 0:0 0\n",
					     "7f00-7f10 r-x\n",
					     "7f00-7f10 abcd 0 0:0 0\n",
					     "7f00 7f10 r-xp 0 0:0 0\n",
					     "7f00-7f10 r-xp 0 0:0\n" };
	struct nt_procfs_map map;
	bool valid = true;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		assert_int_equal(nt_procfs_map_next(lines[i], strlen(lines[i]), &map, &valid), strlen(lines[i]));
		assert_false(valid);
	}
	assert_int_equal(nt_procfs_map_next("7f00-7f10 r-xp", 14, &map, &valid), 0);
}

static void test_environ(void **state)
{
	(void)state;
	static const char text[] = "A=1\0DOTNET_EnableEventLogX=2\0EMPTY=\0\0=odd\0DOTNET_EnableEventLog=1\0A=2\0LAST=x=y";
	size_t length = 0;
	const char *value = nt_procfs_environ_get(text, sizeof(text) - 1, "DOTNET_EnableEventLog", &length);
	assert_non_null(value);
	assert_int_equal(length, 1);
	assert_memory_equal(value, "1", 1);
	assert_memory_equal(nt_procfs_environ_get(text, sizeof(text) - 1, "A", &length), "1", 1);
	assert_non_null(nt_procfs_environ_get(text, sizeof(text) - 1, "EMPTY", &length));
	assert_int_equal(length, 0);
	assert_memory_equal(nt_procfs_environ_get(text, sizeof(text) - 1, "LAST", &length), "x=y", 3);
	assert_int_equal(length, 3);
	assert_null(nt_procfs_environ_get(text, sizeof(text) - 1, "DOTNET", &length));
	assert_null(nt_procfs_environ_get(text, 0, "A", &length));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stat),      cmocka_unit_test(test_stat_that_is_none),
		cmocka_unit_test(test_schedstat), cmocka_unit_test(test_status),
		cmocka_unit_test(test_memory),    cmocka_unit_test(test_memory_that_is_not_told),
		cmocka_unit_test(test_maps),      cmocka_unit_test(test_maps_that_are_none),
		cmocka_unit_test(test_environ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
