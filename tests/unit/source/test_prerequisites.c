// SPDX-License-Identifier: GPL-2.0-only
/* Verdicts from facts: no file is read here. Each case is a machine and a target that differ in one thing from ones where all is well. */
#include "prerequisites_fixture.h"

#include <errno.h>
#include <linux/capability.h>

#include "target/common/as_root.h"
#include "target/process/settings.h"

static void expect_ok(const struct fixture *f, enum nt_prerequisite_id id, const char *words)
{
	struct nt_verdict verdict;
	assert_true(nt_prerequisite_judge(&nt_prerequisites[id], &f->facts, &verdict));
	if (verdict.state != NT_VERDICT_OK)
		fail_msg("%s is %s: %s", nt_prerequisites[id].key, nt_verdict_name(verdict.state), verdict.found);
	if (!strstr(verdict.found, words))
		fail_msg("%s: \"%s\" does not say \"%s\"", nt_prerequisites[id].key, verdict.found, words);
}

static void test_all_is_well(void **state)
{
	struct fixture *f = *state;
	for (unsigned id = 0; id < NT_PREREQUISITE_COUNT; id++)
		expect_ok(f, id, "");
}

/* The table itself: what is printed from it is complete. */
static void test_every_entry_is_whole(void **state)
{
	(void)state;
	for (unsigned id = 0; id < NT_PREREQUISITE_COUNT; id++) {
		const struct nt_prerequisite *prerequisite = &nt_prerequisites[id];
		assert_true(prerequisite->key && *prerequisite->key && prerequisite->looked_at && *prerequisite->looked_at);
		assert_non_null(prerequisite->judge);
		for (unsigned k = 0; k < NT_FAILURES_MAX && prerequisite->failures[k].lost; k++)
			assert_non_null(prerequisite->failures[k].fix);
		for (unsigned other = 0; other < id; other++)
			assert_string_not_equal(prerequisite->key, nt_prerequisites[other].key);
	}
}

static void test_scopes(void **state)
{
	struct fixture *f = *state;
	struct nt_verdict verdict;
	f->target.is_dotnet = false;
	assert_false(nt_prerequisite_judge(&nt_prerequisites[NT_NEEDS_PERF_MAP], &f->facts, &verdict));
	expect(f, NT_NEEDS_RUNTIME, NT_VERDICT_MISSING, "process 4711 is not a .NET process", "");
	f->facts.target = NULL;
	assert_false(nt_prerequisite_judge(&nt_prerequisites[NT_NEEDS_RUNTIME], &f->facts, &verdict));
	for (unsigned id = 0; id < NT_PREREQUISITE_COUNT; id++)
		if (nt_prerequisite_judge(&nt_prerequisites[id], &f->facts, &verdict))
			expect_ok(f, id, "");
}

static void test_perf_permission(void **state)
{
	struct fixture *f = *state;
	f->facts.perf_event_paranoid.value = 2;
	expect(f, NT_NEEDS_PERF_PARANOID, NT_VERDICT_FORBIDDEN, "no kernel code in the CPU samples: kernel.perf_event_paranoid is 2",
	       "sudo sysctl kernel.perf_event_paranoid=1");
	expect(f, NT_NEEDS_CAP_PERFMON, NT_VERDICT_MISSING, "no kernel code", "sudo setcap cap_perfmon=ep /opt/bin/nettop");
	f->facts.perf_event_paranoid.value = 4;
	expect(f, NT_NEEDS_PERF_PARANOID, NT_VERDICT_FORBIDDEN, "no kernel code in the CPU samples: kernel.perf_event_paranoid is 4",
	       "sudo sysctl kernel.perf_event_paranoid=1");
	f->facts.perf_error = EACCES;
	expect(f, NT_NEEDS_PERF_PARANOID, NT_VERDICT_FORBIDDEN, "no CPU samples: kernel.perf_event_paranoid is 4",
	       "sudo sysctl kernel.perf_event_paranoid=1");
	expect_ok(f, NT_NEEDS_PERF_OPEN, "see perf_event_paranoid");
	f->facts.capabilities = CAP(PERFMON);
	expect_ok(f, NT_NEEDS_PERF_PARANOID, "overrides");
	expect_ok(f, NT_NEEDS_CAP_PERFMON, "nettop has it");
	expect(f, NT_NEEDS_PERF_OPEN, NT_VERDICT_FORBIDDEN, "no CPU samples: the kernel refuses although nettop has CAP_PERFMON",
	       "run nettop on the host, or the container with --cap-add PERFMON and a seccomp profile that allows perf_event_open");
	f->facts.perf_error = ENOSYS;
	expect(f, NT_NEEDS_PERF_OPEN, NT_VERDICT_MISSING, "CONFIG_PERF_EVENTS", "");
	f->facts.perf_filtered = true; /* whatever else may be wrong */
	f->facts.capabilities = 0;
	static const int errors[] = { ENOSYS, EPERM, EACCES };
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		f->facts.perf_error = errors[i];
		expect(f, NT_NEEDS_PERF_OPEN, NT_VERDICT_FORBIDDEN, "no CPU samples: a seccomp filter keeps perf_event_open from nettop",
		       "run nettop on the host, or the container with --cap-add PERFMON and a seccomp profile that allows perf_event_open");
	}
	f->facts.perf_error = 0;
	expect_ok(f, NT_NEEDS_PERF_OPEN, "allows it");
}

