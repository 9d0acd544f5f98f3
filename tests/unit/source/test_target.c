// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "read_here.h"
#include "target/process/parts.h"
#include "target/process/started.h"
#include "target/process/target.h"

static const char dotnet_maps[] =
	"7f23bba90000-7f23bc5dc000 r-xp 00000000 08:01 100 "
	"/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/System.Private.CoreLib.dll\n"
	"7f23bd000000-7f23bd100000 r-xp 00111000 00:01 1234 /memfd:doublemapper (deleted)\n"
	"7f23be000000-7f23be600000 r-xp 00000000 08:01 101 /usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so\n"
	"7f23bf000000-7f23bf010000 r-xp 00000000 08:01 102 "
	"/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclrtraceptprovider.so\n"
	"7f23bf100000-7f23bf110000 r-xp 00000000 08:01 103 /opt/ust/liblttng-ust.so.0.0.0\n"
	"7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0 [vdso]\n";

/* A process with everything that nt_target_find() reads. */
static void make_process(const struct fake_proc *proc, unsigned pid, const char *comm, const char *cmdline, size_t cmdline_length,
			 const char *maps)
{
	fake_proc_stat(proc, pid, "stat",
		       &(struct fake_stat){ .id = pid, .comm = comm, .state = 'S', .threads = 3, .start_ticks = 5000 + pid });
	char *status = nt_format("Name:\t%s\nUid:\t%u\t%u\t%u\t%u\nGid:\t1\t1\t1\t1\nNSpid:\t%u\t1\nCpus_allowed:\tff\n", comm, getuid(),
				 getuid(), getuid(), getuid(), pid);
	fake_proc_text(proc, pid, "status", status);
	free(status);
	fake_proc_bytes(proc, pid, "cmdline", cmdline, cmdline_length);
	fake_proc_text(proc, pid, "maps", maps);
	fake_proc_text(proc, pid, "environ", "");
}

#define CMDLINE(text) text, sizeof(text)

static struct nt_target *find(const struct fake_proc *proc, const char *what)
{
	struct nt_target *target = NULL;
	struct nt_error err = { 0 };
	if (nt_target_find(proc->root, what, &target, &err) != NT_OK)
		fail_msg("%s", err.cause[0]);
	return target;
}

static enum nt_status refused(const struct fake_proc *proc, const char *what, const char *words)
{
	struct nt_target *target = NULL;
	struct nt_error err = { 0 };
	enum nt_status status = nt_target_find(proc->root, what, &target, &err);
	assert_true(status < 0);
	assert_null(target);
	if (!strstr(err.cause[0], words))
		fail_msg("\"%s\" does not say \"%s\"", err.cause[0], words);
	return status;
}

static void test_framework_dependent(void **state)
{
	struct fake_proc *proc = *state;
	make_process(proc, 4711, "dotnet",
		     CMDLINE("dotnet\0exec\0/srv/Shop.Web.dll\0--port\0"
			     "80"),
		     dotnet_maps);
	static const char environment[] = "PATH=/bin\0DOTNET_EnableEventLog=1\0COMPlus_EventSourceFilter=NoSuchSource\0"
					  "DOTNET_PerfMapEnabled=3\0DOTNET_PerfMapJitDumpPath=/var/maps\0";
	fake_proc_bytes(proc, 4711, "environ", environment, sizeof(environment) - 1);
	fake_proc_text(proc, 4711, "task/4711/comm", "dotnet\n");
	fake_proc_text(proc, 4711, "task/4720/comm", ".NET Server GC\n");
	struct nt_target *target = find(proc, "4711");
	assert_int_equal(target->pid, 4711);
	assert_int_equal(target->ns_pid, 1);
	assert_int_equal(target->start_ticks, 5000 + 4711);
	assert_int_equal(target->uid, getuid());
	assert_int_equal(target->cpu_count, 8);
	assert_string_equal(target->name, "Shop.Web");
	assert_string_equal(target->command, "dotnet exec /srv/Shop.Web.dll --port 80");
	assert_true(target->is_dotnet);
	assert_string_equal(target->runtime, "10.0.12");
	assert_int_equal(target->deployment, NT_DEPLOYED_SHARED);
	assert_string_equal(target->runtime_dir, "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12");
	assert_true(target->provider_loaded);
	assert_string_equal(target->ust_soname, "liblttng-ust.so.0");
	assert_int_equal(target->server_gc, 1);
	assert_int_equal(target->mode, NT_MODE_N);
	assert_true(target->perf_map_enabled);
	assert_string_equal(target->perf_map_dir, "/var/maps");
	assert_true(nt_target_alive(target));
	nt_target_free(target);
}

