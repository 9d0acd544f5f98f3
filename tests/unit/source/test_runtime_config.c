// SPDX-License-Identifier: GPL-2.0-only
/* What a runtimeconfig.json sets, and where it lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/process/runtime_config_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void said_of(const char *properties, char said[NT_RUNTIME_CONFIG_BYTES])
{
	char config[1024];
	snprintf(config, sizeof(config), "{\"runtimeOptions\": {\"tfm\": \"net10.0\", \"configProperties\": %s}}", properties);
	assert_true(nt_runtime_config_read(config, strlen(config), said));
	assert_true(nt_runtime_config_holds(said));
}

/* The letters; no number is said. */
static void assert_said(const char *properties, const char *expected)
{
	char said[NT_RUNTIME_CONFIG_BYTES], whole[NT_RUNTIME_CONFIG_BYTES];
	said_of(properties, said);
	snprintf(whole, sizeof(whole), "%s,,,,,,,,,", expected);
	assert_string_equal(said, whole);
}

static void test_what_it_sets(void **state)
{
	(void)state;
	assert_said("{}", "--------");
	assert_said("[1]", "--------");
	assert_said("{\"System.GC.Concurrent\": false, \"System.Runtime.TieredPGO\": true, \"Other\": true}", "0------1");
	assert_said("{\"System.GC.Server\": true, \"System.Runtime.TieredCompilation\": false}", "---10---");
	/* As text, and as the runtime takes what is neither. */
	assert_said("{\"System.GC.RetainVM\": \"true\", \"System.Runtime.TieredCompilation.QuickJit\": \"false\"}", "--1--0--");
	assert_said("{\"System.Runtime.TieredCompilation.QuickJitForLoops\": 1}", "------0-");
}

static void assert_number(const char *value, bool said, uint64_t expected)
{
	char properties[256], text[NT_RUNTIME_CONFIG_BYTES];
	uint64_t number = 0;
	snprintf(properties, sizeof(properties), "{\"System.GC.ConserveMemory\": 5, \"System.GC.HeapHardLimit\": %s}", value);
	said_of(properties, text);
	assert_int_equal(nt_runtime_config_get(text, "System.GC.HeapHardLimit", &number), said);
	assert_int_equal(number, said ? expected : 0);
	assert_true(nt_runtime_config_get(text, "System.GC.ConserveMemory", &number));
	assert_int_equal(number, 5);
}

static void test_numbers(void **state)
{
	(void)state;
	assert_number("209715200", true, 209715200);
	assert_number("0", true, 0);
	assert_number("\"0xC800000\"", true, 209715200);
	assert_number("\"18446744073709551615\"", true, UINT64_MAX);
	static const char *const none[] = { "-1", "\"-1\"", "1.5", "true", "\"\"", "\"12x\"", "\"18446744073709551616\"", "null", "[]" };
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_number(none[i], false, 0);
}

static void test_getting_one(void **state)
{
	(void)state;
	char said[NT_RUNTIME_CONFIG_BYTES];
	uint64_t value;
	said_of("{\"System.GC.Server\": true, \"System.GC.Concurrent\": false, \"System.GC.MaxHeapCount\": 7}", said);
	assert_true(nt_runtime_config_get(said, "System.GC.Server", &value));
	assert_int_equal(value, 1);
	assert_true(nt_runtime_config_get(said, "System.GC.Concurrent", &value));
	assert_int_equal(value, 0);
	assert_true(nt_runtime_config_get(said, "System.GC.MaxHeapCount", &value));
	assert_int_equal(value, 7);
	assert_false(nt_runtime_config_get(said, "System.GC.RetainVM", &value));
	assert_false(nt_runtime_config_get(said, "System.GC.HeapCount", &value));
	assert_false(nt_runtime_config_get(said, "Other", &value));
	assert_false(nt_runtime_config_get("", "System.GC.Server", &value));
	assert_false(nt_runtime_config_get("", "System.GC.HeapCount", &value));
	assert_int_equal(value, 7);
}

static void test_what_is_no_such_file(void **state)
{
	static const char *const files[] = { "", "{", "[]", "{}", "{\"runtimeOptions\": 1}", "\177ELF", "{\"runtimeOptions\": {}} x" };
	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char said[NT_RUNTIME_CONFIG_BYTES];
		assert_false(nt_runtime_config_read(files[i], strlen(files[i]), said));
		assert_string_equal(said, "");
	}
	assert_true(nt_runtime_config_holds(""));
	static const char *const others[] = { "1",
					      "11111111",
					      "111111x1,,,,,,,,,",
					      "11111111,,,,,,,,",
					      "11111111,,,,,,,,,,",
					      "111111111,,,,,,,,,",
					      "11111111,,x,,,,,,,",
					      "11111111,,,,,,,,,123456789012345678901",
					      "11111111 ,,,,,,,,," };
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(nt_runtime_config_holds(others[i]));
}

static void test_where_it_lies(void **state)
{
	static const struct {
		const char *cmdline; /* blanks in place of NULs */
		const char *folder, *executable, *path;
	} cases[] = {
		{ "dotnet App.dll x.dll", "/srv", "/usr/bin/dotnet", "/srv/App.runtimeconfig.json" },
		{ "dotnet /opt/a/App.dll", "/srv", "/usr/bin/dotnet", "/opt/a/App.runtimeconfig.json" },
		{ "dotnet exec --runtimeconfig /etc/own.json App.dll", "/srv", "/usr/bin/dotnet", "/etc/own.json" },
		{ "dotnet exec --runtimeconfig own.json App.dll", "/srv", "/usr/bin/dotnet", "/srv/own.json" },
		{ "dotnet App.dll --runtimeconfig /etc/own.json", "/srv", "/usr/bin/dotnet", "/srv/App.runtimeconfig.json" },
		{ "whatever --it.dll says", "/srv", "/opt/a/App", "/opt/a/App.runtimeconfig.json" },
		{ "dotnet App.dll", "", "/usr/bin/dotnet", NULL },
		{ "dotnet --info", "/srv", "/usr/bin/dotnet", NULL },
		{ "dotnet --runtimeconfig", "/srv", "/usr/bin/dotnet", NULL },
		{ "", "/srv", "/usr/bin/dotnet", NULL },
		{ "dotnet App.dll", "/srv", "", NULL },
		{ "dotnet .dll", "/srv", "/usr/bin/dotnet", NULL },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char cmdline[128] = "";
		size_t length = strlen(cases[i].cmdline) + (*cases[i].cmdline != '\0');
		strcpy(cmdline, cases[i].cmdline);
		for (size_t at = 0; at < length; at++)
			if (cmdline[at] == ' ')
				cmdline[at] = '\0';
		char *path = nt_runtime_config_path(cmdline, length, cases[i].folder, cases[i].executable);
		if (cases[i].path)
			assert_string_equal(path, cases[i].path);
		else
			assert_null(path);
		free(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_it_sets),         cmocka_unit_test(test_numbers),       cmocka_unit_test(test_getting_one),
		cmocka_unit_test(test_what_is_no_such_file), cmocka_unit_test(test_where_it_lies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
