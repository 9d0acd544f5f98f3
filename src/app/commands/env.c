// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/env.h"

#include "app/common/exit.h"
#include "target/process/bridge.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static void print(const struct nt_options *options, const struct nt_launch_request *request, const struct nt_target *target,
		  bool bridge_there)
{
	struct nt_environment env = { 0 };
	struct nt_launch launch;
	char *own = NULL;
	if (target) {
		env = nt_target_environment(target);
	} else if (options->env_format == NT_ENV_SHELL) {
		/* The lines are for this shell. What reads the other formats has an environment that cannot be seen from here. */
		own = nt_environment_join(environ, &env.length);
		env.text = own;
	}
	nt_launch_plan(&launch, request, &env);
	const struct nt_env_sheet sheet = { options->env_format, request, &launch, target, bridge_there };
	nt_env_print(&sheet, stdout);
	nt_launch_fini(&launch);
	free(own);
}

int nt_env_run(const struct nt_options *options, struct nt_error *err)
{
	char dir[PATH_MAX];
	struct nt_launch_request request = options->launch;
	struct nt_target *target = NULL;
	bool bridge_there = true;
	enum nt_status status = options->target ? nt_target_find("/proc", options->target, &target, err) : NT_OK;
	if (status == NT_OK && !request.bridge_dir) {
		bridge_there = nt_bridge_find_own(dir, sizeof(dir));
		request.bridge_dir = dir;
	}
	request.replace = target;
	if (status == NT_OK)
		status = nt_launch_check(&request, err);
	if (status == NT_OK)
		print(options, &request, target, bridge_there);
	nt_target_free(target);
	return nt_exit_of(status);
}
