// SPDX-License-Identifier: GPL-2.0-only
/* What a program is started with: what is asked for, and an environment that somebody has set up already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/launch/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/process/settings.h"

#define DIR          "/opt/nettop/ust0"
#define RUNTIME_NAME NT_RUNTIME_EVENT_SOURCE
#define ENV(text)    ((struct nt_environment){ text, sizeof(text) - 1 })

static const struct nt_environment empty = { "", 0 };

/* One variable a line, in the order of the plan: a sign (+ to be set, = there already, ! kept), the variable, what is lost. */
static void expect(const struct nt_launch_request *request, struct nt_environment env, const char *lines)
{
	static const char signs[] = { [NT_LAUNCH_SET] = '+', [NT_LAUNCH_THERE] = '=', [NT_LAUNCH_KEPT] = '!' };
	char text[2048] = "";
	struct nt_launch launch;
	assert_int_equal(nt_launch_check(request, NULL), NT_OK);
	nt_launch_plan(&launch, request, &env);
	for (size_t i = 0; i < launch.count; i++) {
		const struct nt_launch_setting *setting = &launch.settings[i];
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%c%s=%s%s%s\n", signs[setting->state], setting->name,
			 setting->value, setting->lost ? " | " : "", setting->lost ? setting->lost : "");
	}
	nt_launch_fini(&launch);
	assert_string_equal(text, lines);
}

#define LINES_N "+" NT_SET_EVENT_LOG "\n+" NT_SET_NO_SOURCE "\n+" NT_SET_LTTNG_CONFIG "\n"
#define LINES_F "+" NT_SET_EVENT_LOG "\n+" NT_SET_RUNTIME_SOURCE "\n"

static void test_modes(void **state)
{
	(void)state;
	expect(&(struct nt_launch_request){ 0 }, empty, LINES_N);
	expect(&(struct nt_launch_request){ .full = true }, empty, LINES_F);
	expect(&(struct nt_launch_request){ .perf_map = true, .bridge_dir = DIR }, empty,
	       "+LD_LIBRARY_PATH=" DIR "\n" LINES_N "+" NT_SET_PERF_MAP "\n");
	expect(&(struct nt_launch_request){ .event_source = "My Source", .event_name = "Order" }, empty,
	       "+" NT_SET_EVENT_LOG "\n+DOTNET_EventSourceFilter=My Source\n+DOTNET_EventNameFilter=Order\n+" NT_SET_LTTNG_CONFIG "\n");
	/* An environment that could not be read is as an empty one. */
	expect(&(struct nt_launch_request){ 0 }, (struct nt_environment){ 0 }, LINES_N);
}

