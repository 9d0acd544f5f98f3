// SPDX-License-Identifier: GPL-2.0-only
/* Settings of the runtime, said by variables and by files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/jit/jit_setting_words.h"

/* Who moves a setting from a variable to the file, or writes it in another way, has changed nothing. */
static void test_settings_said_in_two_ways(void **state)
{
	(void)state;
	static const struct {
		const char *before, *before_value, *after, *after_value;
		bool same;
	} cases[] = {
		{ "DOTNET_TieredCompilation", "0", "System.Runtime.TieredCompilation", "false", true },
		{ "DOTNET_TieredCompilation", "1", "System.Runtime.TieredCompilation", "false", false },
		{ "DOTNET_gcServer", "0x1", "System.GC.Server", "true", true },
		{ "DOTNET_TieredPGO", "0", "COMPlus_TieredPGO", "00", true },
		{ "DOTNET_GCHeapCount", "A", "DOTNET_GCHeapCount", "0xa", true },
		{ "DOTNET_GCHeapCount", "10", "DOTNET_GCHeapCount", "a", false },
		{ "DOTNET_JitStdOutFile", "false.txt", "DOTNET_JitStdOutFile", "0", false },
		{ "DOTNET_TieredPGO", "0", "DOTNET_ReadyToRun", "0", false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_jit_report *before = nt_jit_report_new(), *after = nt_jit_report_new();
		before->file_settings_known = after->file_settings_known = true;
		nt_jit_report_add_setting(before, cases[i].before, cases[i].before_value);
		nt_jit_report_add_setting(after, cases[i].after, cases[i].after_value);
		assert_int_equal(nt_jit_same_settings(before, after), cases[i].same);
		nt_jit_report_free(after);
		nt_jit_report_free(before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settings_said_in_two_ways),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
