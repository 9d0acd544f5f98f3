// SPDX-License-Identifier: GPL-2.0-only
/* May a target be asked for its exceptions? Over LTTng they end it: what keeps them from it, and what if nothing does. Verdicts from facts: no file is read here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/needs/prerequisites.h"
#include "target/process/settings.h"

#include <string.h>

#define LIBRARY "/usr/lib/liblttng-ust-tracepoint.so.0"
#define BRIDGE  "LD_LIBRARY_PATH=/opt/nettop/ust0"
#define CONFIG  "DOTNET_LTTngConfig=Microsoft-Windows-DotNETRuntime:"
#define LOG     NT_SET_EVENT_LOG "\0"

enum { N = NT_MODE_N, F = NT_MODE_F, NONE = NT_MODE_NONE };

#define ENVIRONMENT(text) text, sizeof(text)
static const struct {
	enum nt_exception_gate_state gate;
	bool bridge;
	int mode; /* enum nt_target_mode */
	const char *environment;
	size_t length;
	enum nt_verdict_state state;
	const char *words, *fix; /* words: in the sentence */
} cases[] = {
	{ NT_GATE_HARMLESS, false, NONE, ENVIRONMENT("A=B"), NT_VERDICT_OK, "has no LTTng", "" },
	{ NT_GATE_HARMLESS, true, F, ENVIRONMENT(LOG), NT_VERDICT_OK, "nettop's bridge keeps them from LTTng", "" },
	{ NT_GATE_HARMLESS, true, N, ENVIRONMENT(LOG CONFIG "8100001C011:5"), NT_VERDICT_OK, "nettop's bridge keeps them from LTTng", "" },
	{ NT_GATE_HARMLESS, true, N, ENVIRONMENT(LOG "DOTNET_EnableDiagnostics=0"), NT_VERDICT_MISSING, "they come over EventPipe only",
	  "DOTNET_EnableDiagnostics=1 DOTNET_EnableDiagnostics_IPC=1" },
	{ NT_GATE_HARMFUL, false, F, ENVIRONMENT(LOG), NT_VERDICT_MISSING, "nor does " LIBRARY, BRIDGE " " NT_SET_LTTNG_CONFIG },
	{ NT_GATE_HARMFUL, false, N, ENVIRONMENT(LOG CONFIG "8100001C011:5"), NT_VERDICT_MISSING, "ends the target at the first exception",
	  BRIDGE " " NT_SET_LTTNG_CONFIG },
	{ NT_GATE_HARMFUL, false, N, ENVIRONMENT(LOG NT_SET_LTTNG_CONFIG), NT_VERDICT_MISSING,
	  "while EventPipe is asked for them (--exceptions)", BRIDGE },
	{ NT_GATE_HARMFUL, false, NONE, ENVIRONMENT("A=B"), NT_VERDICT_MISSING, "while EventPipe is asked for them (--exceptions)",
	  BRIDGE },
	{ NT_GATE_HARMFUL, true, NONE, ENVIRONMENT("A=B"), NT_VERDICT_MISSING, "an older bridge, " LIBRARY, BRIDGE },
	{ NT_GATE_UNKNOWN, false, NONE, ENVIRONMENT("A=B"), NT_VERDICT_UNKNOWN, "cannot be looked at", "" },
};

static void test_verdicts(void **state)
{
	(void)state;
	const struct nt_prerequisite *prerequisite = &nt_prerequisites[NT_NEEDS_EXCEPTIONS];
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct nt_target target = { .pid = 4711,
						  .is_dotnet = true,
						  .mode = (enum nt_target_mode)cases[i].mode,
						  .environment_text = (char *)(uintptr_t)cases[i].environment,
						  .environment_length = cases[i].length,
						  .environment_readable = true };
		const struct nt_facts facts = { .target = &target,
						.bridge_dir = "/opt/nettop/ust0",
						.exception_gate = { cases[i].gate, cases[i].bridge, LIBRARY } };
		struct nt_verdict verdict;
		char text[1024], fix[NT_FIX_BYTES] = "";
		assert_true(nt_prerequisite_judge(prerequisite, &facts, &verdict));
		nt_prerequisite_sentence(prerequisite, &verdict, text, sizeof(text));
		if (verdict.state != cases[i].state || !strstr(verdict.state == NT_VERDICT_OK ? verdict.found : text, cases[i].words))
			fail_msg("case %zu is %s: %s", i, nt_verdict_name(verdict.state), verdict.found);
		if (verdict.state != NT_VERDICT_OK)
			assert_string_equal(nt_prerequisite_fix(prerequisite, &facts, &verdict, fix, sizeof(fix)), cases[i].fix);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_verdicts) };
	return cmocka_run_group_tests_name("exceptions", tests, NULL, NULL);
}
