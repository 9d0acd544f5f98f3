/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine and a target where all is well; each case of a test differs from them in one thing. */
#ifndef NT_TESTS_PREREQUISITES_FIXTURE_H
#define NT_TESTS_PREREQUISITES_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/needs/prerequisites.h"
#include "target/process/parts.h"

#define MB              ((uint64_t)1 << 20)
#define CAP(capability) (UINT64_C(1) << (capability))
enum { PERFMON = 38, USER = 1000, OTHER_USER = 1001 };

static const char environment_f[] =
	"DOTNET_EnableEventLog=1\0DOTNET_EventSourceFilter=Microsoft-Windows-DotNETRuntime\0DOTNET_PerfMapEnabled=3";

struct fixture {
	struct nt_target target;
	struct nt_facts facts;
};

static void set_environment(struct fixture *f, const char *text, size_t length)
{
	free(f->target.perf_map_dir);
	f->target.environment_text = (char *)(uintptr_t)text;
	f->target.environment_length = length;
	nt_target_apply_environment(&f->target, text, length);
}
#define ENVIRONMENT(f, text) set_environment(f, text, sizeof(text))

/* A user's own target in mode F over the genuine library, on a machine that allows him everything. */
static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	f->target = (struct nt_target){ .pid = 4711,
					.ns_pid = 4711,
					.uid = USER,
					.name = (char *)(uintptr_t) "shop",
					.is_dotnet = true,
					.runtime = (char *)(uintptr_t) "10.0.12",
					.runtime_dir = (char *)(uintptr_t) "/usr/share/dotnet",
					.provider_loaded = true };
	ENVIRONMENT(f, environment_f);
	f->facts = (struct nt_facts){
		.uid = USER,
		.user = "anna",
		.program = "/opt/bin/nettop",
		.bridge_dir = "/opt/lib/nettop/ust0",
		.bridge_there = true,
		.open_files_max = { 4096, true },
		.locked_bytes_max = { 8 << 20, true },
		.perf_event_paranoid = { 1, true },
		.kptr_restrict = { 0, true },
		.perf_event_mlock_kb = { 516, true },
		.kallsyms_shown = true,
		.cpu_count = 2,
		.perf_ring_bytes = 1 << 20,
		.sessiond_installed = true,
		.relayd_installed = true,
		.lttng_rings_bytes = 16 * MB,
		.shm_free_bytes = { 100 * MB, true },
		.shm_total_bytes = 120 * MB,
		.target = &f->target,
		.thread_count = 20,
		.namespaces_known = true,
		.lttng_reachable = true,
		.socket_dir = "/tmp",
		.socket_exists = true,
		.perf_map = "/tmp/perf-4711.map",
		.provider_exists = true,
		.provider_needs = "liblttng-ust.so.0",
		.exception_gate = { .state = NT_GATE_HARMLESS },
		.ust0 = NT_UST0_GENUINE,
		.ust0_found = "/opt/ust/liblttng-ust.so.0",
	};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	free(f->target.perf_map_dir);
	free(f);
	return 0;
}

/* `sentence` must occur in what it takes away and what there is; `fix` is the whole one. */
static void expect(const struct fixture *f, enum nt_prerequisite_id id, enum nt_verdict_state state, const char *sentence, const char *fix)
{
	const struct nt_prerequisite *prerequisite = &nt_prerequisites[id];
	struct nt_verdict verdict;
	char text[1024], command[NT_FIX_BYTES];
	assert_true(nt_prerequisite_judge(prerequisite, &f->facts, &verdict));
	if (verdict.state != state)
		fail_msg("%s is %s: %s", prerequisite->key, nt_verdict_name(verdict.state), verdict.found);
	nt_prerequisite_sentence(prerequisite, &verdict, text, sizeof(text));
	if (!strstr(text, sentence))
		fail_msg("%s: \"%s\" does not say \"%s\"", prerequisite->key, text, sentence);
	assert_string_equal(nt_prerequisite_fix(prerequisite, &f->facts, &verdict, command, sizeof(command)), fix);
}

#endif
