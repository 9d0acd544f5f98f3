// SPDX-License-Identifier: GPL-2.0-only
/* The list of .NET processes, from a /proc of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "source/processes/process_scan.h"

#include <fcntl.h>

#define CORECLR "7f0000000000-7f0000600000 r-xp 00000000 08:01 9 "
static const char shared_maps[] = CORECLR "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so\n";
static const char other_maps[] = CORECLR "/usr/sbin/nginx\n";

static void make_process(const struct fake_proc *proc, unsigned pid, const char *comm, const char *maps)
{
	fake_proc_stat(proc, pid, "stat",
		       &(struct fake_stat){ .id = pid,
					    .comm = comm,
					    .state = 'S',
					    .threads = 7,
					    .user_ticks = 30,
					    .kernel_ticks = 12,
					    .start_ticks = 100 + pid,
					    .rss_pages = 1000 });
	char *status = nt_format("Name:\t%s\nTgid:\t%u\nUid:\t%u\t%u\t%u\t%u\nGid:\t1\t1\t1\t1\n", comm, pid, getuid(), getuid(), getuid(),
				 getuid());
	fake_proc_text(proc, pid, "status", status);
	free(status);
	char *cmdline = nt_format("/srv/%s", comm);
	fake_proc_bytes(proc, pid, "cmdline", cmdline, strlen(cmdline) + 1);
	free(cmdline);
	fake_proc_text(proc, pid, "maps", maps);
	fake_proc_text(proc, pid, "environ", "");
}

static void remove_process(const struct fake_proc *proc, unsigned pid)
{
	char *path = nt_format("%s/%u", proc->root, pid);
	nt_file_remove_tree(path);
	free(path);
}

static struct nt_process_scan_result look(struct nt_process_scan *scan)
{
	struct nt_process_scan_result result;
	struct nt_error err = { 0 };
	if (nt_process_scan_look(scan, &result, &err) != NT_OK)
		fail_msg("%s", err.cause[0]);
	return result;
}

static const struct nt_process_row *row_of(const struct nt_process_scan_result *result, uint32_t pid)
{
	for (size_t i = 0; i < result->count; i++)
		if (result->rows[i].pid == pid)
			return &result->rows[i];
	return NULL;
}

static void test_what_is_told(void **state)
{
	const struct fake_proc *proc = *state;
	make_process(proc, 10, "nginx", other_maps);
	make_process(proc, 11, "Shop", shared_maps);
	fake_proc_bytes(proc, 11, "environ", "DOTNET_EnableEventLog=1\0DOTNET_EventSourceFilter=None", 53);
	make_process(proc, 12, "Api", CORECLR "/opt/api/libcoreclr.so\n");
	fake_proc_file(proc, "uptime", "1 1\n", 4);
	struct nt_process_scan *scan = nt_process_scan_new(proc->root, 0, false, NULL);
	struct nt_process_scan_result result = look(scan);
	assert_int_equal(result.count, 2);
	const struct nt_process_row *shop = row_of(&result, 11);
	assert_string_equal(shop->name, "Shop");
	assert_string_equal(shop->command, "/srv/Shop");
	assert_string_equal(shop->runtime, "10.0.12");
	assert_int_equal(shop->deployment, NT_DEPLOYED_SHARED);
	assert_int_equal(shop->mode, NT_MODE_N);
	assert_false(shop->closed);
	assert_int_equal(shop->cpu_ns.v, 42 * (NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK)));
	assert_int_equal(shop->rss_bytes.v, 1000 * sysconf(_SC_PAGESIZE));
	assert_int_equal(shop->thread_count.v, 7);
	assert_true(shop->uptime_ns.known && shop->uptime_ns.v > 0);
	const struct nt_process_row *api = row_of(&result, 12);
	assert_int_equal(api->deployment, NT_DEPLOYED_SELF_CONTAINED);
	assert_null(api->runtime);
	assert_int_equal(api->mode, NT_MODE_NONE);
	assert_int_equal(api->usable[0].state, NT_USABLE_MISSING);
	assert_non_null(api->usable[0].why);
	nt_process_scan_free(scan);
}

/* A shell executes the program: same pid, same start. Then the program ends, and another one gets its pid. */
static void test_one_pid_over_time(void **state)
{
	const struct fake_proc *proc = *state;
	make_process(proc, 20, "sh", other_maps);
	struct nt_process_scan *scan = nt_process_scan_new(proc->root, 0, false, NULL);
	struct nt_process_scan_result result = look(scan);
	assert_int_equal(result.count, 0);
	make_process(proc, 20, "Shop", shared_maps);
	result = look(scan);
	assert_int_equal(result.count, 1);
	uint64_t id = result.rows[0].id;
	assert_int_equal(look(scan).rows[0].id, id);
	fake_proc_stat(proc, 20, "stat", &(struct fake_stat){ .id = 20, .comm = "Shop", .state = 'S', .start_ticks = 999 });
	result = look(scan);
	assert_int_equal(result.count, 1);
	assert_true(result.rows[0].id != id);
	fake_proc_stat(proc, 20, "stat", &(struct fake_stat){ .id = 20, .comm = "Shop", .state = 'Z', .threads = 1, .start_ticks = 999 });
	assert_int_equal(look(scan).count, 0);
	remove_process(proc, 20);
	assert_int_equal(look(scan).count, 0);
	nt_process_scan_free(scan);
}

