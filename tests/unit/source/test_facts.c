// SPDX-License-Identifier: GPL-2.0-only
/* What doctor looks at, read from a root folder of our own: what is there, what is not, and what cannot be trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "read_here.h"
#include "target/needs/facts.h"

#include <elf.h>

struct fixture {
	struct fake_proc root; /* the machine's, and the target's: what it calls /tmp is root/tmp */
	char proc_dir[64];
	struct nt_target target;
	struct nt_facts facts;
};

static int setup(void **state)
{
	struct fixture *f = nt_alloc(sizeof(*f));
	fake_proc_init(&f->root);
	snprintf(f->proc_dir, sizeof(f->proc_dir), "%s/proc/4711", f->root.root);
	f->target = (struct nt_target){ .pid = 4711,
					.ns_pid = 17,
					.uid = getuid(),
					.proc_dir = f->proc_dir,
					.root_dir = f->root.root,
					.is_dotnet = true,
					.runtime_dir = (char *)(uintptr_t) "/usr/dotnet",
					.perf_map_dir = (char *)(uintptr_t) "/tmp" };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	fake_proc_fini(&f->root);
	free(f);
	return 0;
}

static void put(const struct fixture *f, const char *path, const char *text)
{
	fake_proc_file(&f->root, path, text, strlen(text));
}

/* root/path is a link to `to`, whatever it was before. */
static void link_to(const struct fixture *f, const char *path, const char *to)
{
	char *beside = nt_format("%s.", path), *full = nt_format("%s/%s", f->root.root, path);
	put(f, beside, ""); /* makes the folders above */
	assert_true(unlink(full) == 0 || errno == ENOENT);
	assert_int_equal(symlink(to, full), 0);
	free(beside);
	free(full);
}

static const struct nt_facts *read_machine(struct fixture *f)
{
	f->facts = (struct nt_facts){ 0 };
	nt_facts_read_machine(&f->facts, f->root.root);
	return &f->facts;
}

static const struct nt_facts *read_target(struct fixture *f)
{
	f->facts = (struct nt_facts){ 0 };
	nt_facts_read_target(&f->facts, &f->target);
	return &f->facts;
}

#define ENVIRONMENT(f, text) ((f)->target.environment_text = (char *)(uintptr_t)(text), (f)->target.environment_length = sizeof(text))

/* ---- the machine ---- */

static void test_sysctls(void **state)
{
	struct fixture *f = *state;
	put(f, "proc/sys/kernel/perf_event_paranoid", "-1\n");
	put(f, "proc/sys/kernel/kptr_restrict", "2\n");
	put(f, "proc/sys/kernel/perf_event_mlock_kb", "what?\n");
	const struct nt_facts *facts = read_machine(f);
	assert_true(facts->perf_event_paranoid.known && facts->perf_event_paranoid.value == -1);
	assert_true(facts->kptr_restrict.known && facts->kptr_restrict.value == 2);
	assert_false(facts->perf_event_mlock_kb.known);
}

/* A machine of which nothing can be read: nothing is known, and nothing is there. */
static void test_empty_machine(void **state)
{
	const struct nt_facts *facts = read_machine(*state);
	assert_false(facts->perf_event_paranoid.known || facts->kptr_restrict.known || facts->perf_event_mlock_kb.known);
	assert_false(facts->kallsyms_shown || facts->shm_free_bytes.known);
	assert_int_equal(facts->capabilities, 0);
	assert_int_equal(facts->tracefs_error, ENOENT);
	/* What is asked of the kernel itself. */
	assert_true(facts->cpu_count >= 1 && facts->open_files_max.known && facts->locked_bytes_max.known);
	assert_true(facts->program[0] == '/' && facts->bridge_dir[0] == '/');
}

static void test_capabilities(void **state)
{
	struct fixture *f = *state;
	enum { PERFMON = 38, SYSLOG = 34 };
	put(f, "proc/self/status", "Name:\tx\nCapInh:\tffffffffffffffff\nCapEff:\t0000004000000000\nCapBnd:\tffffffffffffffff\n");
	assert_true(nt_facts_capable(read_machine(f), PERFMON));
	assert_false(nt_facts_capable(&f->facts, SYSLOG));
}

