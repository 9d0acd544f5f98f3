// SPDX-License-Identifier: GPL-2.0-only
/* Which setting lets a process optimize at once what it compiles: by variables, by its runtimeconfig.json, and which of all decides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/process/jit_asked.h"
#include "target/process/runtime_config.h"

#include <stdio.h>
#include <string.h>

/* `variables`: with blanks in place of NULs; NULL = they cannot be read. `properties`: of the file; NULL = it was not read. */
static void check(const char *variables, const char *properties, enum nt_jit_off off, bool by_file)
{
	char text[256] = "", file[512], config[NT_RUNTIME_CONFIG_BYTES] = "";
	struct nt_environment environment = { NULL, 0 };
	if (variables) {
		snprintf(text, sizeof(text), "%s", variables);
		environment = (struct nt_environment){ text, strlen(text) };
		for (char *at = text; *at; at++)
			if (*at == ' ')
				*at = '\0';
	}
	if (properties) {
		snprintf(file, sizeof(file), "{\"runtimeOptions\": {\"configProperties\": {%s}}}", properties);
		assert_true(nt_runtime_config_read(file, strlen(file), config));
	}
	const struct nt_ev_jit_setting setting = nt_target_jit_asked(&environment, config);
	assert_int_equal(setting.off, off);
	assert_int_equal(setting.by_file, by_file);
}

static void test_variables(void **state)
{
	(void)state;
	check("PATH=/bin", "", NT_JIT_OFF_NONE, false);
	check("DOTNET_TieredCompilation=0", "", NT_JIT_OFF_TIERS, false);
	check("COMPlus_TC_QuickJit=0", "", NT_JIT_OFF_QUICK, false);
	check("DOTNET_TC_QuickJitForLoops=0x0", "", NT_JIT_OFF_QUICK_LOOPS, false);
	check("DOTNET_TieredCompilation=1 DOTNET_TC_QuickJitForLoops=1", "", NT_JIT_OFF_NONE, false);
	check("DOTNET_TieredCompilation=no", "", NT_JIT_OFF_NONE, false);
	check("DOTNET_TieredCompilation=-1", "", NT_JIT_OFF_NONE, false);
	check("DOTNET_TieredPGO=0", "", NT_JIT_OFF_NONE, false);
}

static void test_one_decides(void **state)
{
	(void)state;
	check("DOTNET_TC_QuickJitForLoops=0 DOTNET_TC_QuickJit=0 DOTNET_TieredCompilation=0", "", NT_JIT_OFF_TIERS, false);
	check("DOTNET_TC_QuickJitForLoops=0 DOTNET_TC_QuickJit=0", "", NT_JIT_OFF_QUICK, false);
	check("DOTNET_TC_QuickJit=0", "\"System.Runtime.TieredCompilation\": false", NT_JIT_OFF_TIERS, true);
}

static void test_the_file(void **state)
{
	(void)state;
	check("", "\"System.Runtime.TieredCompilation\": false", NT_JIT_OFF_TIERS, true);
	check("", "\"System.Runtime.TieredCompilation.QuickJit\": \"false\"", NT_JIT_OFF_QUICK, true);
	check("", "\"System.Runtime.TieredCompilation.QuickJitForLoops\": false", NT_JIT_OFF_QUICK_LOOPS, true);
	check("DOTNET_TieredCompilation=1", "\"System.Runtime.TieredCompilation\": false", NT_JIT_OFF_NONE, false); /* a variable wins */
}

static void test_what_is_not_known(void **state)
{
	(void)state;
	check(NULL, "\"System.Runtime.TieredCompilation\": false", NT_JIT_OFF_UNKNOWN, false); /* a variable may win */
	check("", NULL, NT_JIT_OFF_UNKNOWN, false);
	check("DOTNET_TieredCompilation=0", NULL, NT_JIT_OFF_TIERS, false);
	check("DOTNET_TC_QuickJit=0", NULL, NT_JIT_OFF_UNKNOWN, false); /* the file may switch all tiers off */
	check("DOTNET_TieredCompilation=1 DOTNET_TC_QuickJit=1 DOTNET_TC_QuickJitForLoops=1", NULL, NT_JIT_OFF_NONE, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_one_decides),
		cmocka_unit_test(test_the_file),
		cmocka_unit_test(test_what_is_not_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