/* Each cause has its own sentence, and one thing that helps. */
static void test_perf_of_several(void **state)
{
	struct fixture *f = *state;
	f->facts.target = NULL;
	f->facts.perf_of_cpus = true;
	f->facts.perf_error = EACCES;
	expect(f, NT_NEEDS_CAP_PERFMON, NT_VERDICT_FORBIDDEN,
	       "no CPU samples: several processes are sampled by CPU, kernel.perf_event_paranoid is 1 and nettop runs without CAP_PERFMON",
	       "sudo setcap cap_perfmon=ep /opt/bin/nettop");
	f->facts.uid = 0;
	expect(f, NT_NEEDS_CAP_PERFMON, NT_VERDICT_FORBIDDEN, "and nettop runs without CAP_PERFMON",
	       "start nettop's container with --cap-add PERFMON");
	f->facts.capabilities = ~UINT64_C(0);
	f->facts.in_user_namespace = true;
	expect(f, NT_NEEDS_CAP_PERFMON, NT_VERDICT_FORBIDDEN, "and nettop has CAP_PERFMON in a user namespace only",
	       "run nettop on the host");
	expect_ok(f, NT_NEEDS_PERF_OPEN, "see perf_event_paranoid");
	f->facts.perf_event_paranoid.value = 0;
	expect_ok(f, NT_NEEDS_CAP_PERFMON, "not needed");
	f->facts.in_user_namespace = false;
	expect(f, NT_NEEDS_PERF_OPEN, NT_VERDICT_FORBIDDEN, "a security module or lockdown",
	       "run nettop on the host, or the container with --cap-add PERFMON and a seccomp profile that allows perf_event_open");
}

static void test_perf_in_a_container(void **state)
{
	struct fixture *f = *state;
	f->target.uid = f->facts.uid = 0;
	f->facts.perf_event_paranoid.value = 2;
	expect(f, NT_NEEDS_PERF_PARANOID, NT_VERDICT_FORBIDDEN, "no kernel code in the CPU samples: kernel.perf_event_paranoid is 2",
	       "start nettop's container with --cap-add PERFMON");
	f->facts.in_user_namespace = true;
	f->facts.capabilities = ~UINT64_C(0);
	expect(f, NT_NEEDS_PERF_PARANOID, NT_VERDICT_FORBIDDEN, "is 2 and nettop has CAP_PERFMON in a user namespace only",
	       "run nettop on the host");
	f->facts.perf_event_paranoid.value = 4;
	f->facts.perf_error = EPERM;
	expect(f, NT_NEEDS_CAP_PERFMON, NT_VERDICT_MISSING, "no CPU samples: nettop has CAP_PERFMON in a user namespace only",
	       "run nettop on the host");
	f->facts.perf_event_paranoid.value = 1;
	f->facts.in_user_namespace = false;
	f->facts.capabilities = 0;
	f->facts.uid = f->target.uid = USER;
	expect(f, NT_NEEDS_CAP_PERFMON, NT_VERDICT_FORBIDDEN, "process 4711 has rights that uid 1000 has not, or may not be looked into",
	       "sudo setcap cap_perfmon=ep /opt/bin/nettop");
}