static void test_library_path_is_extended(void **state)
{
	(void)state;
	const struct nt_launch_request request = { .bridge_dir = DIR };
	static const struct {
		const char *env, *line;
	} cases[] = {
		{ "LD_LIBRARY_PATH=/a:/b", "+LD_LIBRARY_PATH=" DIR ":/a:/b\n" },
		{ "LD_LIBRARY_PATH=", "+LD_LIBRARY_PATH=" DIR "\n" }, /* no empty entry: the loader would take it for the current folder */
		{ "LD_LIBRARY_PATH=" DIR, "=LD_LIBRARY_PATH=" DIR "\n" },
		{ "LD_LIBRARY_PATH=" DIR ":/a", "=LD_LIBRARY_PATH=" DIR ":/a\n" },
		{ "LD_LIBRARY_PATH=" DIR "2", "+LD_LIBRARY_PATH=" DIR ":" DIR "2\n" },
		{ "LD_LIBRARY_PATH=/a:" DIR, "+LD_LIBRARY_PATH=" DIR ":/a:" DIR "\n" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char lines[1024];
		snprintf(lines, sizeof(lines), "%s" LINES_N, cases[i].line);
		expect(&request, (struct nt_environment){ cases[i].env, strlen(cases[i].env) }, lines);
	}
}

static void test_a_port(void **state)
{
	(void)state;
	const struct nt_launch_request request = { .startup_port = "/run/p,suspend", .no_lttng = true, .perf_map = true };
	expect(&request, empty, "+" NT_SET_PERF_MAP "\n+DOTNET_DiagnosticPorts=/run/p,suspend\n");
	expect(&(struct nt_launch_request){ .startup_port = "/run/p,suspend" }, empty, LINES_N "+DOTNET_DiagnosticPorts=/run/p,suspend\n");
	expect(&(struct nt_launch_request){ .startup_port = "/run/p,suspend", .no_lttng = true },
	       ENV("DOTNET_DiagnosticPorts=/a,nosuspend"), "+DOTNET_DiagnosticPorts=/run/p,suspend;/a,nosuspend\n");
}

static void test_what_somebody_set_stays(void **state)
{
	(void)state;
	const struct nt_launch_request n = { .perf_map = true }, f = { .full = true, .perf_map = true };
	expect(&n, ENV("DOTNET_EnableEventLog=0"),
	       "!DOTNET_EnableEventLog=0 | no JIT, lock and allocation events, and no start of collections\n"
	       "+" NT_SET_NO_SOURCE "\n+" NT_SET_LTTNG_CONFIG "\n+" NT_SET_PERF_MAP "\n");
	/* His own sources take nothing away from mode N, but the thread pool from mode F. */
	expect(&n, ENV("DOTNET_EventSourceFilter=MyCompany"),
	       "+" NT_SET_EVENT_LOG "\n!DOTNET_EventSourceFilter=MyCompany\n+" NT_SET_LTTNG_CONFIG "\n+" NT_SET_PERF_MAP "\n");
	expect(&f, ENV("DOTNET_EventSourceFilter=MyCompany"),
	       "+" NT_SET_EVENT_LOG "\n!DOTNET_EventSourceFilter=MyCompany | no thread-pool events\n+" NT_SET_PERF_MAP "\n");
	/* Set to nothing is set: it lets every source through. */
	expect(&f, ENV("DOTNET_EventSourceFilter="), "+" NT_SET_EVENT_LOG "\n!DOTNET_EventSourceFilter=\n+" NT_SET_PERF_MAP "\n");
	/* The old prefix counts: a variable with the new one would override it. */
	expect(&n, ENV("COMPlus_PerfMapEnabled=0"), LINES_N "!COMPlus_PerfMapEnabled=0 | no names from a perf map\n");
	expect(&n, ENV("DOTNET_PerfMapEnabled=1"), LINES_N "!DOTNET_PerfMapEnabled=1\n");
	expect(&n, ENV(NT_SET_PERF_MAP "\0" NT_SET_EVENT_LOG "\0" NT_SET_LTTNG_CONFIG),
	       "=" NT_SET_EVENT_LOG "\n+" NT_SET_NO_SOURCE "\n=" NT_SET_LTTNG_CONFIG "\n=" NT_SET_PERF_MAP "\n");
	expect(&(struct nt_launch_request){ .event_source = "Orders" }, ENV("DOTNET_EventSourceFilter=Invoices"),
	       "+" NT_SET_EVENT_LOG "\n!DOTNET_EventSourceFilter=Invoices | not the events that are asked for\n+" NT_SET_LTTNG_CONFIG "\n");
}

/* Variables that nettop would not set, but that keep something away. */
static void test_what_else_takes_away(void **state)
{
	(void)state;
	const struct nt_launch_request n = { 0 }, f = { .full = true };
	expect(&n, ENV("DOTNET_LTTng=0"), "!DOTNET_LTTng=0 | no LTTng events\n" LINES_N);
	expect(&n, ENV("DOTNET_LTTng=1"), LINES_N);
	expect(&n, ENV("DOTNET_EventNameFilter=Lock"), LINES_N);
	expect(&f, ENV("DOTNET_EventNameFilter=Lock"), LINES_F "!DOTNET_EventNameFilter=Lock | no thread-pool events\n");
	expect(&f, ENV("DOTNET_EventNameFilter=ThreadPool"), LINES_F);
	expect(&f, ENV("DOTNET_LTTngConfig=" RUNTIME_NAME ":1:4"),
	       LINES_F "!DOTNET_LTTngConfig=" RUNTIME_NAME ":1:4 | events of some kinds are missing\n");
	expect(&f, ENV(NT_SET_LTTNG_CONFIG), LINES_F);
}

/* The environment of an earlier start, which is to be changed. */
static void test_replacing(void **state)
{
	(void)state;
	const struct nt_launch_request f = { .full = true, .bridge_dir = DIR, .replace = true };
	expect(&f, ENV(NT_SET_EVENT_LOG "\0" NT_SET_NO_SOURCE "\0" NT_SET_LTTNG_CONFIG "\0LD_LIBRARY_PATH=/a\0DOTNET_EventNameFilter=X"),
	       "+LD_LIBRARY_PATH=" DIR ":/a\n=" NT_SET_EVENT_LOG "\n+" NT_SET_RUNTIME_SOURCE " | no thread-pool events\n"
	       "+DOTNET_EventNameFilter= | no thread-pool events\n");
	expect(&f, ENV("COMPlus_EnableEventLog=0\0LD_LIBRARY_PATH=" DIR),
	       "=LD_LIBRARY_PATH=" DIR "\n"
	       "+COMPlus_EnableEventLog=1 | no JIT, lock and allocation events, and no start of collections\n"
	       "+" NT_SET_RUNTIME_SOURCE "\n");
}

static void test_contradictions(void **state)
{
	(void)state;
	static const struct {
		struct nt_launch_request request;
		const char *said;
	} cases[] = {
		{ { .full = true, .event_source = "MyCompany" }, "--events full and --event-source 'MyCompany'" },
		{ { .event_source = "A\nB" }, "--event-source" },
		{ { .event_name = "\x1b[0m" }, "--event-name" },
		{ { .bridge_dir = "/a:/b" }, "/a:/b" },
		{ { .bridge_dir = "/$LIB" }, "/$LIB" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_error err = { 0 };
		assert_int_equal(nt_launch_check(&cases[i].request, &err), NT_ERR_USAGE);
		if (!strstr(err.cause[0], cases[i].said))
			fail_msg("\"%s\" does not say \"%s\"", err.cause[0], cases[i].said);
	}
	const struct nt_launch_request same = { .full = true, .event_source = "dotnetruntime", .event_name = "" };
	assert_int_equal(nt_launch_check(&same, NULL), NT_OK);
}

static void test_environment(void **state)
{
	(void)state;
	const struct nt_launch_request request = { .bridge_dir = DIR };
	char home[] = "HOME=/root", path[] = "LD_LIBRARY_PATH=/a", config[] = "DOTNET_LTTngConfig=mine", odd[] = "LD_LIBRARY_PAT";
	char *variables[] = { home, path, config, odd, NULL };
	static const char *const expected[] = {
		"HOME=/root", "DOTNET_LTTngConfig=mine", "LD_LIBRARY_PAT", "LD_LIBRARY_PATH=" DIR ":/a", NT_SET_EVENT_LOG, NT_SET_NO_SOURCE,
	};
	struct nt_launch launch;
	struct nt_environment env;
	char *text = nt_environment_join(variables, &env.length);
	env.text = text;
	nt_launch_plan(&launch, &request, &env);
	char **all = nt_launch_environment(&launch, variables);
	nt_launch_fini(&launch);
	free(text);
	size_t count = 0;
	for (; all[count]; count++)
		assert_true(count < sizeof(expected) / sizeof(expected[0]) && strcmp(all[count], expected[count]) == 0);
	assert_int_equal(count, sizeof(expected) / sizeof(expected[0]));
	nt_launch_environment_free(all);
}

static void test_the_table_is_whole(void **state)
{
	(void)state;
	for (unsigned id = 0; id < NT_LAUNCH_COUNT; id++) {
		const struct nt_launch_variable *variable = &nt_launch_variables[id];
		assert_non_null(strchr(variable->setting, '='));
		assert_true(variable->set || variable->looked_at);
		assert_true(*variable->brings && *variable->costs && variable->differs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_library_path_is_extended),
		cmocka_unit_test(test_a_port),
		cmocka_unit_test(test_what_somebody_set_stays),
		cmocka_unit_test(test_what_else_takes_away),
		cmocka_unit_test(test_replacing),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_the_table_is_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
