// SPDX-License-Identifier: GPL-2.0-only
/* The machine and the control groups of a process, in a /proc and a cgroup hierarchy of the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "source/procfs/procfs_host.h"

enum { PID = 7 };

static void put(const struct fake_proc *root, const char *path, const char *text)
{
	fake_proc_file(root, path, text, strlen(text));
}

/* One look: what it told of the machine and of the groups. */
static void look(const struct fake_proc *root, struct nt_ev_host *machine, struct nt_ev_cgroup *group)
{
	struct nt_outbox box;
	struct nt_procfs_host host = { .cgroup_root = root->root };
	char *folder = nt_format("%s/%d", root->root, PID);
	int dir_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	nt_outbox_init(&box, NT_SOURCE_PROCFS);
	nt_procfs_host_step(&host, dir_fd, PID, true, false, 0, &box);
	struct nt_batch *batch = nt_outbox_take(&box);
	assert_non_null(batch);
	assert_int_equal(batch->event_count, 2);
	assert_int_equal(batch->events[0].kind, NT_EV_HOST);
	assert_int_equal(batch->events[1].kind, NT_EV_CGROUP);
	*machine = batch->events[0].u.host;
	*group = batch->events[1].u.cgroup;
	nt_outbox_give_back(&box, batch);
	nt_outbox_fini(&box);
	nt_procfs_host_fini(&host);
	close(dir_fd);
	free(folder);
}

/* Of several processes that are looked at one after the other the machine is read once, and so are the groups that they have in common. */
static void test_shared(void **state)
{
	const struct fake_proc *root = *state;
	struct nt_procfs_machine machine = { 0 };
	struct nt_procfs_host hosts[] = { { .cgroup_root = root->root, .machine = &machine },
					  { .cgroup_root = root->root, .machine = &machine } };
	put(root, "stat", "cpu  100 0 0 9 9 0 0 7 0 0\ncpu0 100 0 0 9 9 0 0 7 0 0\n");
	put(root, "7/cgroup", "0::/app\n");
	put(root, "app/memory.max", "8192\n");
	put(root, "app/memory.current", "100\n");
	put(root, "other/memory.max", "9999\n");
	char *folder = nt_format("%s/%d", root->root, PID);
	int dir_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_PROCFS);
	nt_procfs_host_step(&hosts[0], dir_fd, PID, true, false, 0, &box);
	put(root, "stat", "cpu  900 0 0 9 9 0 0 7 0 0\ncpu0 900 0 0 9 9 0 0 7 0 0\n");
	put(root, "app/memory.current", "200\n");
	nt_procfs_host_step(&hosts[1], dir_fd, PID + 1, true, false, 0, &box);
	struct nt_batch *batch = nt_outbox_take(&box);
	assert_int_equal(batch->event_count, 4);
	const struct nt_event *first = &batch->events[0], *second = &batch->events[2];
	assert_true(first->kind == NT_EV_HOST && second->kind == NT_EV_HOST && first->pid == PID && second->pid == PID + 1);
	assert_int_equal(first->u.host.busy_ns, second->u.host.busy_ns);
	assert_int_equal(first->time, second->time);
	assert_int_equal(batch->events[1].u.cgroup.used_bytes, 100);
	assert_int_equal(batch->events[3].u.cgroup.used_bytes, 100);
	assert_int_equal(batch->events[3].pid, PID + 1);
	assert_int_equal(batch->events[1].time, batch->events[3].time);
	nt_outbox_give_back(&box, batch);
	/* One that is in another group, and what is old. */
	put(root, "7/cgroup", "0::/other\n");
	hosts[1].next_look = hosts[1].next_names = 0;
	nt_procfs_host_step(&hosts[1], dir_fd, PID + 1, true, false, 0, &box);
	batch = nt_outbox_take(&box);
	assert_int_equal(batch->events[1].u.cgroup.limit_bytes, 9999);
	nt_outbox_give_back(&box, batch);
	put(root, "7/cgroup", "0::/app\n");
	machine.read_at -= 100 * NT_NS_PER_MS;
	machine.groups[0].read_at -= 100 * NT_NS_PER_MS;
	hosts[0].next_look = 0;
	nt_procfs_host_step(&hosts[0], dir_fd, PID, true, false, 0, &box);
	batch = nt_outbox_take(&box);
	assert_int_equal(batch->events[1].u.cgroup.used_bytes, 200);
	assert_int_equal(batch->events[0].u.host.busy_ns, 900 * (NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK)));
	nt_outbox_give_back(&box, batch);
	nt_outbox_fini(&box);
	for (int i = 0; i < 2; i++)
		nt_procfs_host_fini(&hosts[i]);
	nt_procfs_machine_fini(&machine);
	close(dir_fd);
	free(folder);
}

static void test_what_is_there(void **state)
{
	const struct fake_proc *root = *state;
	struct nt_ev_host machine;
	struct nt_ev_cgroup group;
	put(root, "stat", "cpu  100 0 0 9 9 0 0 7 0 0\ncpu0 100 0 0 9 9 0 0 7 0 0\n");
	put(root, "meminfo", "MemTotal: 100 kB\nMemAvailable: 40 kB\nSwapTotal: 9 kB\nSwapFree: 4 kB\n");
	put(root, "pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n");
	put(root, "app/cpu.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=8\n");
	put(root, "7/cgroup", "0::/app\n");
	look(root, &machine, &group);
	assert_int_equal(machine.known, NT_HOST_CPUS | NT_HOST_MEMORY | NT_HOST_PRESSURE << NT_PRESSURE_IO);
	assert_int_equal(machine.available_bytes, 40 << 10);
	assert_int_equal(machine.swap_bytes, 5 << 10);
	assert_int_equal(machine.cpu_count, 1);
	assert_int_equal(group.known, NT_HOST_PRESSURE << NT_PRESSURE_CPU);
	assert_int_equal(group.pressure_ns[NT_PRESSURE_CPU], 8 * NT_NS_PER_US);
}

/* Of the root of all groups the pressure is the machine's: no group's is told. */
static void test_root(void **state)
{
	const struct fake_proc *root = *state;
	struct nt_ev_host machine;
	struct nt_ev_cgroup group;
	put(root, "cpu.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=8\n");
	put(root, "7/cgroup", "0::/\n");
	look(root, &machine, &group);
	assert_int_equal(machine.known, 0);
	assert_int_equal(group.known, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_what_is_there, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_shared, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_root, fake_proc_setup, fake_proc_teardown),
	};
	return cmocka_run_group_tests_name("source/procfs_host", tests, NULL, NULL);
}