static void test_another_users_process(void **state)
{
	struct fixture *f = *state;
	f->facts.uid = OTHER_USER;
	expect(f, NT_NEEDS_CAP_PERFMON, NT_VERDICT_FORBIDDEN, "process 4711 belongs to uid 1000 and nettop runs as uid 1001",
	       "sudo setcap cap_perfmon,cap_sys_ptrace=ep /opt/bin/nettop");
	f->facts.perf_event_paranoid.value = 0;
	expect_ok(f, NT_NEEDS_CAP_PERFMON, "not needed: kernel.perf_event_paranoid is 0");
	f->facts.sessiond = NT_ERR_ABSENT;
	expect(f, NT_NEEDS_TRACING_GROUP, NT_VERDICT_FORBIDDEN, "no LTTng events: no LTTng session daemon that process 4711",
	       "sudo /opt/bin/nettop -p 4711");
}

static void test_kernel_names(void **state)
{
	struct fixture *f = *state;
	f->facts.kallsyms_shown = false;
	f->facts.kptr_restrict.value = 1;
	expect(f, NT_NEEDS_KPTR, NT_VERDICT_FORBIDDEN, "kernel.kptr_restrict is 1, kernel.perf_event_paranoid 1",
	       "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1");
	f->facts.kptr_restrict.value = 2;
	f->facts.capabilities = CAP(CAP_SYSLOG);
	expect(f, NT_NEEDS_KPTR, NT_VERDICT_FORBIDDEN, "kernel.kptr_restrict is 2", "sudo sysctl kernel.kptr_restrict=1");
	f->facts.kernel_lookup = true;
	expect_ok(f, NT_NEEDS_KPTR, "BPF");
}

static void test_rings(void **state)
{
	struct fixture *f = *state;
	f->facts.locked_bytes_max.value = 0; /* 516 KB for each CPU: half a ring and no page more */
	expect(f, NT_NEEDS_PERF_MLOCK, NT_VERDICT_MISSING, "rings of 512 KB instead of 1024 KB",
	       "sudo sysctl kernel.perf_event_mlock_kb=1028");
	f->facts.perf_event_mlock_kb.value = 16;
	expect(f, NT_NEEDS_PERF_MLOCK, NT_VERDICT_FORBIDDEN, "no CPU samples: 2 rings of 16 KB",
	       "sudo sysctl kernel.perf_event_mlock_kb=1028");
	f->facts.capabilities = CAP(CAP_IPC_LOCK);
	expect_ok(f, NT_NEEDS_PERF_MLOCK, "1024 KB");
	f->facts.perf_event_mlock_kb.value = 516;
	f->facts.perf_rings_refused = true; /* 516 KB are others' */
	expect(f, NT_NEEDS_PERF_MLOCK, NT_VERDICT_FORBIDDEN, "other perf users share both", "sudo sysctl kernel.perf_event_mlock_kb=1544");
	f->facts.shm_free_bytes.value = 10 * MB;
	expect(f, NT_NEEDS_LTTNG_RINGS, NT_VERDICT_MISSING, "need 17 MB, /dev/shm has 10 MB left",
	       "sudo mount -o remount,size=128m /dev/shm"); /* 110 MB of others, 17, and one for rounding */
}

static void test_open_files(void **state)
{
	struct fixture *f = *state;
	f->facts.thread_count = 1;
	expect_ok(f, NT_NEEDS_OPEN_FILES, "2 open files for 1 thread on 2 CPUs");
	f->facts.thread_count = 2000, f->facts.open_files_max.value = 1024;
	expect(f, NT_NEEDS_OPEN_FILES, NT_VERDICT_FORBIDDEN, "4128 open files are needed for 2000 threads on 2 CPUs, at most 1024",
	       "sudo prlimit --pid $$ --nofile=4128");
	f->facts.thread_count = 3000;
	expect(f, NT_NEEDS_OPEN_FILES, NT_VERDICT_FORBIDDEN, "needs CAP_PERFMON", "sudo setcap cap_perfmon=ep /opt/bin/nettop");
	f->facts.capabilities = CAP(PERFMON);
	expect_ok(f, NT_NEEDS_OPEN_FILES, "2 open files: CPUs are sampled, not threads");
}

