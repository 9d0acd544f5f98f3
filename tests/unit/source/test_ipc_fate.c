// SPDX-License-Identifier: GPL-2.0-only
/* Which commands are sent to which runtime: the rules of the table, and how a runtime in the middle of its start is told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file.h"
#include "target/port/ipc_fate.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const enum nt_ipc_command all[] = {
#define IPC_COMMAND(id, ...) NT_IPC_##id,
#include "target/port/ipc_commands.def"
};
enum { COMMANDS = sizeof(all) / sizeof(all[0]), VERSIONS = 11 };

static void test_a_null_value_goes_to_nobody_but_core_clr(void **state)
{
	(void)state;
	for (unsigned major = 0; major < VERSIONS; major++) {
		assert_int_equal(nt_ipc_fate(NT_RUNTIME_NATIVE_AOT, major, NT_IPC_UNSET_ENVIRONMENT), NT_IPC_KILLS);
		assert_int_equal(nt_ipc_fate(NT_RUNTIME_UNKNOWN, major, NT_IPC_UNSET_ENVIRONMENT), NT_IPC_KILLS);
	}
	assert_int_equal(nt_ipc_fate(NT_RUNTIME_CORE_CLR, 8, NT_IPC_UNSET_ENVIRONMENT), NT_IPC_SURVIVES);
	assert_int_equal(nt_ipc_fate(NT_RUNTIME_CORE_CLR, 5, NT_IPC_UNSET_ENVIRONMENT), NT_IPC_REFUSES);
}

/* What is done to a runtime of which nothing is known must not be more than what each known kind survives. */
static void test_unknown_is_the_most_fragile(void **state)
{
	(void)state;
	for (size_t i = 0; i < COMMANDS; i++)
		for (enum nt_runtime_kind kind = NT_RUNTIME_CORE_CLR; kind <= NT_RUNTIME_NATIVE_AOT; kind++)
			if (nt_ipc_fate(kind, 0, all[i]) == NT_IPC_KILLS)
				assert_int_equal(nt_ipc_fate(NT_RUNTIME_UNKNOWN, 0, all[i]), NT_IPC_KILLS);
}

static void test_what_is_not_in_the_table_is_never_sent(void **state)
{
	(void)state;
	assert_int_equal(nt_ipc_fate(NT_RUNTIME_CORE_CLR, 10, (enum nt_ipc_command)0x407), NT_IPC_KILLS);
	assert_int_equal(nt_ipc_fate(NT_RUNTIME_CORE_CLR, 10, (enum nt_ipc_command)0), NT_IPC_KILLS);
}

static void test_versions(void **state)
{
	(void)state;
	assert_int_equal(nt_ipc_fate(NT_RUNTIME_CORE_CLR, 9, NT_IPC_COLLECT_TRACING5), NT_IPC_REFUSES);
	assert_int_equal(nt_ipc_fate(NT_RUNTIME_CORE_CLR, 10, NT_IPC_COLLECT_TRACING5), NT_IPC_SURVIVES);
	assert_int_equal(nt_ipc_fate(NT_RUNTIME_CORE_CLR, 0, NT_IPC_COLLECT_TRACING5), NT_IPC_SURVIVES); /* it says so itself */
	assert_int_equal(nt_ipc_fate(NT_RUNTIME_CORE_CLR, 8, NT_IPC_ENABLE_PERF_MAP), NT_IPC_SURVIVES);
	assert_int_equal(nt_ipc_fate(NT_RUNTIME_NATIVE_AOT, 10, NT_IPC_ENABLE_PERF_MAP), NT_IPC_REFUSES);
	assert_int_equal(nt_ipc_fate(NT_RUNTIME_NATIVE_AOT, 0, NT_IPC_RESUME_RUNTIME), NT_IPC_SURVIVES);
}

/* By the bytes that go out, so that nobody can forget to say what they are. */
static void test_a_request_is_known_by_its_bytes(void **state)
{
	(void)state;
	uint8_t bytes[256];
	size_t length = nt_ipc_set_environment("NAME", NULL, bytes, sizeof(bytes));
	assert_int_equal(nt_ipc_request_command(bytes, length), NT_IPC_UNSET_ENVIRONMENT);
	assert_int_equal(nt_ipc_request_command(bytes, NT_IPC_HEADER_BYTES + 2), NT_IPC_UNSET_ENVIRONMENT);
	assert_int_equal(nt_ipc_request_command(bytes, NT_IPC_HEADER_BYTES - 1), 0);
	length = nt_ipc_set_environment("NAME", "", bytes, sizeof(bytes));
	assert_int_equal(nt_ipc_request_command(bytes, length), NT_IPC_SET_ENVIRONMENT);
	for (size_t cut = NT_IPC_HEADER_BYTES; cut + 2 < length; cut++)
		assert_int_equal(nt_ipc_request_command(bytes, cut), NT_IPC_UNSET_ENVIRONMENT);
	length = nt_ipc_set_environment("NAME", "value", bytes, sizeof(bytes));
	assert_int_equal(nt_ipc_request_command(bytes, length), NT_IPC_SET_ENVIRONMENT);
	length = nt_ipc_request(NT_IPC_RESUME_RUNTIME, bytes, sizeof(bytes));
	assert_int_equal(nt_ipc_request_command(bytes, length), NT_IPC_RESUME_RUNTIME);
}

static enum nt_runtime_kind kind_with(const char *mapped)
{
	char root[] = "/tmp/nettop-test-XXXXXX", path[64];
	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/7", root);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/7/maps", root);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "5500000000-5500001000 r-xp 00000000 08:01 11 /srv/program\n");
	fprintf(file, "7f0000000000-7f0000001000 r-xp 00000000 08:01 12 %s\n", mapped);
	assert_int_equal(fclose(file), 0);
	enum nt_runtime_kind kind = nt_runtime_kind_of_process(root, 7);
	nt_file_remove_tree(root);
	return kind;
}

static void test_kind_by_mappings(void **state)
{
	(void)state;
	assert_int_equal(kind_with("/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libclrjit.so"), NT_RUNTIME_CORE_CLR);
	assert_int_equal(kind_with("/memfd:doublemapper (deleted)"), NT_RUNTIME_CORE_CLR);
	/* Mono's has this name, too. */
	assert_int_equal(kind_with("/srv/libcoreclr.so"), NT_RUNTIME_UNKNOWN);
	assert_int_equal(kind_with("/srv/notlibclrjit.so"), NT_RUNTIME_UNKNOWN);
	assert_int_equal(kind_with("/usr/lib/libc.so.6"), NT_RUNTIME_UNKNOWN);
	assert_int_equal(nt_runtime_kind_of_process("/nowhere", 7), NT_RUNTIME_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_null_value_goes_to_nobody_but_core_clr), cmocka_unit_test(test_unknown_is_the_most_fragile),
		cmocka_unit_test(test_what_is_not_in_the_table_is_never_sent),   cmocka_unit_test(test_versions),
		cmocka_unit_test(test_a_request_is_known_by_its_bytes),          cmocka_unit_test(test_kind_by_mappings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
