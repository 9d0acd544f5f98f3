// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/started.h"

#include "base/alloc.h"
#include "base/text.h"
#include "target/process/bridge.h"
#include "target/process/parts.h"

#include <stdlib.h>
#include <string.h>

/* The texts are the caller's to give, the old ones ours to free. */
static void replace(char **place, char *text)
{
	free(*place);
	*place = text;
}

static char *escaped(const char *text)
{
	size_t size = 4 * strlen(text) + 1; /* \xNN */
	char *safe = nt_alloc(size);
	nt_text_escape(text, strlen(text), safe, size);
	return safe;
}

static void set_command(struct nt_target *target, char *const *argv)
{
	size_t length;
	char *cmdline = nt_environment_join(argv, &length);
	char *name = nt_target_program_name(cmdline, length);
	replace(&target->name, escaped(name ? name : argv[0]));
	free(name);
	for (size_t i = 0; i + 1 < length; i++)
		if (!cmdline[i])
			cmdline[i] = ' ';
	replace(&target->command, escaped(cmdline));
	free(cmdline);
}

static void set_environment(struct nt_target *target, char *const *variables)
{
	size_t length;
	replace(&target->environment_text, nt_environment_join(variables, &length));
	target->environment_length = length;
	replace(&target->perf_map_dir, NULL);
	nt_target_apply_environment(target, target->environment_text, length);
}

void nt_target_was_started(struct nt_target *target, char *const *argv, char *const *variables)
{
	set_command(target, argv);
	set_environment(target, variables);
	/* Otherwise there would have been no event. */
	target->is_dotnet = target->provider_loaded = true;
	if (!target->ust_soname)
		target->ust_soname = nt_strdup(NT_UST0_SONAME);
}