static void test_lttng(void **state)
{
	struct fixture *f = *state;
	f->facts.sessiond_installed = false;
	expect_ok(f, NT_NEEDS_LTTNG_DAEMONS, "answers"); /* somebody's own */
	f->facts.sessiond = NT_ERR_ABSENT;
	expect(f, NT_NEEDS_LTTNG_DAEMONS, NT_VERDICT_MISSING, "no LTTng events: lttng-sessiond is not installed",
	       "sudo apt-get install lttng-tools");
	f->facts.sessiond = NT_ERR_FORBIDDEN;
	expect_ok(f, NT_NEEDS_TRACING_GROUP, "one of the user's own");
	f->facts.target = NULL;
	expect(f, NT_NEEDS_TRACING_GROUP, NT_VERDICT_FORBIDDEN, "members of the group tracing", "sudo usermod -aG tracing anna");
}

static void test_namespaces(void **state)
{
	struct fixture *f = *state;
	f->facts.other_pid_namespace = f->facts.other_mount_namespace = true;
	f->target.ns_pid = 1;
	expect_ok(f, NT_NEEDS_PID_NAMESPACE, "pid 1");
	expect_ok(f, NT_NEEDS_MOUNT_NAMESPACE, "shares");
	f->facts.lttng_reachable = false;
	expect(f, NT_NEEDS_MOUNT_NAMESPACE, NT_VERDICT_MISSING, "no LTTng events",
	       "start the container with -v /run/lttng:/run/lttng -v /dev/shm:/dev/shm");
	f->facts.namespaces_known = false;
	expect(f, NT_NEEDS_MOUNT_NAMESPACE, NT_VERDICT_UNKNOWN, "cannot be looked at", "");
}

/* What must be had to enter /proc/PID/root, by who asks. */
static void test_target_files(void **state)
{
	struct fixture *f = *state;
	f->facts.root_error = EACCES;
	f->facts.uid = OTHER_USER;
	expect(f, NT_NEEDS_TARGET_FILES, NT_VERDICT_FORBIDDEN, "process 4711 (uid 1000) is closed to uid 1001 without CAP_SYS_PTRACE",
	       "sudo /opt/bin/nettop -p 4711");
	f->facts.uid = 0;
	expect(f, NT_NEEDS_TARGET_FILES, NT_VERDICT_FORBIDDEN, "nettop runs without CAP_SYS_PTRACE",
	       "start nettop's container with --cap-add SYS_PTRACE");
	f->facts.capabilities = CAP(CAP_SYS_PTRACE);
	expect(f, NT_NEEDS_TARGET_FILES, NT_VERDICT_FORBIDDEN, "although nettop has CAP_SYS_PTRACE", "run nettop on the host, as root");
	f->facts.root_error = EIO;
	expect(f, NT_NEEDS_TARGET_FILES, NT_VERDICT_UNKNOWN, strerrordesc_np(EIO), "run nettop on the host, as root");
}

static void test_target_memory(void **state)
{
	struct fixture *f = *state;
	expect_ok(f, NT_NEEDS_TARGET_MEMORY, "open to nettop");
	f->facts.memory_error = EPERM;
	f->facts.uid = OTHER_USER;
	expect(f, NT_NEEDS_TARGET_MEMORY, NT_VERDICT_FORBIDDEN,
	       "the memory of process 4711 (uid 1000) is closed to uid 1001 without CAP_SYS_PTRACE", "sudo /opt/bin/nettop -p 4711");
	f->facts.uid = 0;
	expect(f, NT_NEEDS_TARGET_MEMORY, NT_VERDICT_FORBIDDEN, "without CAP_SYS_PTRACE",
	       "start nettop's container with --cap-add SYS_PTRACE");
	f->facts.capabilities = CAP(CAP_SYS_PTRACE);
	expect(f, NT_NEEDS_TARGET_MEMORY, NT_VERDICT_FORBIDDEN, "kernel.yama.ptrace_scope is 3", "run nettop on the host, as root");
	f->facts.memory_error = ESRCH;
	expect(f, NT_NEEDS_TARGET_MEMORY, NT_VERDICT_UNKNOWN, strerrordesc_np(ESRCH), "run nettop on the host, as root");
}

/* Of what lies there nothing is said but that: not that it is missing. */
static void test_closed_files_are_not_missing(void **state)
{
	static const enum nt_prerequisite_id files[] = { NT_NEEDS_PID_NAMESPACE, NT_NEEDS_MOUNT_NAMESPACE, NT_NEEDS_PROVIDER,
							 NT_NEEDS_UST,           NT_NEEDS_SOCKET,          NT_NEEDS_PERF_MAP };
	struct fixture *f = *state;
	f->facts.root_error = EACCES;
	f->facts.namespaces_known = f->facts.socket_exists = f->facts.provider_exists = f->target.provider_loaded = false;
	f->facts.perf_map_error = EACCES;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		expect(f, files[i], NT_VERDICT_UNKNOWN, "the files of process 4711 are closed to nettop, see target_files", "");
}