/* Of another user's process the kernel shows its names, its numbers and the names of its threads. */
static void test_closed_process(void **state)
{
	const struct fake_proc *proc = *state;
	static const char *const closed[] = { "maps", "environ" };
	make_process(proc, 30, "Pay", shared_maps);
	make_process(proc, 31, "nginx", other_maps);
	fake_proc_text(proc, 30, "task/30/comm", "Pay\n");
	fake_proc_text(proc, 30, "task/33/comm", ".NET Finalizer\n");
	fake_proc_text(proc, 31, "task/31/comm", "nginx\n");
	for (unsigned pid = 30; pid <= 31; pid++)
		for (size_t i = 0; i < 2; i++) {
			char *path = nt_format("%s/%u/%s", proc->root, pid, closed[i]);
			assert_int_equal(chmod(path, 0), 0);
			free(path);
		}
	uid_t uid = geteuid();
	if (uid == 0)
		assert_int_equal(seteuid(65534), 0);
	struct nt_process_scan *scan = nt_process_scan_new(proc->root, 0, false, NULL);
	struct nt_process_scan_result result = look(scan);
	if (uid == 0)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(result.count, 1);
	const struct nt_process_row *pay = &result.rows[0];
	assert_string_equal(pay->name, "Pay");
	assert_true(pay->closed);
	assert_null(pay->runtime);
	assert_int_equal(pay->mode, NT_MODE_UNKNOWN);
	assert_int_equal(pay->deployment, NT_DEPLOYED_UNKNOWN);
	assert_int_equal(pay->thread_count.v, 7);
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++) {
		assert_int_equal(pay->usable[i].state, NT_USABLE_FORBIDDEN);
		assert_non_null(strstr(pay->usable[i].why, "run nettop as that user or as root"));
	}
	nt_process_scan_free(scan);
}

/* A process whose files never answer is left out, asked once, and holds nobody else up. */
static void test_one_that_hangs(void **state)
{
	const struct fake_proc *proc = *state;
	make_process(proc, 40, "Stuck", shared_maps);
	make_process(proc, 41, "Shop", shared_maps);
	char *path = nt_format("%s/40/maps", proc->root);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0644), 0);
	struct nt_process_scan *scan = nt_process_scan_new(proc->root, 0, false, NULL);
	for (int i = 0; i < 3; i++) {
		struct nt_process_scan_result result = look(scan);
		assert_int_equal(result.count, 1);
		assert_int_equal(result.rows[0].pid, 41);
	}
	/* It was asked once: one thread waits in open(), and nobody after it. */
	int fd = open(path, O_WRONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	close(fd);
	free(path);
	nt_process_scan_free(scan);
}

static void test_cancelled(void **state)
{
	const struct fake_proc *proc = *state;
	make_process(proc, 50, "Shop", shared_maps);
	struct nt_process_scan *scan = nt_process_scan_new(proc->root, 0, false, NULL);
	struct nt_process_scan_result result;
	nt_process_scan_cancel(scan);
	assert_int_equal(nt_process_scan_look(scan, &result, NULL), NT_END);
	nt_process_scan_free(scan);
}

/* ---- some of them ---- */

static struct nt_process_scan *chosen(const struct fake_proc *proc, const struct nt_process_choice *choice)
{
	return nt_process_scan_new(proc->root, 0, false, choice);
}

static void start(const struct fake_proc *proc, unsigned pid, const char *comm, unsigned long start_ticks)
{
	make_process(proc, pid, comm, shared_maps);
	fake_proc_stat(proc, pid, "stat", &(struct fake_stat){ .id = pid, .comm = comm, .state = 'S', .start_ticks = start_ticks });
}

enum { SINCE_THE_LIST = 4000000000U };

