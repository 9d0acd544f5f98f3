// SPDX-License-Identifier: GPL-2.0-only
#include "app/run/run_environment.h"

#include "app/common/elevated.h"
#include "base/alloc.h"
#include "base/text.h"
#include "target/launch/launch.h"
#include "target/process/bridge.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tell_kept(const struct nt_launch *launch, void (*say)(void *context, const char *sentence), void *context)
{
	for (size_t i = 0; i < launch->count; i++) {
		const struct nt_launch_setting *setting = &launch->settings[i];
		char value[NT_SETTING_BYTES];
		if (setting->state != NT_LAUNCH_KEPT || !setting->lost)
			continue;
		nt_text_escape(setting->value, strlen(setting->value), value, sizeof(value));
		char *sentence = nt_format("%s=%s was set by you and stays: %s", setting->name, value, setting->lost);
		say(context, sentence);
		free(sentence);
	}
}

static bool sets_perf_map(const struct nt_launch *launch)
{
	for (size_t i = 0; i < launch->count; i++)
		if (launch->settings[i].variable == &nt_launch_variables[NT_LAUNCH_PERF_MAP])
			return launch->settings[i].state == NT_LAUNCH_SET;
	return false;
}

enum nt_status nt_run_environment(const struct nt_options *options, bool name_methods, void (*say)(void *context, const char *sentence),
				  void *context, char ***out, bool *perf_map_set, struct nt_error *err)
{
	char bridge_dir[PATH_MAX];
	struct nt_launch_request request = options->launch;
	/* Variables for LTTng cost the program something: none where nobody reads it. */
	request.no_lttng = !(options->source_mask & 1u << NT_SOURCE_LTTNG);
	if (request.no_lttng)
		request.bridge_dir = NULL;
	else if (!request.bridge_dir && nt_bridge_find_own(bridge_dir, sizeof(bridge_dir)))
		request.bridge_dir = bridge_dir;
	request.perf_map = name_methods;
	enum nt_status status = nt_launch_check(&request, err);
	if (status != NT_OK)
		return status;
	struct nt_environment environment = { 0 };
	char *text = nt_environment_join(nt_elevated_environment(), &environment.length);
	environment.text = text;
	struct nt_launch launch;
	nt_launch_plan(&launch, &request, &environment);
	tell_kept(&launch, say, context);
	*perf_map_set = sets_perf_map(&launch);
	*out = nt_launch_environment(&launch, nt_elevated_environment());
	nt_launch_fini(&launch);
	free(text);
	return NT_OK;
}