static void test_user_namespace(void **state)
{
	struct fixture *f = *state;
	assert_false(read_machine(f)->in_user_namespace); /* not known */
	put(f, "proc/self/uid_map", "         0          0 4294967295\n");
	assert_false(read_machine(f)->in_user_namespace);
	put(f, "proc/self/uid_map", "         0       1000          1\n         1     100000      65536\n");
	assert_true(read_machine(f)->in_user_namespace);
}

static void test_kallsyms(void **state)
{
	struct fixture *f = *state;
	put(f, "proc/kallsyms", "0000000000000000 T startup_64\n0000000000000000 T schedule\n");
	assert_false(read_machine(f)->kallsyms_shown);
	/* Symbols of CPUs' own data begin at 0, whoever reads. */
	put(f, "proc/kallsyms", "0000000000000000 A fixed_percpu_data\nffffffff81000000 T _stext\n");
	assert_true(read_machine(f)->kallsyms_shown);
	put(f, "proc/kallsyms", "");
	assert_false(read_machine(f)->kallsyms_shown);
}

static void test_tracefs(void **state)
{
	struct fixture *f = *state;
	put(f, "sys/kernel/tracing/events", "not a folder");
	assert_int_equal(read_machine(f)->tracefs_error, ENOTDIR);
	put(f, "sys/kernel/debug/tracing/events/sched/enable", "0\n"); /* where it was before Linux 4.1, and still may be */
	assert_int_equal(read_machine(f)->tracefs_error, 0);
}

static void test_shared_memory(void **state)
{
	struct fixture *f = *state;
	put(f, "dev/shm/file", "");
	assert_true(read_machine(f)->shm_free_bytes.known);
	assert_true(f->facts.shm_total_bytes > 0 && (uint64_t)f->facts.shm_free_bytes.value <= f->facts.shm_total_bytes);
}

/* ---- the target ---- */

static void test_threads(void **state)
{
	struct fixture *f = *state;
	put(f, "proc/4711/task/4711/stat", "");
	put(f, "proc/4711/task/4712/stat", "");
	assert_int_equal(read_target(f)->thread_count, 2);
	assert_ptr_equal(f->facts.target, &f->target);
}

static void test_namespaces(void **state)
{
	struct fixture *f = *state;
	assert_false(read_target(f)->namespaces_known);
	link_to(f, "proc/4711/ns/pid", "/proc/self/ns/pid");
	link_to(f, "proc/4711/ns/mnt", "/proc/self/ns/mnt");
	assert_true(read_target(f)->namespaces_known);
	assert_false(f->facts.other_pid_namespace || f->facts.other_mount_namespace);
	link_to(f, "proc/4711/ns/pid", "/proc/self/ns/mnt");
	assert_true(read_target(f)->namespaces_known);
	assert_true(f->facts.other_pid_namespace);
	/* Its folders are others; then those of nettop, as a container has them that is started with -v. */
	assert_false(f->facts.lttng_reachable);
	link_to(f, "run", "/run");
	link_to(f, "dev", "/dev");
	assert_true(read_target(f)->lttng_reachable);
}

static void test_diagnostics_socket(void **state)
{
	struct fixture *f = *state;
	int others = fake_proc_socket(&f->root, "tmp/dotnet-diagnostic-170-5-socket", 1);
	/* Of a process that has this pid in its own namespace. */
	int outer = fake_proc_socket(&f->root, "tmp/dotnet-diagnostic-4711-5-socket", 1);
	assert_false(read_target(f)->socket_exists);
	assert_string_equal(f->facts.socket_dir, "/tmp");
	int here = fake_proc_socket(&f->root, "tmp/dotnet-diagnostic-17-5-socket", 1);
	assert_true(read_target(f)->socket_exists);
	ENVIRONMENT(f, "TMPDIR=/var/own");
	assert_false(read_target(f)->socket_exists);
	int there = fake_proc_socket(&f->root, "var/own/dotnet-diagnostic-17-5-socket", 1);
	assert_true(read_target(f)->socket_exists);
	assert_string_equal(f->facts.socket_dir, "/var/own");
	close(others);
	close(outer);
	close(here);
	close(there);
}

