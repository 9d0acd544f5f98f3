// SPDX-License-Identifier: GPL-2.0-only
/*
 * The whole text of `nettop env` in each format, against tests/data/env/CASE.txt: plain, and with all that means something to a shell, systemd, Docker,
 * YAML or Kubernetes. `test_env --update` writes these files anew; read the difference.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/commands/env.h"

#include <stdlib.h>
#include <string.h>

#define AWKWARD "it's \"5%\" of $HOME $(id) `id` \\n %n {x} # é"
#define BRIDGE  "/opt/net top's/ust0"

static bool updating;

static const struct env_case {
	const char *name;
	enum nt_env_format format;
	struct nt_launch_request request;
	const char *env; /* NULL = not known */
	size_t env_length;
	bool of_target, bridge_missing;
} cases[] = {
#define ENV(text) text, sizeof(text) - 1
#define PLAIN                                                                                                                              \
	{                                                                                                                                  \
		.perf_map = true, .bridge_dir = "/usr/lib/nettop/ust0"                                                                     \
	}
#define HARD                                                                                                                               \
	{                                                                                                                                  \
		.perf_map = true, .bridge_dir = BRIDGE, .event_source = AWKWARD, .event_name = ""                                          \
	}
#define CHANGED                                                                                                                            \
	{                                                                                                                                  \
		.perf_map = true, .bridge_dir = BRIDGE, .full = true, .replace = true                                                      \
	}
/* A running target in mode N, whose library path tries to be more than a value. */
#define RUNNING                                                                                                                            \
	ENV("LD_LIBRARY_PATH=/a'\"\nRUN id\x1b[2J %n $HOME\0DOTNET_EnableEventLog=1\0COMPlus_EventSourceFilter=NoSuchSource\0"             \
	    "DOTNET_EventNameFilter=\x1b]0;id\n\0")
	{ .name = "shell", .format = NT_ENV_SHELL, .request = PLAIN, .env = "", .bridge_missing = true },
	{ .name = "systemd", .format = NT_ENV_SYSTEMD, .request = PLAIN },
	{ .name = "docker", .format = NT_ENV_DOCKER, .request = PLAIN },
	{ .name = "kubernetes", .format = NT_ENV_KUBERNETES, .request = PLAIN },
	{ .name = "shell-quoting", .format = NT_ENV_SHELL, .request = HARD },
	{ .name = "systemd-quoting", .format = NT_ENV_SYSTEMD, .request = HARD },
	{ .name = "docker-quoting", .format = NT_ENV_DOCKER, .request = HARD },
	{ .name = "kubernetes-quoting", .format = NT_ENV_KUBERNETES, .request = HARD },
	{ .name = "shell-kept",
	  .format = NT_ENV_SHELL,
	  .request = { .perf_map = true, .bridge_dir = "/b", .full = true },
	  ENV("LD_LIBRARY_PATH=/b:/c\0DOTNET_EnableEventLog=1\0DOTNET_EventSourceFilter=MyCompany\n\0COMPlus_PerfMapEnabled=1") },
	{ .name = "shell-target", .format = NT_ENV_SHELL, .request = CHANGED, RUNNING, .of_target = true },
	{ .name = "systemd-target", .format = NT_ENV_SYSTEMD, .request = CHANGED, RUNNING, .of_target = true },
	{ .name = "docker-target", .format = NT_ENV_DOCKER, .request = CHANGED, RUNNING, .of_target = true },
	{ .name = "kubernetes-target", .format = NT_ENV_KUBERNETES, .request = CHANGED, RUNNING, .of_target = true },
	{ .name = "shell-target-closed", .format = NT_ENV_SHELL, .request = PLAIN, .of_target = true },
};

/* The caller's. */
static char *text_of(const struct env_case *c)
{
	struct nt_target target = { .pid = 4711, .name = (char *)(uintptr_t) "shop", .environment_text = (char *)(uintptr_t)c->env };
	const struct nt_environment env = { c->env, c->env_length };
	struct nt_launch launch;
	char *text = NULL;
	size_t size;
	assert_int_equal(nt_launch_check(&c->request, NULL), NT_OK);
	nt_launch_plan(&launch, &c->request, &env);
	const struct nt_env_sheet sheet = { c->format, &c->request, &launch, c->of_target ? &target : NULL, !c->bridge_missing };
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	nt_env_print(&sheet, out);
	fclose(out);
	nt_launch_fini(&launch);
	return text;
}

static void update(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void test_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char path[128], expected[16384] = "";
		char *text = text_of(&cases[i]);
		snprintf(path, sizeof(path), "tests/data/env/%s.txt", cases[i].name);
		if (updating)
			update(path, text);
		FILE *file = fopen(path, "r");
		if (!file)
			fail_msg("%s cannot be read (run from the top of the repository)", path);
		expected[fread(expected, 1, sizeof(expected) - 1, file)] = '\0';
		fclose(file);
		if (strcmp(text, expected) != 0)
			fail_msg("not as in %s:\n%s", path, text);
		free(text);
	}
}

/* What was in the environment of a target never ends a comment or a setting. */
static void test_no_line_of_somebody_elses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = text_of(&cases[i]);
		for (const char *p = text; *p; p++)
			if (*p != '\n' && (unsigned char)*p < ' ')
				fail_msg("a control character in %s", cases[i].name);
		if (strstr(text, "\nRUN"))
			fail_msg("a line of the target's in %s", cases[i].name);
		free(text);
	}
}

int main(int argc, char **argv)
{
	updating = argc > 1 && strcmp(argv[1], "--update") == 0;
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts), cmocka_unit_test(test_no_line_of_somebody_elses) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
