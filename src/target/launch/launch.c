// SPDX-License-Identifier: GPL-2.0-only
#include "target/launch/launch_parts.h"

#include "base/alloc.h"
#include "decode/kernel/procfs_text.h"
#include "target/process/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static enum nt_status check_text(const char *option, const char *text, const char *forbidden, struct nt_error *err)
{
	for (const char *p = text; p && *p; p++)
		if (iscntrl((unsigned char)*p) || strchr(forbidden, *p))
			return nt_error_set(err, NT_ERR_USAGE, "%s '%s' has a character that cannot stand there", option, text);
	return NT_OK;
}

enum nt_status nt_launch_check(const struct nt_launch_request *request, struct nt_error *err)
{
	/* The runtime has one filter of sources: a text that must occur in the name. */
	if (request->full && request->event_source && !strcasestr(NT_RUNTIME_EVENT_SOURCE, request->event_source))
		return nt_error_set(err, NT_ERR_USAGE,
				    "--events full and --event-source '%s' exclude each other: the runtime has one filter, and thread-pool "
				    "events come from " NT_RUNTIME_EVENT_SOURCE,
				    request->event_source);
	enum nt_status status = check_text("--event-source", request->event_source, "", err);
	if (status == NT_OK)
		status = check_text("--event-name", request->event_name, "", err);
	if (status == NT_OK) /* what separates folders on a library path, and what the loader replaces in it */
		status = check_text("the bridge's folder", request->bridge_dir, ":;$", err);
	return status;
}

/* The variable as the environment has it, under the name by which the runtime would find it: with two, DOTNET_ wins. */
static void look_up(struct nt_launch_setting *setting, const struct nt_environment *env)
{
	static const char prefix[] = "DOTNET_";
	const char *own = setting->variable->setting;
	char *names[] = { nt_format("%.*s", (int)strcspn(own, "="), own), NULL };
	if (strncmp(own, prefix, sizeof(prefix) - 1) == 0)
		names[1] = nt_format("COMPlus_%s", names[0] + sizeof(prefix) - 1);
	size_t found = 0, length;
	const char *value = NULL;
	for (size_t i = 0; env->text && i < 2 && names[i] && !value; i++) {
		value = nt_procfs_environ_get(env->text, env->length, names[i], &length);
		found = value ? i : 0;
	}
	setting->before = value ? nt_format("%.*s", (int)length, value) : NULL;
	setting->name = names[found];
	free(names[!found]);
}

/* Puts `first` before what is there. An empty entry of a path would mean the current folder. */
static void extend(struct nt_launch_setting *setting, const char *first, char separator)
{
	const char *before = setting->before ? setting->before : "";
	size_t length = strlen(first);
	bool there = strncmp(before, first, length) == 0 && (before[length] == separator || !before[length]);
	setting->state = there ? NT_LAUNCH_THERE : NT_LAUNCH_SET;
	const char between[] = { *before ? separator : '\0', '\0' };
	setting->value = there ? nt_strdup(before) : nt_format("%s%s%s", first, between, before);
}

static void decide(struct nt_launch_setting *setting, const char *wanted, const struct nt_launch_request *request)
{
	bool same = setting->before && strcmp(setting->before, wanted) == 0;
	if (setting->before && !same)
		setting->lost = nt_launch_lost(setting, request);
	bool kept = setting->before && !same && !request->replace;
	setting->state = same ? NT_LAUNCH_THERE : kept ? NT_LAUNCH_KEPT : NT_LAUNCH_SET;
	setting->value = nt_strdup(kept ? setting->before : wanted);
}

static bool is_planned(const struct nt_launch *launch, const struct nt_launch_variable *variable)
{
	size_t length = strcspn(variable->setting, "=") + 1;
	for (size_t i = 0; i < launch->count; i++)
		if (strncmp(launch->settings[i].variable->setting, variable->setting, length) == 0)
			return true;
	return false;
}

void nt_launch_plan(struct nt_launch *launch, const struct nt_launch_request *request, const struct nt_environment *env)
{
	unsigned conditions = nt_launch_conditions(request);
	*launch = (struct nt_launch){ 0 };
	for (unsigned id = 0; id < NT_LAUNCH_COUNT; id++) {
		const struct nt_launch_variable *variable = &nt_launch_variables[id];
		struct nt_launch_setting setting = { .variable = variable };
		bool set = variable->set & conditions;
		if ((!set && !(variable->looked_at & conditions)) || is_planned(launch, variable))
			continue;
		look_up(&setting, env);
		if (id == NT_LAUNCH_LIBRARY_PATH)
			extend(&setting, request->bridge_dir, ':');
		else if (id == NT_LAUNCH_STARTUP_PORT)
			extend(&setting, request->startup_port, ';');
		else
			decide(&setting, nt_launch_wanted((enum nt_launch_id)id, request), request);
		if (set || setting.lost) {
			launch->settings[launch->count++] = setting;
		} else {
			free(setting.name);
			free(setting.value);
			free(setting.before);
		}
	}
}

void nt_launch_fini(struct nt_launch *launch)
{
	for (size_t i = 0; i < launch->count; i++) {
		free(launch->settings[i].name);
		free(launch->settings[i].value);
		free(launch->settings[i].before);
	}
	launch->count = 0;
}