static void test_perf_map(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(read_target(f)->perf_map_error, ENOENT);
	assert_string_equal(f->facts.perf_map, "/tmp/perf-17.map");
	put(f, "tmp/perf-17.map", "7f00 10 a\n");
	assert_int_equal(read_target(f)->perf_map_error, 0);
	assert_string_equal(f->facts.perf_map_objection, "");
	link_to(f, "tmp/perf-17.map", "/etc/passwd");
	assert_int_equal(read_target(f)->perf_map_error, 0);
	assert_string_equal(f->facts.perf_map_objection, "is a symbolic link");
	f->target.perf_map_dir = (char *)(uintptr_t) "/maps";
	put(f, "maps/perf-17.map", "");
	assert_int_equal(read_target(f)->perf_map_error, 0);
	assert_string_equal(f->facts.perf_map, "/maps/perf-17.map");
}

/* What an earlier process with this number has left is no map of this one. */
static void test_perf_map_of_an_earlier_process(void **state)
{
	struct fixture *f = *state;
	char path[96];
	f->target.start = nt_clock_now();
	put(f, "tmp/perf-17.map", "7f00 10 a\n");
	assert_false(read_target(f)->perf_map_stale);
	snprintf(path, sizeof(path), "%s/tmp/perf-17.map", f->root.root);
	assert_int_equal(utimensat(AT_FDCWD, path, (const struct timespec[2]){ { 1000, 0 }, { 1000, 0 } }, 0), 0);
	assert_true(read_target(f)->perf_map_stale);
	assert_int_equal(f->facts.perf_map_error, ENOENT);
}

/* A shared library that needs one other, with as little as libelf wants to see. */
static void put_library(const struct fixture *f, const char *path, const char *needs)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Shdr sections[3];
		Elf64_Dyn dynamic[2];
		char names[32];
	} library = {
		.header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			    .e_type = ET_DYN,
			    .e_machine = EM_X86_64,
			    .e_version = EV_CURRENT,
			    .e_shoff = sizeof(Elf64_Ehdr),
			    .e_ehsize = sizeof(Elf64_Ehdr),
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = 3 },
		.sections = { [1] = { .sh_type = SHT_DYNAMIC,
				      .sh_offset = sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Shdr),
				      .sh_size = 2 * sizeof(Elf64_Dyn),
				      .sh_link = 2,
				      .sh_entsize = sizeof(Elf64_Dyn) },
			      [2] = { .sh_type = SHT_STRTAB,
				      .sh_offset = sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Shdr) + 2 * sizeof(Elf64_Dyn),
				      .sh_size = sizeof(library.names) } },
		.dynamic = { { .d_tag = DT_NEEDED, .d_un.d_val = 1 }, { .d_tag = DT_NULL } },
	};
	snprintf(library.names + 1, sizeof(library.names) - 1, "%s", needs);
	fake_proc_file(&f->root, path, &library, sizeof(library));
}

static void test_provider(void **state)
{
	struct fixture *f = *state;
	assert_false(read_target(f)->provider_exists);
	put_library(f, "usr/dotnet/libcoreclrtraceptprovider.so", "liblttng-ust.so.0");
	assert_true(read_target(f)->provider_exists);
	assert_string_equal(f->facts.provider_needs, "liblttng-ust.so.0");
	put_library(f, "usr/dotnet/libcoreclrtraceptprovider.so", "liblttng-ust.so.1");
	assert_string_equal(read_target(f)->provider_needs, "liblttng-ust.so.1");
	put_library(f, "usr/dotnet/libcoreclrtraceptprovider.so", "libc.so.6");
	assert_string_equal(read_target(f)->provider_needs, "");
	put(f, "usr/dotnet/libcoreclrtraceptprovider.so", "\177ELF, not really");
	assert_true(read_target(f)->provider_exists);
	assert_string_equal(f->facts.provider_needs, "");
	f->target.runtime_dir = NULL; /* a single file */
	assert_false(read_target(f)->provider_exists);
}

#define MAPPED_RANGE "7f23bf100000-7f23bf110000"
#define MAPPED(path) MAPPED_RANGE " r-xp 00000000 08:01 103 " path "\n"