static void test_images_that_are_gone(void **state)
{
	struct fixture *f = *state;
	expect_ok(f, NT_NEEDS_MAP_FILES, "not needed");
	f->facts.images_gone = 3;
	expect_ok(f, NT_NEEDS_MAP_FILES, "3 mapped images were replaced or removed since they were loaded: read there");
	f->facts.map_files_error = EPERM;
	expect(f, NT_NEEDS_MAP_FILES, NT_VERDICT_FORBIDDEN, "nettop runs without CAP_CHECKPOINT_RESTORE", "sudo /opt/bin/nettop -p 4711");
	f->facts.uid = 0;
	expect(f, NT_NEEDS_MAP_FILES, NT_VERDICT_FORBIDDEN, "nettop runs without CAP_CHECKPOINT_RESTORE",
	       "start nettop's container with --cap-add CHECKPOINT_RESTORE");
	f->facts.capabilities = CAP(CAP_SYS_ADMIN);
	expect(f, NT_NEEDS_MAP_FILES, NT_VERDICT_FORBIDDEN, "in a user namespace only", "run nettop on the host, as root");
}

static void test_who_resolves_liblttng_ust(void **state)
{
	struct fixture *f = *state;
	f->facts.ust0 = NT_UST0_BRIDGE;
	expect(f, NT_NEEDS_UST, NT_VERDICT_MISSING, "found no liblttng-ust.so.1", "sudo apt-get install liblttng-ust1");
	f->facts.ust1_mapped = true;
	expect_ok(f, NT_NEEDS_UST, "bridge");
	f->target.provider_loaded = false;
	f->facts.ust0 = NT_UST0_NONE;
	expect(f, NT_NEEDS_UST, NT_VERDICT_MISSING, "was not loaded when the target started", "restart the target");
	f->facts.ust0_found[0] = '\0';
	expect(f, NT_NEEDS_UST, NT_VERDICT_MISSING, "no LTTng events: the runtime found no liblttng-ust.so.0",
	       "LD_LIBRARY_PATH=/opt/lib/nettop/ust0");
	ENVIRONMENT(f, "LD_LIBRARY_PATH=/srv/lib:/srv/more");
	expect(f, NT_NEEDS_UST, NT_VERDICT_MISSING, "found no", "LD_LIBRARY_PATH=/opt/lib/nettop/ust0:/srv/lib:/srv/more");
	f->facts.bridge_there = false;
	expect(f, NT_NEEDS_UST, NT_VERDICT_MISSING, "nettop's bridge is not there in its file system",
	       "LD_LIBRARY_PATH=/opt/lib/nettop/ust0:/srv/lib:/srv/more");
	strcpy(f->facts.provider_needs, "liblttng-ust.so.1");
	expect_ok(f, NT_NEEDS_UST, "of the system");
}

static void test_provider(void **state)
{
	struct fixture *f = *state;
	f->target.provider_loaded = false;
	expect_ok(f, NT_NEEDS_PROVIDER, "not loaded: see liblttng-ust");
	ENVIRONMENT(f, "DOTNET_LTTng=0");
	expect(f, NT_NEEDS_PROVIDER, NT_VERDICT_MISSING, "DOTNET_LTTng=0", "DOTNET_LTTng=1");
	ENVIRONMENT(f, "A=b");
	f->facts.provider_exists = false;
	expect(f, NT_NEEDS_PROVIDER, NT_VERDICT_MISSING, "no libcoreclrtraceptprovider.so beside it", "");
}

