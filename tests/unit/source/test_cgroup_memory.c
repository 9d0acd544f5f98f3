// SPDX-License-Identifier: GPL-2.0-only
/* What is read of a process's memory cgroups, below a root folder of the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "target/perfmap/perf_map_room.h"
#include "target/process/cgroup_memory.h"

enum { MB = 1 << 20, PID = 7 };

static void put(const struct fake_proc *root, const char *path, const char *text)
{
	fake_proc_file(root, path, text, strlen(text));
}

static uint64_t ask(const struct fake_proc *root, const char *cgroup)
{
	char *proc_dir = nt_format("%s/%d", root->root, PID), *cgroups = nt_format("%s/cgroups", root->root);
	fake_proc_text(root, PID, "cgroup", cgroup);
	uint64_t free_bytes = nt_cgroup_memory_free(proc_dir, cgroups);
	free(proc_dir);
	free(cgroups);
	return free_bytes;
}

static void test_v2(void **state)
{
	const struct fake_proc *root = *state;
	put(root, "cgroups/memory.current", "999999999\n"); /* of the root: no limit */
	put(root, "cgroups/pod/memory.max", "104857600\n");
	put(root, "cgroups/pod/memory.current", "83886080\n");
	put(root, "cgroups/pod/memory.stat", "anon 1\ninactive_anon 77\ninactive_file 10485760\nactive_file 3\n");
	put(root, "cgroups/pod/app/memory.max", "max\n");
	put(root, "cgroups/pod/app/memory.current", "5\n");
	assert_int_equal(ask(root, "0::/pod/app\n"), 30 * MB); /* the one above has the limit; cache that can be dropped is free */
	put(root, "cgroups/pod/app/memory.max", "20971520\n");
	put(root, "cgroups/pod/app/memory.current", "20971520\n");
	assert_int_equal(ask(root, "0::/pod/app\n"), 0);
	put(root, "cgroups/pod/app/memory.current", "30000000\n"); /* the limit was lowered below what it has */
	assert_int_equal(ask(root, "0::/pod/app\n"), 0);
}

/* In a cgroup namespace its own cgroup is the root. */
static void test_root_of_a_namespace(void **state)
{
	const struct fake_proc *root = *state;
	put(root, "cgroups/memory.max", "104857600\n");
	put(root, "cgroups/memory.current", "1048576\n");
	assert_int_equal(ask(root, "0::/\n"), 99 * MB);
}

static void test_v1(void **state)
{
	const struct fake_proc *root = *state;
	static const char lines[] = "9:name=systemd:/a\n4:cpu,memory,pids:/box\n3:cpuset:/b\n0::/\n";
	put(root, "cgroups/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put(root, "cgroups/memory/memory.usage_in_bytes", "1\n");
	put(root, "cgroups/memory/box/memory.limit_in_bytes", "67108864\n");
	put(root, "cgroups/memory/box/memory.usage_in_bytes", "60817408\n");
	put(root, "cgroups/memory/box/memory.stat", "inactive_file 5\ntotal_inactive_file 2097152\n");
	assert_int_equal(ask(root, lines), 8 * MB);
	put(root, "cgroups/memory/box/memory.limit_in_bytes", "9223372036854771712\n");
	assert_true(ask(root, lines) == UINT64_MAX);
}

/* Who was killed is told of its own group, not of those above it. */
static void test_kills(void **state)
{
	const struct fake_proc *root = *state;
	struct nt_cgroup_memory memory;
	char *cgroups = nt_format("%s/cgroups", root->root);
	put(root, "cgroups/pod/memory.events", "oom 9\noom_kill 9\n");
	put(root, "cgroups/pod/app/memory.events", "low 0\noom 3\noom_kill 2\noom_group_kill 0\n");
	nt_cgroup_memory_read("0::/pod/app\n", cgroups, &memory);
	assert_true(memory.oom_kill_known && memory.oom_kill_count == 2 && memory.limit_bytes == UINT64_MAX);
	put(root, "cgroups/memory/box/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
	nt_cgroup_memory_read("4:memory:/box\n", cgroups, &memory);
	assert_true(memory.oom_kill_known && memory.oom_kill_count == 5);
	nt_cgroup_memory_read("4:memory:/nowhere\n", cgroups, &memory);
	assert_false(memory.oom_kill_known);
	free(cgroups);
}

static void test_hybrid(void **state)
{
	const struct fake_proc *root = *state;
	put(root, "cgroups/unified/box/memory.max", "2097152\n");
	put(root, "cgroups/unified/box/memory.current", "1048576\n");
	assert_int_equal(ask(root, "1:name=systemd:/\n0::/box\n"), MB);
}

static void test_unknown(void **state)
{
	const struct fake_proc *root = *state;
	static const char *const texts[] = { "", "0::/nowhere\n", "0::/../beside\n", "nonsense\n\n:\n::\n4:memory\n",
					     "4:xmemory,memoryx:/box\n" };
	put(root, "cgroups/memory/box/memory.limit_in_bytes", "1\n");
	put(root, "beside/memory.max", "1\n");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_true(ask(root, texts[i]) == UINT64_MAX);
	assert_true(nt_cgroup_memory_free("/nowhere", "/nowhere") == UINT64_MAX);
}

/* Only what lies in memory is charged for good. */
static void test_room(void **state)
{
	const struct fake_proc *root = *state;
	char *proc_dir = nt_format("%s/%d", root->root, PID), *cgroups = nt_format("%s/cgroups", root->root);
	put(root, "cgroups/memory.max", "8192\n");
	put(root, "cgroups/memory.current", "4096\n");
	assert_int_equal(ask(root, "0::/\n"), 4096);
	int memory = open("/dev/shm", O_PATH | O_DIRECTORY | O_CLOEXEC), disk = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct nt_perf_map_room room = nt_perf_map_free(memory, proc_dir, cgroups);
	assert_int_equal(room.free_bytes, 4096);
	assert_true(room.of_memory);
	assert_false(nt_perf_map_free(disk, proc_dir, cgroups).of_memory);
	close(memory);
	close(disk);
	free(proc_dir);
	free(cgroups);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_v2, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_root_of_a_namespace, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_v1, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_kills, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_hybrid, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_unknown, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_room, fake_proc_setup, fake_proc_teardown),
	};
	return cmocka_run_group_tests_name("target/cgroup_memory", tests, NULL, NULL);
}