/* What the target has loaded counts, whatever lies on its path by now. */
static void test_mapped_libraries(void **state)
{
	struct fixture *f = *state;
	ENVIRONMENT(f, "LD_LIBRARY_PATH=/other");
	put(f, "other/liblttng-ust.so.0", "");
	put(f, "opt/ust0/liblttng-ust.so.0", "an ELF file that reads NETTOP_UST0_DEBUG");
	put(f, "opt/genuine/liblttng-ust.so.0.0.0", "an ELF file");
	put(f, "proc/4711/maps", MAPPED("/opt/ust0/liblttng-ust.so.0") "no line of maps\n" MAPPED("/usr/lib/liblttng-ust.so.1.0.0"));
	assert_int_equal(read_target(f)->ust0, NT_UST0_BRIDGE);
	assert_true(f->facts.ust1_mapped);
	assert_string_equal(f->facts.ust0_found, "/opt/ust0/liblttng-ust.so.0");
	put(f, "proc/4711/maps", MAPPED("/opt/genuine/liblttng-ust.so.0.0.0"));
	assert_int_equal(read_target(f)->ust0, NT_UST0_GENUINE);
	assert_false(f->facts.ust1_mapped);
	assert_string_equal(f->facts.ust0_found, "/opt/genuine/liblttng-ust.so.0.0.0");
}

/* Who serves the runtime's call sites decides whether an LTTng session can have its exceptions. */
static void test_exception_gate(void **state)
{
	struct fixture *f = *state;
	static const char provider[] = MAPPED("/usr/dotnet/libcoreclrtraceptprovider.so");
	put(f, "new/liblttng-ust-tracepoint.so.0", "NETTOP_UST0_DEBUG and DotNETRuntime:ExceptionThrown");
	put(f, "old/liblttng-ust-tracepoint.so.0", "NETTOP_UST0_DEBUG alone");
	put(f, "genuine/liblttng-ust-tracepoint.so.0", "an ELF file");
	put(f, "genuine/liblttng-ust-tracepoint.so.1", "an ELF file");
	static const struct {
		const char *maps;
		enum nt_exception_gate_state state;
		bool bridge;
		const char *path;
	} cases[] = {
		{ MAPPED("/usr/lib/libc.so.6"), NT_GATE_HARMLESS, false, "" },
		{ MAPPED("/new/liblttng-ust-tracepoint.so.0") MAPPED("/genuine/liblttng-ust-tracepoint.so.1"), NT_GATE_HARMLESS, true,
		  "/new/liblttng-ust-tracepoint.so.0" },
		{ MAPPED("/genuine/liblttng-ust-tracepoint.so.1") MAPPED("/new/liblttng-ust-tracepoint.so.0"), NT_GATE_HARMLESS, true,
		  "/new/liblttng-ust-tracepoint.so.0" },
		{ MAPPED("/old/liblttng-ust-tracepoint.so.0"), NT_GATE_HARMFUL, true, "/old/liblttng-ust-tracepoint.so.0" },
		{ MAPPED("/genuine/liblttng-ust-tracepoint.so.0"), NT_GATE_HARMFUL, false, "/genuine/liblttng-ust-tracepoint.so.0" },
		{ MAPPED("/genuine/liblttng-ust-tracepoint.so.1"), NT_GATE_HARMFUL, false, "/genuine/liblttng-ust-tracepoint.so.1" },
		{ MAPPED("/away/liblttng-ust-tracepoint.so.0"), NT_GATE_HARMFUL, false, "/away/liblttng-ust-tracepoint.so.0" },
		/* What lies there now is not what was loaded. */
		{ MAPPED("/new/liblttng-ust-tracepoint.so.0 (deleted)"), NT_GATE_HARMFUL, true, "/new/liblttng-ust-tracepoint.so.0" },
	};
	const struct nt_exception_gate *gate = &f->facts.exception_gate;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char maps[1024];
		snprintf(maps, sizeof(maps), "%s%s", provider, cases[i].maps);
		put(f, "proc/4711/maps", maps);
		read_target(f);
		if (gate->state != cases[i].state || gate->bridge != cases[i].bridge || strcmp(gate->path, cases[i].path) != 0)
			fail_msg("case %zu: state %d, bridge %d, path %s", i, gate->state, gate->bridge, gate->path);
		/* Without the provider nobody can enable anything. */
		put(f, "proc/4711/maps", cases[i].maps);
		read_target(f);
		assert_int_equal(gate->state, NT_GATE_HARMLESS);
	}
}