static void test_modes(void **state)
{
	struct fixture *f = *state;
	ENVIRONMENT(f, "PATH=/bin");
	expect(f, NT_NEEDS_EVENT_LOG, NT_VERDICT_MISSING, "no JIT, lock and allocation events", NT_VARIABLES_MODE_N);
	expect(f, NT_NEEDS_POOL_EVENTS, NT_VERDICT_MISSING, "no thread-pool events", NT_VARIABLES_MODE_F);
	expect_ok(f, NT_NEEDS_EVENT_FILTERS, "not in force");
	ENVIRONMENT(f, "DOTNET_EnableEventLog=1\0DOTNET_EventSourceFilter=NoSuchSource\0" NT_SET_LTTNG_CONFIG);
	expect_ok(f, NT_NEEDS_EVENT_LOG, "mode N");
	expect_ok(f, NT_NEEDS_EVENT_FILTERS, "all");
	expect(f, NT_NEEDS_POOL_EVENTS, NT_VERDICT_MISSING, "no thread-pool events: DOTNET_EventSourceFilter", NT_VARIABLES_MODE_F);
	ENVIRONMENT(f, "DOTNET_EnableEventLog=1\0DOTNET_EventNameFilter=Lock");
	expect(f, NT_NEEDS_POOL_EVENTS, NT_VERDICT_MISSING, "DOTNET_EventNameFilter=Lock", "DOTNET_EventNameFilter=");
	f->target.mode = NT_MODE_UNKNOWN;
	expect(f, NT_NEEDS_EVENT_LOG, NT_VERDICT_FORBIDDEN, "closed to this user", "sudo /opt/bin/nettop -p 4711");
}

/* DOTNET_LTTngConfig: provider:keywords:level, ... */
static void test_filters(void **state)
{
	static const struct {
		const char *config;
		const char *left_out; /* NULL = nothing */
	} cases[] = {
		{ "Microsoft-Windows-DotNETRuntime:81000014011:5", NULL },
		{ "microsoft-windows-dotnetruntime", NULL },
		{ "Microsoft-Windows-DotNETRuntime::5", NULL },
		{ "Microsoft-Windows-DotNETRuntime:FFFFFFFFFFFFFFFF:", NULL },
		{ "*", NULL },
		{ "Other:1:1,Microsoft-Windows-DotNETRuntime:81000014011:5", NULL },
		{ "Microsoft-Windows-DotNETRuntime:81000014011:4", "leaves out compilations" },
		{ "Microsoft-Windows-DotNETRuntime::4", "leaves out compilations" },
		{ "Microsoft-Windows-DotNETRuntime:1:5,Other::5", "leaves out compilations, locks, allocations" },
		{ "Microsoft-Windows-DotNETRuntimePrivate", "leaves out starts of collections, compilations" },
	};
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		size_t length =
			(size_t)snprintf(text, sizeof(text), "DOTNET_EnableEventLog=1%cDOTNET_LTTngConfig=%s", '\0', cases[i].config);
		set_environment(f, text, length);
		if (cases[i].left_out)
			expect(f, NT_NEEDS_EVENT_FILTERS, NT_VERDICT_MISSING, cases[i].left_out, NT_SET_LTTNG_CONFIG);
		else
			expect_ok(f, NT_NEEDS_EVENT_FILTERS, "");
	}
}

static void test_diagnostics(void **state)
{
	struct fixture *f = *state;
	static const char fix[] = "DOTNET_EnableDiagnostics=1 DOTNET_EnableDiagnostics_IPC=1";
	f->facts.socket_exists = false;
	expect_ok(f, NT_NEEDS_DIAGNOSTICS, "on");
	expect(f, NT_NEEDS_SOCKET, NT_VERDICT_MISSING, "no dotnet-diagnostic-4711-*-socket in the target's /tmp", "restart the target");
	enum nt_target_mode mode = f->target.mode;
	f->target.mode = NT_MODE_UNKNOWN; /* nobody knows its TMPDIR */
	expect(f, NT_NEEDS_SOCKET, NT_VERDICT_UNKNOWN, "in /tmp there is none", "sudo /opt/bin/nettop -p 4711");
	f->target.mode = mode;
	ENVIRONMENT(f, "DOTNET_EnableDiagnostics_IPC=0");
	expect(f, NT_NEEDS_DIAGNOSTICS, NT_VERDICT_MISSING, "switched off", fix);
	expect(f, NT_NEEDS_SOCKET, NT_VERDICT_MISSING, "no EventPipe", fix);
}

