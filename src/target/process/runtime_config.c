// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/runtime_config.h"

#include <jansson.h>
#include <string.h>

const struct nt_runtime_property nt_runtime_properties[NT_RUNTIME_PROPERTIES] = {
	{ "System.GC.Concurrent", "gcConcurrent" },
	{ "System.GC.RetainVM", "GCRetainVM" },
	{ "System.GC.Server", "gcServer" },
	{ "System.Runtime.TieredCompilation", "TieredCompilation" },
	{ "System.Runtime.TieredCompilation.QuickJit", "TC_QuickJit" },
	{ "System.Runtime.TieredCompilation.QuickJitForLoops", "TC_QuickJitForLoops" },
	{ "System.Runtime.TieredPGO", "TieredPGO" },
};

/* The runtime gets all values as text, and takes for true what is "true". */
static char letter_of(const json_t *value)
{
	if (!value)
		return '-';
	return json_is_true(value) || (json_is_string(value) && strcmp(json_string_value(value), "true") == 0) ? '1' : '0';
}

bool nt_runtime_config_read(const char *config, size_t length, char said[NT_RUNTIME_CONFIG_BYTES])
{
	json_t *root = json_loadb(config, length, 0, NULL), *options = json_object_get(root, "runtimeOptions");
	json_t *properties = json_object_get(options, "configProperties");
	for (size_t i = 0; i < NT_RUNTIME_PROPERTIES; i++)
		said[i] = letter_of(json_object_get(properties, nt_runtime_properties[i].name));
	said[json_is_object(options) ? NT_RUNTIME_PROPERTIES : 0] = '\0';
	json_decref(root);
	return *said;
}

bool nt_runtime_config_holds(const char *said)
{
	size_t length = strlen(said);
	return strspn(said, "-01") == length && (!length || length == NT_RUNTIME_PROPERTIES);
}
