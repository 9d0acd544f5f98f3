// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/jit_settings.h"

#include "base/affix.h"
#include "target/process/settings.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 256, SETTINGS_MAX = 256 };

/* Of a variable that is written as NAME=VALUE, or NAME. */
static bool is_called(const char *variable, const char *name)
{
	size_t length = strlen(name);
	return strncmp(variable, name, length) == 0 && (variable[length] == '=' || !variable[length]);
}

/* Not those of the SDK's command line, which the runtime does not know. */
static bool is_setting(const char *name)
{
	static const char *const others[] = { "DOTNET_CLI_", "DOTNET_NOLOGO", "DOTNET_GENERATE_ASPNET_CERTIFICATE",
					      "DOTNET_ADD_GLOBAL_TOOLS_TO_PATH", "DOTNET_SKIP_FIRST_TIME_EXPERIENCE" };
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (nt_begins_with(name, others[i]))
			return false;
	return nt_begins_with(name, "DOTNET_") || nt_begins_with(name, "COMPlus_");
}

/* Of those that nettop starts a program with. */
static bool is_ours(const char *name, const char *value)
{
	static const char *const ours[] = { NT_SET_EVENT_LOG, NT_SET_NO_SOURCE,    NT_SET_EVERY_NAME,       NT_SET_PROVIDER,
					    NT_SET_PERF_MAP,  NT_SET_LTTNG_CONFIG, NT_STARTUP_PORT_VARIABLE };
	const char *own = getenv(name);
	if (own && strcmp(own, value) == 0)
		return false;
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (is_called(ours[i], name))
			return true;
	return false;
}

static bool has(const struct nt_jit_report *report, const char *name)
{
	for (size_t i = 0; i < report->setting_count; i++)
		if (strcmp(report->settings[i].name, name) == 0)
			return true;
	return false;
}

void nt_jit_settings_add(struct nt_jit_report *report, const struct nt_target *target, bool started)
{
	const struct nt_environment environment = nt_target_environment(target);
	report->settings_known = target->environment_readable;
	for (size_t at = 0; environment.text && at < environment.length && report->setting_count < SETTINGS_MAX;) {
		const char *variable = environment.text + at;
		size_t length = strnlen(variable, environment.length - at);
		const char *equals = memchr(variable, '=', length);
		at += length + 1;
		size_t name_length = equals ? (size_t)(equals - variable) : 0;
		char name[NAME_BYTES], value[NT_SETTING_BYTES];
		if (!name_length || name_length >= sizeof(name))
			continue;
		memcpy(name, variable, name_length);
		name[name_length] = '\0';
		if (is_setting(name) && !has(report, name) && nt_environment_variable(&environment, name, value) &&
		    !(started && is_ours(name, value)))
			nt_jit_report_add_setting(report, name, value);
	}
}

void nt_jit_settings_add_config(struct nt_jit_report *report, const struct nt_target *target, const char *said)
{
	const struct nt_environment environment = nt_target_environment(target);
	char value[NT_SETTING_BYTES];
	report->file_settings_known = report->settings_known && *said;
	for (size_t i = 0; report->file_settings_known && i < NT_RUNTIME_PROPERTIES; i++) {
		const struct nt_runtime_property *property = &nt_runtime_properties[i];
		if (said[i] == '-')
			continue;
		bool overruled = nt_environment_setting(&environment, property->variable, value);
		(overruled ? nt_jit_report_add_overruled : nt_jit_report_add_setting)(report, property->name,
										      said[i] == '1' ? "true" : "false");
	}
}
