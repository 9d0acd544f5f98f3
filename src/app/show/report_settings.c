// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/report_settings.h"

#include "app/common/jit_settings.h"
#include "target/process/runtime_config_file.h"

#include <string.h>

/* DOTNET_ is also the prefix of a program's own configuration, where passwords may be: those go nowhere. */
static bool may_be_secret(const char *name)
{
	static const char *const words[] = { "__",  ":",          "PASS",       "PWD",  "SECRET", "TOKEN",
					     "KEY", "CONNECTION", "CREDENTIAL", "AUTH", "DSN",    "SAS" };
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasestr(name, words[i]))
			return true;
	return false;
}

struct nt_jit_report *nt_report_settings(const struct nt_target *target)
{
	char config[NT_RUNTIME_CONFIG_BYTES];
	struct nt_jit_report *with = nt_jit_report_new();
	if (!target)
		return with;
	nt_runtime_config_of(target, config);
	if (!nt_target_alive(target)) /* its number may be another process's by now */
		config[0] = '\0';
	nt_jit_settings_add(with, target, false);
	nt_jit_settings_add_config(with, target, config);
	nt_jit_report_sort(with);
	for (size_t i = 0; i < with->setting_count; i++)
		if (may_be_secret(with->settings[i].name) || strchr(with->settings[i].value, '@')) /* scheme://user:password@host */
			with->settings[i].value = "(not shown)";
	return with;
}
