// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/framework_version.h"

#include <jansson.h>
#include <string.h>

bool nt_framework_version_holds(const char *version)
{
	static const char digits[] = "0123456789", all[] = "0123456789.-+ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
	size_t length = strlen(version);
	return length < NT_FRAMEWORK_VERSION_BYTES && strspn(version, digits) > 0 && strspn(version, all) == length;
}

bool nt_framework_version_read(const char *config, size_t length, char version[NT_FRAMEWORK_VERSION_BYTES])
{
	json_t *root = json_loadb(config, length, 0, NULL);
	json_t *frameworks = json_object_get(json_object_get(root, "runtimeOptions"), "includedFrameworks");
	size_t i;
	json_t *framework;
	*version = '\0';
	json_array_foreach(frameworks, i, framework)
	{
		const char *name = json_string_value(json_object_get(framework, "name"));
		const char *said = json_string_value(json_object_get(framework, "version"));
		if (!*version && name && said && strcmp(name, "Microsoft.NETCore.App") == 0 && nt_framework_version_holds(said))
			strcpy(version, said);
	}
	json_decref(root);
	return *version;
}
