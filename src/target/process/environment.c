// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/environment.h"

#include "base/alloc.h"
#include "base/text.h"
#include "decode/kernel/procfs_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *nt_environment_join(char *const *variables, size_t *length)
{
	size_t used = 0;
	*length = 0;
	for (char *const *variable = variables; *variable; variable++)
		*length += strlen(*variable) + 1;
	char *text = nt_alloc(*length + 1);
	for (char *const *variable = variables; *variable; variable++)
		used += (size_t)(stpcpy(text + used, *variable) - (text + used)) + 1;
	return text;
}

bool nt_environment_variable(const struct nt_environment *env, const char *name, char value[NT_SETTING_BYTES])
{
	size_t length;
	const char *found = env->text ? nt_procfs_environ_get(env->text, env->length, name, &length) : NULL;
	if (!found || !length)
		return false;
	nt_text_escape(found, length, value, NT_SETTING_BYTES);
	return true;
}

bool nt_environment_setting(const struct nt_environment *env, const char *name, char value[NT_SETTING_BYTES])
{
	static const char *const prefixes[] = { "DOTNET_", "COMPlus_" };
	for (size_t i = 0; i < 2; i++) {
		char full[64];
		snprintf(full, sizeof(full), "%s%s", prefixes[i], name);
		if (nt_environment_variable(env, full, value))
			return true;
	}
	return false;
}

/* As the runtime reads it: what stands behind the digits does not matter. False: there are none, or too many. */
static bool read_digits(const char *text, int base, unsigned long *number)
{
	char *end;
	errno = 0;
	unsigned long n = strtoul(text, &end, base);
	if (errno || end == text)
		return false;
	*number = n;
	return true;
}

unsigned long nt_environment_number(const struct nt_environment *env, const char *name, int base, unsigned long absent)
{
	char value[NT_SETTING_BYTES];
	unsigned long number = absent;
	if (nt_environment_setting(env, name, value))
		read_digits(value, base, &number);
	return number;
}

bool nt_environment_get(const struct nt_environment *env, const char *name, int base, uint64_t *value)
{
	char text[NT_SETTING_BYTES];
	unsigned long number;
	if (!nt_environment_setting(env, name, text) || *text == '-' || !read_digits(text, base, &number))
		return false;
	*value = number;
	return true;
}