static void test_self_contained(void **state)
{
	struct fake_proc *proc = *state;
	make_process(proc, 4712, "Shop.Api", CMDLINE("/opt/shop/Shop.Api"),
		     "7f0000000000-7f0000600000 r-xp 00000000 08:01 9 /opt/shop/libcoreclr.so\n");
	fake_proc_text(proc, 4712, "root/opt/shop/Shop.Api.runtimeconfig.json",
		       "{\"runtimeOptions\":{\"includedFrameworks\":[{\"name\":\"Microsoft.AspNetCore.App\",\"version\":\"9.9.9\"},"
		       "{\"name\":\"Microsoft.NETCore.App\",\"version\":\"8.0.3\"}]}}");
	struct nt_target *target = find(proc, "4712");
	assert_string_equal(target->name, "Shop.Api");
	assert_string_equal(target->runtime, "8.0.3");
	assert_int_equal(target->deployment, NT_DEPLOYED_SELF_CONTAINED);
	assert_false(target->provider_loaded);
	assert_null(target->ust_soname);
	nt_target_free(target);
}

/* The runtime of a self-contained single file is in the executable. */
static void test_single_file(void **state)
{
	struct fake_proc *proc = *state;
	make_process(proc, 4713, "one", CMDLINE("./one"),
		     "7f0000000000-7f0000600000 r-xp 00111000 00:01 9 /memfd:doublemapper (deleted)\n");
	struct nt_target *target = find(proc, "4713");
	assert_true(target->is_dotnet);
	assert_null(target->runtime);
	assert_int_equal(target->deployment, NT_DEPLOYED_UNKNOWN); /* there is no executable here that could say so */
	nt_target_free(target);
}

/* Which requests a runtime is sent follows from it: with a version that says nothing, those that every supported one knows. */
static void test_major_version(void **state)
{
	(void)state;
	static const struct {
		const char *runtime;
		unsigned major;
	} cases[] = { { "10.0.12", 10 }, { "9.0.0-rc.1", 9 }, { "7.0.20", 7 }, { NULL, 8 }, { "0.0.0", 8 }, { "99999999999999999999", 8 } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct nt_target target = { .runtime = (char *)(uintptr_t)cases[i].runtime };
		assert_int_equal(nt_target_runtime_major(&target), cases[i].major);
	}
}

static void test_not_dotnet(void **state)
{
	struct fake_proc *proc = *state;
	make_process(proc, 4714, "nginx", CMDLINE("nginx: master process"), "7f0000000000-7f0000600000 r-xp 0 08:01 9 /usr/sbin/nginx\n");
	struct nt_target *target = find(proc, "4714");
	assert_false(target->is_dotnet);
	nt_target_free(target);
}

static void test_no_such_process(void **state)
{
	struct fake_proc *proc = *state;
	assert_int_equal(refused(proc, "99", "no process 99"), NT_ERR_ABSENT);
	assert_int_equal(refused(proc, "0", "not a pid"), NT_ERR_USAGE);
	assert_int_equal(refused(proc, "99999999999999999999", "not a pid"), NT_ERR_USAGE);
	assert_int_equal(refused(proc, "nobody", "no process is named nobody"), NT_ERR_ABSENT);
	assert_int_equal(refused(proc, "a\033[2J", "\\x1b"), NT_ERR_ABSENT);
}

static void test_zombie(void **state)
{
	struct fake_proc *proc = *state;
	fake_proc_stat(proc, 4715, "stat", &(struct fake_stat){ .id = 4715, .comm = "web", .state = 'Z', .threads = 1 });
	assert_int_equal(refused(proc, "4715", "zombie"), NT_ERR_GONE);
	/* A leader that left its threads behind is listed as Z as well, but the process lives. */
	make_process(proc, 4716, "web", CMDLINE("web"), dotnet_maps);
	fake_proc_stat(proc, 4716, "stat", &(struct fake_stat){ .id = 4716, .comm = "web", .state = 'Z', .threads = 5, .start_ticks = 1 });
	nt_target_free(find(proc, "4716"));
}