static void test_images_that_are_gone(void **state)
{
	struct fixture *f = *state;
	put(f, "proc/4711/maps",
	    MAPPED("/app/shop.dll") MAPPED("/app/cart.dll (deleted)")
		    MAPPED("/memfd:doublemapper (deleted)") "7f0000002000-7f0000003000 r--p 00000000 08:01 9 /app/data (deleted)\n");
	assert_int_equal(read_target(f)->images_gone, 1);
	assert_int_equal(f->facts.map_files_error, ENOENT);
	put(f, "proc/4711/map_files/" MAPPED_RANGE, "");
	assert_int_equal(read_target(f)->images_gone, 1);
	assert_int_equal(f->facts.map_files_error, 0);
}

static void test_root_folder(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(read_target(f)->root_error, 0);
	f->target.root_dir = (char *)(uintptr_t) "/nonexistent/root";
	assert_int_equal(read_target(f)->root_error, ENOENT);
}

static void test_libraries_on_the_path(void **state)
{
	struct fixture *f = *state;
	put(f, "proc/4711/maps", MAPPED("/usr/lib/libc.so.6"));
	assert_int_equal(read_target(f)->ust0, NT_UST0_NONE);
	assert_string_equal(f->facts.ust0_found, "");
	put(f, "usr/lib/liblttng-ust.so.0", "");
	assert_string_equal(read_target(f)->ust0_found, "/usr/lib/liblttng-ust.so.0");
	put(f, "second/liblttng-ust.so.0", "");
	ENVIRONMENT(f, "LD_LIBRARY_PATH=/first::/second");
	assert_string_equal(read_target(f)->ust0_found, "/second/liblttng-ust.so.0");
	assert_int_equal(f->facts.ust0, NT_UST0_NONE); /* it was not there when the target started */
}

/* In a container it has to be in the container. */
static void test_bridge_in_the_targets_file_system(void **state)
{
	struct fixture *f = *state;
	f->facts = (struct nt_facts){ .bridge_dir = "/opt/ust0", .bridge_there = true };
	nt_facts_read_target(&f->facts, &f->target);
	assert_false(f->facts.bridge_there);
	put(f, "opt/ust0/liblttng-ust.so.0", "");
	nt_facts_read_target(&f->facts, &f->target);
	assert_true(f->facts.bridge_there);
}

/* Of a process that is not .NET nothing of the runtime is read. */
static void test_another_process(void **state)
{
	struct fixture *f = *state;
	f->target.is_dotnet = false;
	put(f, "tmp/dotnet-diagnostic-17-5-socket", "");
	put(f, "usr/lib/liblttng-ust.so.0", "");
	put(f, "proc/4711/task/4711/stat", "");
	assert_int_equal(read_target(f)->thread_count, 1);
	assert_false(f->facts.socket_exists || f->facts.ust0_found[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sysctls, setup, teardown),
		cmocka_unit_test_setup_teardown(test_empty_machine, setup, teardown),
		cmocka_unit_test_setup_teardown(test_capabilities, setup, teardown),
		cmocka_unit_test_setup_teardown(test_user_namespace, setup, teardown),
		cmocka_unit_test_setup_teardown(test_kallsyms, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tracefs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_shared_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
		cmocka_unit_test_setup_teardown(test_namespaces, setup, teardown),
		cmocka_unit_test_setup_teardown(test_diagnostics_socket, setup, teardown),
		cmocka_unit_test_setup_teardown(test_perf_map, setup, teardown),
		cmocka_unit_test_setup_teardown(test_perf_map_of_an_earlier_process, setup, teardown),
		cmocka_unit_test_setup_teardown(test_provider, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mapped_libraries, setup, teardown),
		cmocka_unit_test_setup_teardown(test_exception_gate, setup, teardown),
		cmocka_unit_test_setup_teardown(test_images_that_are_gone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_root_folder, setup, teardown),
		cmocka_unit_test_setup_teardown(test_libraries_on_the_path, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bridge_in_the_targets_file_system, setup, teardown),
		cmocka_unit_test_setup_teardown(test_another_process, setup, teardown),
	};
	nt_executable_is_read_by(read_here);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