static void test_perf_map(void **state)
{
	struct fixture *f = *state;
	f->facts.perf_map_error = ENOENT;
	expect(f, NT_NEEDS_PERF_MAP, NT_VERDICT_MISSING, "though the target has it switched on", "DOTNET_PerfMapJitDumpPath=/dev/shm");
	ENVIRONMENT(f, "DOTNET_PerfMapEnabled=2");
	expect_ok(f, NT_NEEDS_PERF_MAP, "the jitdump is read in its place");
	ENVIRONMENT(f, "DOTNET_PerfMapEnabled=4");
	f->target.runtime = (char *)(uintptr_t) "9.0.9";
	expect_ok(f, NT_NEEDS_PERF_MAP, "by the runtime's own data, if these lie as in .NET 9.0");
	f->target.runtime = (char *)(uintptr_t) "10.0.12";
	expect_ok(f, NT_NEEDS_PERF_MAP, "names by the runtime's own data");
	f->facts.memory_error = EACCES;
	expect(f, NT_NEEDS_PERF_MAP, NT_VERDICT_MISSING, "no names from a perf map: the target writes no perf map",
	       "DOTNET_PerfMapEnabled=3");
	f->facts.perf_map_stale = true;
	expect(f, NT_NEEDS_PERF_MAP, NT_VERDICT_MISSING,
	       "writes no perf map; /tmp/perf-4711.map is older than the process: another one that had its number wrote it",
	       "DOTNET_PerfMapEnabled=3");
	f->facts.perf_map_error = EACCES;
	expect(f, NT_NEEDS_PERF_MAP, NT_VERDICT_FORBIDDEN, "cannot be read: Permission denied", "sudo /opt/bin/nettop -p 4711");
	f->facts.perf_map_error = 0;
	strcpy(f->facts.perf_map_objection, "is a FIFO");
	expect(f, NT_NEEDS_PERF_MAP, NT_VERDICT_FORBIDDEN, "perf map /tmp/perf-4711.map is a FIFO: not read",
	       "remove it and restart the target");
}

static void test_jitdump(void **state)
{
	static const struct {
		const char *version;
		const char *value, *granularity; /* of PerfMapEnabled, PerfMapStubGranularity */
		const char *words;               /* NULL = no defect */
	} cases[] = {
		{ "10.0.12", "1", "0", "10.0.0 to 10.0.12" },
		{ "10.0.0", "2", "1", "10.0.0 to 10.0.12" },
		{ "10.0.11", "1", "3", NULL },
		{ "10.0.11", "3", "0", NULL },
		{ "10.0.13", "1", "0", NULL },
		{ "9.0.9", "1", "0", NULL },
		{ "6.0.4", "3", "0", "may mean 1" },
	};
	struct fixture *f = *state;
	char text[128];
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t length = (size_t)snprintf(text, sizeof(text), "DOTNET_PerfMapEnabled=%s%cDOTNET_PerfMapStubGranularity=%s",
						 cases[i].value, '\0', cases[i].granularity);
		set_environment(f, text, length);
		f->target.runtime = (char *)(uintptr_t)cases[i].version;
		struct nt_verdict verdict = { 0 };
		nt_prerequisites[NT_NEEDS_JITDUMP].judge(&f->facts, &verdict);
		assert_int_equal(verdict.state != NT_VERDICT_OK, cases[i].words != NULL);
		if (cases[i].words)
			assert_non_null(strstr(verdict.found, cases[i].words));
	}
	f->target.runtime = NULL;
	expect(f, NT_NEEDS_JITDUMP, NT_VERDICT_UNKNOWN, "version of the runtime is not known", "");
}

static void test_allocation_samples(void **state)
{
	struct fixture *f = *state;
	f->target.runtime = (char *)(uintptr_t) "10.0.12";
	expect_ok(f, NT_NEEDS_ALLOCATION_SAMPLES, "while screen 5 is open");
	f->target.runtime = (char *)(uintptr_t) "9.0.9";
	expect(f, NT_NEEDS_ALLOCATION_SAMPLES, NT_VERDICT_MISSING, "no samples of allocations: .NET 9.0.9 has none", "");
	f->target.runtime = NULL;
	expect(f, NT_NEEDS_ALLOCATION_SAMPLES, NT_VERDICT_UNKNOWN, "version of the runtime is not known", "");
}

/* What a source says of itself is the same sentence. */
static void test_as_a_source_says_it(void **state)
{
	struct fixture *f = *state;
	struct nt_probe probe = { 0 };
	assert_false(nt_prerequisite_refuses(NT_NEEDS_PERF_MAP, &f->facts, &probe));
	ENVIRONMENT(f, "A=b");
	f->facts.perf_map_error = ENOENT;
	f->facts.socket_exists = f->target.environment_readable = true;
	assert_false(nt_prerequisite_refuses(NT_NEEDS_PERF_MAP, &f->facts, &probe)); /* by command */
	f->facts.socket_exists = false;
	f->facts.memory_error = EACCES;
	assert_true(nt_prerequisite_refuses(NT_NEEDS_PERF_MAP, &f->facts, &probe));
	assert_int_equal(probe.result, NT_PROBE_ABSENT);
	assert_string_equal(probe.reason, "no names from a perf map: the target writes no perf map");
	assert_string_equal(probe.fix, "restart the target with DOTNET_PerfMapEnabled=3");
}