static void test_thread(void **state)
{
	struct fake_proc *proc = *state;
	make_process(proc, 4719, "web", CMDLINE("web"), dotnet_maps);
	fake_proc_text(proc, 4719, "status", "Name:\tweb\nTgid:\t4711\nPid:\t4719\n");
	assert_int_equal(refused(proc, "4719", "4719 is a thread of process 4711"), NT_ERR_USAGE);
}

static void test_foreign_user(void **state)
{
	struct fake_proc *proc = *state;
	make_process(proc, 4717, "web", CMDLINE("web"), dotnet_maps);
	char *maps = nt_format("%s/4717/maps", proc->root);
	assert_int_equal(chmod(maps, 0), 0);
	free(maps);
	uid_t uid = geteuid();
	if (uid == 0)
		assert_int_equal(seteuid(65534), 0); /* root may read everything */
	assert_int_equal(refused(proc, "4717", "/test_target -p 4717"), NT_ERR_FORBIDDEN);
	if (uid == 0)
		assert_int_equal(seteuid(0), 0);
}

static void test_pid_used_again(void **state)
{
	struct fake_proc *proc = *state;
	make_process(proc, 4718, "web", CMDLINE("web"), dotnet_maps);
	struct nt_target *target = find(proc, "4718");
	assert_true(nt_target_alive(target));
	fake_proc_stat(proc, 4718, "stat", &(struct fake_stat){ .id = 4718, .comm = "web", .state = 'S', .start_ticks = 99999 });
	assert_false(nt_target_alive(target));
	nt_target_free(target);
}

static void test_by_name(void **state)
{
	struct fake_proc *proc = *state;
	make_process(proc, 100, "dotnet", CMDLINE("dotnet\0/srv/Orders.dll"), dotnet_maps);
	make_process(proc, 101, "sh", CMDLINE("sh\0-c\0dotnet Orders.dll"), "");
	make_process(proc, 102, "bash", CMDLINE("Billing"), "");
	make_process(proc, 103, "Billing", CMDLINE("./Billing"), dotnet_maps);
	struct nt_target *target = find(proc, "Orders");
	assert_int_equal(target->pid, 100);
	nt_target_free(target);
	/* Two bear the name, one is .NET. */
	target = find(proc, "Billing");
	assert_int_equal(target->pid, 103);
	nt_target_free(target);
	make_process(proc, 104, "dotnet", CMDLINE("dotnet\0/other/Orders.dll"), dotnet_maps);
	assert_int_equal(refused(proc, "billing", "no process is named billing, in these letters; there is "), NT_ERR_ABSENT);
	assert_int_equal(refused(proc, "Orders", "2 processes are named Orders: "), NT_ERR_USAGE);
	refused(proc, "Orders", " 100 dotnet /srv/Orders.dll;");
	refused(proc, "Orders", " 104 dotnet /other/Orders.dll;");
	/* The order is that of the pids, and what does not fit is cut, not the sentence. */
	for (unsigned pid = 110; pid < 120; pid++)
		make_process(proc, pid, "dotnet", CMDLINE("dotnet\0/a/rather/long/path/to/the/program/Orders.dll\0--with\0arguments"),
			     dotnet_maps);
	refused(proc, "Orders", "12 processes are named Orders: 100 dotnet /srv/Orders.dll; 104 ");
	refused(proc, "Orders", " …; say which pid");
}

