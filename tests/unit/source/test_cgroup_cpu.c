// SPDX-License-Identifier: GPL-2.0-only
/* What is read of a process's cpu cgroups, below a root folder of the test: version 1 is live on few machines, version 2 without limits on most. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "target/process/cgroup_cpu.h"

static void put(const struct fake_proc *root, const char *path, const char *text)
{
	fake_proc_file(root, path, text, strlen(text));
}

static struct nt_cgroup_cpu ask(const struct fake_proc *root, const char *cgroup_text)
{
	struct nt_cgroup_cpu out;
	nt_cgroup_cpu_read(cgroup_text, root->root, &out);
	return out;
}

static void assert_kept_off(const struct nt_cgroup_cpu *cpu, uint64_t periods, uint64_t throttled, uint64_t throttled_us)
{
	assert_int_equal(cpu->period_count, periods);
	assert_int_equal(cpu->throttled_count, throttled);
	assert_int_equal(cpu->throttled_us, throttled_us);
}

/* The quota of the pod is smaller than that of the container in it: it decides. What it kept off counts, in its periods, which are those of the container, too. */
static void test_v2(void **state)
{
	const struct fake_proc *root = *state;
	put(root, "cpu.stat", "usage_usec 1\nnr_periods 9\nnr_throttled 9\nthrottled_usec 9\n"); /* of the root, which has no quota */
	put(root, "pod/cpu.max", "50000 100000\n");
	put(root, "pod/cpu.stat", "usage_usec 77\nnr_periods 100\nnr_throttled 40\nthrottled_usec 2500000\n");
	put(root, "pod/app/cpu.max", "200000 100000\n");
	put(root, "pod/app/cpu.stat", "nr_periods 100\nnr_throttled 1\nthrottled_usec 10\n");
	struct nt_cgroup_cpu cpu = ask(root, "0::/pod/app\n");
	assert_int_equal(cpu.quota_us, 50000);
	assert_int_equal(cpu.period_us, 100000);
	assert_kept_off(&cpu, 100, 40, 2500000);
	put(root, "pod/cpu.max", "max 100000\n");
	put(root, "pod/app/cpu.max", "max 100000\n");
	assert_int_equal(ask(root, "0::/pod/app\n").period_us, 0);
}

/* As Kubernetes sets it: the same quota twice. The container's was used up in each of its periods. */
static void test_pod(void **state)
{
	const struct fake_proc *root = *state;
	put(root, "pod/cpu.max", "50000 100000\n");
	put(root, "pod/cpu.stat", "nr_periods 100\nnr_throttled 0\nthrottled_usec 0\n");
	put(root, "pod/app/cpu.max", "50000 100000\n");
	put(root, "pod/app/cpu.stat", "nr_periods 90\nnr_throttled 90\nthrottled_usec 4500000\n");
	struct nt_cgroup_cpu cpu = ask(root, "0::/pod/app\n");
	assert_kept_off(&cpu, 90, 90, 4500000);
}

/* In a container with a cgroup namespace its own group is the root, which is there under two names. */
static void test_namespace(void **state)
{
	const struct fake_proc *root = *state;
	put(root, "cpu.max", "50000 100000\n");
	put(root, "cpu.stat", "nr_periods 100\nnr_throttled 40\nthrottled_usec 2500000\n");
	struct nt_cgroup_cpu cpu = ask(root, "0::/\n");
	assert_int_equal(cpu.quota_us, 50000);
	assert_kept_off(&cpu, 100, 40, 2500000);
}

static void test_v1(void **state)
{
	const struct fake_proc *root = *state;
	put(root, "cpu/box/cpu.cfs_quota_us", "6000\n");
	put(root, "cpu/box/cpu.cfs_period_us", "100000\n");
	put(root, "cpu/box/cpu.stat", "nr_periods 10\nnr_throttled 9\nthrottled_time 123456789\n");
	put(root, "cpu/cpu.cfs_quota_us", "-1\n");
	put(root, "cpu/cpu.cfs_period_us", "100000\n");
	struct nt_cgroup_cpu cpu = ask(root, "4:memory:/x\n3:cpuacct,cpu:/box\n0::/\n");
	assert_int_equal(cpu.quota_us, 6000);
	assert_int_equal(cpu.throttled_count, 9);
	assert_int_equal(cpu.throttled_us, 123456);
	put(root, "cpu/box/cpu.cfs_quota_us", "-1\n");
	assert_int_equal(ask(root, "3:cpuacct,cpu:/box\n").period_us, 0);
}

static void test_unknown(void **state)
{
	const struct fake_proc *root = *state;
	static const char *const texts[] = { "",
					     "0::/nowhere\n",
					     "0::/../beside\n",
					     "nonsense\n\n:\n::\n4:cpu\n",
					     "4:xcpu,cpux:/box\n",
					     "0::/a\n0::/a\n4:cpu:/b\n5:cpu:/b" };
	put(root, "beside/cpu.max", "1 2\n");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(ask(root, texts[i]).period_us, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_v2, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_pod, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_namespace, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_v1, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_unknown, fake_proc_setup, fake_proc_teardown),
	};
	return cmocka_run_group_tests_name("target/cgroup_cpu", tests, NULL, NULL);
}