/* A path of any length and a buffer of any size. */
/* A fix is pasted: what comes from elsewhere is a word of the shell, however long it is. */
static void test_fixes_are_quoted(void **state)
{
	struct fixture *f = *state;
	char text[1200] = "LD_LIBRARY_PATH=/srv/it's $(id)\n/", fix[1300];
	size_t length = strlen(text);
	memset(text + length, 'x', 1000);
	set_environment(f, text, sizeof(text));
	f->facts.ust0 = NT_UST0_NONE;
	f->facts.ust0_found[0] = '\0';
	f->facts.perf_error = EACCES;
	f->facts.perf_event_paranoid.value = 4;
	strcpy(f->facts.program, "/opt/my tools/nettop");
	expect(f, NT_NEEDS_CAP_PERFMON, NT_VERDICT_MISSING, "no CPU samples", "sudo setcap cap_perfmon=ep '/opt/my tools/nettop'");
	snprintf(fix, sizeof(fix), "LD_LIBRARY_PATH=/opt/lib/nettop/ust0':/srv/it'\\''s $(id)'\\\\'x0a/%s'", text + length);
	expect(f, NT_NEEDS_UST, NT_VERDICT_MISSING, "found no", fix);
}

static void test_as_root_on_another_machine(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "shop-3", "nettop --ssh root@shop-3 -p 4711" },
		{ "ada@shop-3", "nettop --ssh root@shop-3 -p 4711" },
		{ "ssh://ada@shop-3:2222", "nettop --ssh ssh://root@shop-3:2222 -p 4711" },
		{ "a;b", "nettop --ssh 'root@a;b' -p 4711" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *command = nt_as_root_there(cases[i][0], 4711);
		assert_string_equal(command, cases[i][1]);
		free(command);
	}
}

/* sudo looks for commands in its own folders only. */
static void test_as_root(void **state)
{
	(void)state;
	static const struct {
		const char *program, *command;
	} cases[] = {
		{ "/usr/bin/nettop", "sudo nettop -p 4711" },
		{ "/usr/bin/nettop (deleted)", "sudo nettop -p 4711" },
		{ "", "sudo nettop -p 4711" },
		{ "/usr/local/bin/nettop", "sudo /usr/local/bin/nettop -p 4711" },
		{ "/home/ada/my tools/nettop", "sudo '/home/ada/my tools/nettop' -p 4711" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *command = nt_as_root_of(cases[i].program, 4711);
		assert_string_equal(command, cases[i].command);
		free(command);
	}
}

static void test_fix_is_cut_to_its_buffer(void **state)
{
	struct fixture *f = *state;
	char small[12];
	struct nt_verdict verdict = { .state = NT_VERDICT_MISSING };
	memset(f->facts.program, 'x', sizeof(f->facts.program) - 1);
	nt_prerequisite_fix(&nt_prerequisites[NT_NEEDS_CAP_PERFMON], &f->facts, &verdict, small, sizeof(small));
	assert_string_equal(small, "sudo setcap");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_all_is_well),
		TEST(test_as_root_on_another_machine),
		TEST(test_as_root),
		TEST(test_every_entry_is_whole),
		TEST(test_scopes),
		TEST(test_perf_permission),
		TEST(test_perf_of_several),
		TEST(test_perf_in_a_container),
		TEST(test_another_users_process),
		TEST(test_kernel_names),
		TEST(test_rings),
		TEST(test_open_files),
		TEST(test_lttng),
		TEST(test_namespaces),
		TEST(test_target_files),
		TEST(test_target_memory),
		TEST(test_closed_files_are_not_missing),
		TEST(test_images_that_are_gone),
		TEST(test_who_resolves_liblttng_ust),
		TEST(test_provider),
		TEST(test_modes),
		TEST(test_filters),
		TEST(test_diagnostics),
		TEST(test_perf_map),
		TEST(test_jitdump),
		TEST(test_allocation_samples),
		TEST(test_as_a_source_says_it),
		TEST(test_fixes_are_quoted),
		TEST(test_fix_is_cut_to_its_buffer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
