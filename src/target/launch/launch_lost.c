// SPDX-License-Identifier: GPL-2.0-only
/* What a variable takes away that somebody set otherwise: judged as doctor would judge the program that is started so. */
#include "target/launch/launch_parts.h"

#include "target/process/parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This one variable as it was, everything else as the request wants it. NUL-separated, the caller's. */
static char *environment_with(const struct nt_launch_setting *setting, const struct nt_launch_request *request, size_t *length)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, length);
	nt_assert(out);
	fprintf(out, "%s=%s%c", setting->name, setting->before, '\0');
	for (unsigned id = 0; id < NT_LAUNCH_COUNT; id++) {
		const char *other = nt_launch_variables[id].setting;
		size_t name_length = strcspn(other, "=") + 1;
		bool set = nt_launch_variables[id].set & nt_launch_conditions(request);
		if (set && strncmp(other, setting->variable->setting, name_length) != 0)
			fprintf(out, "%.*s%s%c", (int)name_length, other, nt_launch_wanted((enum nt_launch_id)id, request), '\0');
	}
	fclose(out);
	return text;
}

const char *nt_launch_lost(const struct nt_launch_setting *setting, const struct nt_launch_request *request)
{
	const struct nt_launch_variable *variable = setting->variable;
	if (variable->needed_for == NT_PREREQUISITE_COUNT)
		return variable->set & (NT_IN_OWN | NT_IN_NAME) ? "not the events that are asked for" : NULL;
	const struct nt_prerequisite *prerequisite = &nt_prerequisites[variable->needed_for];
	struct nt_target target = { .is_dotnet = true };
	target.environment_text = environment_with(setting, request, &target.environment_length);
	nt_target_apply_environment(&target, target.environment_text, target.environment_length);
	/* Of the rest of the machine: what these judges look at is as it should be. */
	const struct nt_facts facts = { .target = &target,
					.provider_exists = true,
					.perf_map_error = target.perf_map_enabled ? 0 : ENOENT };
	struct nt_verdict verdict;
	nt_prerequisite_judge(prerequisite, &facts, &verdict);
	free(target.perf_map_dir);
	free(target.environment_text);
	return verdict.state == NT_VERDICT_OK ? NULL : prerequisite->failures[verdict.failure].lost;
}
