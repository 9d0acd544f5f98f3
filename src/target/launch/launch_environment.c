// SPDX-License-Identifier: GPL-2.0-only
/* The plan as an environment for execve(). */
#include "target/launch/launch.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static const struct nt_launch_setting *setting_of(const struct nt_launch *launch, const char *variable)
{
	size_t length = strcspn(variable, "=");
	for (size_t i = 0; i < launch->count; i++)
		if (strncmp(launch->settings[i].name, variable, length) == 0 && !launch->settings[i].name[length])
			return &launch->settings[i];
	return NULL;
}

char **nt_launch_environment(const struct nt_launch *launch, char *const *variables)
{
	size_t count = 0, used = 0;
	while (variables[count])
		count++;
	char **all = nt_alloc((count + launch->count + 1) * sizeof(*all));
	for (size_t i = 0; i < count; i++) {
		const struct nt_launch_setting *setting = setting_of(launch, variables[i]);
		if (!setting || setting->state != NT_LAUNCH_SET)
			all[used++] = nt_strdup(variables[i]);
	}
	for (size_t i = 0; i < launch->count; i++)
		if (launch->settings[i].state == NT_LAUNCH_SET)
			all[used++] = nt_format("%s=%s", launch->settings[i].name, launch->settings[i].value);
	return all;
}

void nt_launch_environment_free(char **variables)
{
	for (char **variable = variables; variable && *variable; variable++)
		free(*variable);
	free(variables);
}