static void test_by_name(void **state)
{
	const struct fake_proc *proc = *state;
	make_process(proc, 11, "Shop", shared_maps);
	make_process(proc, 12, "Api", shared_maps);
	struct nt_process_scan *scan = chosen(proc, &(struct nt_process_choice){ .named = "Shop,77" });
	struct nt_process_scan_result result = look(scan);
	assert_int_equal(result.count, 1);
	start(proc, 13, "Shop", SINCE_THE_LIST);
	result = look(scan);
	assert_true(result.count == 2 && row_of(&result, 13));
	start(proc, 77, "Api", SINCE_THE_LIST); /* the pid means who had it when the list began */
	result = look(scan);
	assert_true(result.count == 2 && !row_of(&result, 77));
	nt_process_scan_free(scan);
}

/* Who begins with the command of one that has ended is its successor, and so on; one that was there beside it is not. */
static void test_successor_of_a_pid(void **state)
{
	const struct fake_proc *proc = *state;
	make_process(proc, 11, "Shop", shared_maps);
	make_process(proc, 12, "Shop", shared_maps);
	struct nt_process_scan *scan = chosen(proc, &(struct nt_process_choice){ .named = "11" });
	struct nt_process_scan_result result = look(scan);
	assert_true(result.count == 1 && row_of(&result, 11));
	for (unsigned pid = 20; pid < 23; pid++) {
		remove_process(proc, pid == 20 ? 11 : pid - 1);
		assert_int_equal(look(scan).count, 0);
		start(proc, pid + 100, "Api", SINCE_THE_LIST);
		start(proc, pid, "Shop", SINCE_THE_LIST + pid);
		result = look(scan);
		assert_true(result.count == 1 && row_of(&result, pid));
	}
	start(proc, 30, "Shop", SINCE_THE_LIST);
	assert_int_equal(look(scan).count, 1);
	nt_process_scan_free(scan);
}

/* The parent of every process here is 1. */
static void test_children(void **state)
{
	const struct fake_proc *proc = *state;
	make_process(proc, 1, "sh", other_maps);
	make_process(proc, 11, "Shop", shared_maps);
	struct nt_process_scan *scan = chosen(proc, &(struct nt_process_choice){ .named = "sh", .children = true });
	assert_int_equal(look(scan).count, 1);
	nt_process_scan_free(scan);
	scan = chosen(proc, &(struct nt_process_choice){ .named = "sh" });
	assert_int_equal(look(scan).count, 0);
	nt_process_scan_free(scan);
}

static void test_of_a_group(void **state)
{
	const struct fake_proc *proc = *state;
	make_process(proc, 11, "Shop", shared_maps);
	make_process(proc, 12, "Api", shared_maps); /* whose group is not known */
	fake_proc_text(proc, 11, "cgroup", "0::/shop.slice/a\n");
	struct nt_process_scan *scan = chosen(proc, &(struct nt_process_choice){ .cgroup = "/shop.slice" });
	struct nt_process_scan_result result = look(scan);
	assert_true(result.count == 1 && row_of(&result, 11));
	nt_process_scan_free(scan);
	scan = chosen(proc, &(struct nt_process_choice){ .named = "Api", .cgroup = "/shop.slice" });
	assert_int_equal(look(scan).count, 0);
	nt_process_scan_free(scan);
}

static void test_machine(void **state)
{
	const struct fake_proc *proc = *state;
	fake_proc_file(proc, "stat", "cpu  100 0 50 1000 0 0 0 7 0 0\ncpu0 100 0 50 1000 0 0 0 7 0 0\n", 63);
	struct nt_process_scan *scan = nt_process_scan_new(proc->root, 0, false, NULL);
	struct nt_process_scan_result result = look(scan);
	assert_true(result.busy_ns.known && result.busy_ns.v == 150 * (NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK)));
	assert_true(result.all_ns.known && result.all_ns.v > result.busy_ns.v);
	nt_process_scan_free(scan);
}

static void test_no_proc(void **state)
{
	(void)state;
	struct nt_process_scan *scan = nt_process_scan_new("/nonexistent", 0, false, NULL);
	struct nt_process_scan_result result;
	struct nt_error err = { 0 };
	assert_int_equal(nt_process_scan_look(scan, &result, &err), NT_ERR_FAILED);
	assert_non_null(strstr(err.cause[0], "/nonexistent"));
	nt_process_scan_free(scan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_what_is_told, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_one_pid_over_time, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_closed_process, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_one_that_hangs, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_cancelled, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_by_name, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_successor_of_a_pid, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_children, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_of_a_group, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_machine, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test(test_no_proc),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
