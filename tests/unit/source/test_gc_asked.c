// SPDX-License-Identifier: GPL-2.0-only
/* Which settings of the collector a process was started with: by variables, by its runtimeconfig.json, and which of both wins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/process/gc_asked.h"
#include "target/process/runtime_config.h"

#include <stdio.h>
#include <string.h>

/* `variables`: with blanks in place of NULs; NULL = they cannot be read. `properties`: of the file; NULL = there is none. */
static struct nt_gc_settings asked(const char *variables, const char *properties)
{
	char text[1024] = "", file[1024], config[NT_RUNTIME_CONFIG_BYTES] = "";
	struct nt_environment environment = { NULL, 0 };
	struct nt_gc_settings settings;
	if (variables) {
		snprintf(text, sizeof(text), "%s", variables);
		environment = (struct nt_environment){ text, strlen(text) };
		for (char *at = text; *at; at++)
			if (*at == ' ')
				*at = '\0';
		assert_int_equal(text[environment.length], '\0');
	}
	if (properties) {
		snprintf(file, sizeof(file), "{\"runtimeOptions\": {\"configProperties\": {%s}}}", properties);
		assert_true(nt_runtime_config_read(file, strlen(file), config));
	}
	nt_target_gc_asked(&environment, config, &settings);
	return settings;
}

static void check(const struct nt_gc_settings *settings, enum nt_gc_setting setting, uint64_t value, enum nt_gc_origin by)
{
	assert_true(settings->asked[setting].known);
	assert_int_equal(settings->asked[setting].v, value);
	assert_int_equal(settings->asked_by[setting], by);
}

static void test_variables_are_hexadecimal(void **state)
{
	(void)state;
	const struct nt_gc_settings s =
		asked("DOTNET_GCHeapHardLimit=10000000 DOTNET_GCHeapHardLimitPercent=4B COMPlus_GCHeapCount=0x10 DOTNET_gcServer=1 "
		      "DOTNET_gcConcurrent=0 DOTNET_GCConserveMemory=9 DOTNET_PROCESSOR_COUNT=16 DOTNET_GCgen0size=4000000",
		      NULL);
	check(&s, NT_GC_SETTING_HARD_LIMIT, 0x10000000, NT_GC_BY_ENVIRONMENT);
	check(&s, NT_GC_SETTING_HARD_LIMIT_PCT, 75, NT_GC_BY_ENVIRONMENT);
	check(&s, NT_GC_SETTING_HEAPS, 16, NT_GC_BY_ENVIRONMENT);
	check(&s, NT_GC_SETTING_SERVER, 1, NT_GC_BY_ENVIRONMENT);
	check(&s, NT_GC_SETTING_CONCURRENT, 0, NT_GC_BY_ENVIRONMENT);
	check(&s, NT_GC_SETTING_CONSERVE, 9, NT_GC_BY_ENVIRONMENT);
	check(&s, NT_GC_SETTING_GEN0_SIZE, 0x4000000, NT_GC_BY_ENVIRONMENT);
	check(&s, NT_GC_SETTING_PROCESSORS, 16, NT_GC_BY_ENVIRONMENT); /* the one that is decimal */
	assert_false(s.asked[NT_GC_SETTING_RETAIN_VM].known);
	assert_true(s.read[NT_GC_BY_ENVIRONMENT]);
	assert_false(s.read[NT_GC_BY_FILE]);
}

static void test_the_file_is_decimal_and_gives_way(void **state)
{
	(void)state;
	const struct nt_gc_settings s =
		asked("A=b DOTNET_GCHeapHardLimit=C800000",
		      "\"System.GC.HeapHardLimit\": 100, \"System.GC.LOHThreshold\": 120000, \"System.GC.Server\": true, "
		      "\"System.GC.RetainVM\": true, \"System.GC.DynamicAdaptationMode\": 0");
	check(&s, NT_GC_SETTING_HARD_LIMIT, 0xC800000, NT_GC_BY_ENVIRONMENT);
	check(&s, NT_GC_SETTING_LOH_THRESHOLD, 120000, NT_GC_BY_FILE);
	check(&s, NT_GC_SETTING_SERVER, 1, NT_GC_BY_FILE);
	check(&s, NT_GC_SETTING_RETAIN_VM, 1, NT_GC_BY_FILE);
	check(&s, NT_GC_SETTING_DATAS, 0, NT_GC_BY_FILE);
	assert_true(s.read[NT_GC_BY_FILE]);
}

static void test_what_is_no_number_is_not_asked_for(void **state)
{
	(void)state;
	const struct nt_gc_settings s =
		asked("DOTNET_GCHeapHardLimit= DOTNET_GCHeapCount=many DOTNET_GCLOHThreshold=-1 DOTNET_GCHeapHardLimitPercent=0 "
		      "DOTNET_GCgen0size=112233445566778899",
		      "");
	for (enum nt_gc_setting i = 0; i < NT_GC_SETTING_COUNT; i++)
		assert_false(s.asked[i].known);
}

static void test_unreadable_variables_say_nothing(void **state)
{
	(void)state;
	const struct nt_gc_settings s = asked(NULL, "\"System.GC.Server\": true");
	assert_false(s.read[NT_GC_BY_ENVIRONMENT]);
	check(&s, NT_GC_SETTING_SERVER, 1, NT_GC_BY_FILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_variables_are_hexadecimal),
		cmocka_unit_test(test_the_file_is_decimal_and_gives_way),
		cmocka_unit_test(test_what_is_no_number_is_not_asked_for),
		cmocka_unit_test(test_unreadable_variables_say_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