static void test_program_names(void **state)
{
	(void)state;
	static const struct {
		const char *cmdline;
		size_t length;
		const char *name;
	} cases[] = {
		{ CMDLINE("dotnet\0Shop.dll"), "Shop" },
		{ CMDLINE("/usr/bin/dotnet\0exec\0--runtimeconfig\0x.json\0/a/b/Shop.Web.dll\0other.dll"), "Shop.Web" },
		{ CMDLINE("dotnet\0run"), "dotnet" },
		{ CMDLINE("./bin/Shop"), "Shop" },
		{ CMDLINE("Shop.exe"), "Shop" },
		{ CMDLINE("nginx: worker process"), "nginx: worker process" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *name = nt_target_program_name(cases[i].cmdline, cases[i].length);
		assert_string_equal(name, cases[i].name);
		free(name);
	}
	assert_null(nt_target_program_name("", 0));
}

static void test_modes(void **state)
{
	(void)state;
	static const struct {
		const char *environment;
		size_t length;
		enum nt_target_mode mode;
	} cases[] = {
		{ CMDLINE("A=b"), NT_MODE_NONE },
		{ CMDLINE("DOTNET_EnableEventLog=0"), NT_MODE_NONE },
		{ CMDLINE("DOTNET_EnableEventLog=1\0DOTNET_EventSourceFilter=NoSuchSource"), NT_MODE_N },
		{ CMDLINE("DOTNET_EnableEventLog=0x1\0DOTNET_EventSourceFilter=Microsoft-Windows-DotNETRuntime"), NT_MODE_F },
		/* The filter is a part of the name, in any case. */
		{ CMDLINE("DOTNET_EnableEventLog=1\0DOTNET_EventSourceFilter=dotnetruntime"), NT_MODE_F },
		{ CMDLINE("COMPlus_EnableEventLog=1"), NT_MODE_ALL },
		/* DOTNET_ is looked at first. */
		{ CMDLINE("COMPlus_EnableEventLog=1\0DOTNET_EnableEventLog=0"), NT_MODE_NONE },
		{ CMDLINE("DOTNET_EnableEventLog=yes"), NT_MODE_NONE },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_target *target = nt_alloc(sizeof(*target));
		target->pidfd = -1;
		nt_target_apply_environment(target, cases[i].environment, cases[i].length);
		assert_int_equal(target->mode, cases[i].mode);
		assert_string_equal(target->perf_map_dir, "/tmp");
		nt_target_free(target);
	}
}

/* What is asked for is not what it has: with one CPU the runtime takes workstation GC. The finalizer's thread is there when the heap is. */
static void test_server_gc_is_what_its_threads_say(void **state)
{
	struct fake_proc *proc = *state;
	static const char asked[] = "DOTNET_gcServer=1", off[] = "DOTNET_gcServer=0", other[] = "A=b";
	static const struct {
		const char *environment, *thread;
		uint32_t server_gc;
	} cases[] = {
		{ asked, ".NET Server GC\n", 1 }, { asked, ".NET Finalizer\n", 0 }, { asked, ".NET SigHandler\n", 2 },
		{ other, ".NET Server GC\n", 1 }, { other, ".NET Finalizer\n", 0 }, { other, ".NET SigHandler\n", 2 },
		{ off, ".NET SigHandler\n", 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t pid = 5000 + (uint32_t)i;
		char file[32], name[16];
		make_process(proc, pid, "dotnet", CMDLINE("dotnet\0/srv/Shop.Web.dll"), dotnet_maps);
		fake_proc_bytes(proc, pid, "environ", cases[i].environment, strlen(cases[i].environment) + 1);
		snprintf(file, sizeof(file), "task/%u/comm", pid + 100);
		fake_proc_text(proc, pid, file, cases[i].thread);
		snprintf(name, sizeof(name), "%u", pid);
		struct nt_target *target = find(proc, name);
		assert_int_equal(target->server_gc, cases[i].server_gc);
		nt_target_free(target);
	}
}

static void test_was_started_and_ended_at_once(void **state)
{
	struct fake_proc *proc = *state;
	static char dotnet[] = "dotnet", dll[] = "/srv/Shop.Web.dll", hostile[] = "\033[2J", log[] = "DOTNET_EnableEventLog=1",
		    filter[] = "DOTNET_EventSourceFilter=NoSuchSource", map[] = "DOTNET_PerfMapEnabled=3";
	make_process(proc, 4711, "nettop", CMDLINE("nettop\0run\0--\0dotnet"), "");
	struct nt_target *target = find(proc, "4711");
	nt_target_was_started(target, (char *[]){ dotnet, dll, hostile, NULL }, (char *[]){ log, filter, map, NULL });
	assert_string_equal(target->name, "Shop.Web");
	assert_string_equal(target->command, "dotnet /srv/Shop.Web.dll \\x1b[2J");
	assert_true(target->is_dotnet && target->provider_loaded && target->perf_map_enabled);
	assert_int_equal(target->mode, NT_MODE_N);
	assert_string_equal(target->perf_map_dir, "/tmp");
	nt_target_free(target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_framework_dependent, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_self_contained, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_single_file, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test(test_major_version),
		cmocka_unit_test_setup_teardown(test_not_dotnet, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_no_such_process, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_zombie, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_thread, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_foreign_user, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_pid_used_again, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_by_name, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test(test_program_names),
		cmocka_unit_test(test_modes),
		cmocka_unit_test_setup_teardown(test_server_gc_is_what_its_threads_say, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_was_started_and_ended_at_once, fake_proc_setup, fake_proc_teardown),
	};
	nt_executable_is_read_by(read_here);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
