// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/runtime_config.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct nt_runtime_property nt_runtime_properties[NT_RUNTIME_PROPERTIES] = {
	{ "System.GC.Concurrent", "gcConcurrent" },
	{ "System.GC.NoAffinitize", "GCNoAffinitize" },
	{ "System.GC.RetainVM", "GCRetainVM" },
	{ "System.GC.Server", "gcServer" },
	{ "System.Runtime.TieredCompilation", "TieredCompilation" },
	{ "System.Runtime.TieredCompilation.QuickJit", "TC_QuickJit" },
	{ "System.Runtime.TieredCompilation.QuickJitForLoops", "TC_QuickJitForLoops" },
	{ "System.Runtime.TieredPGO", "TieredPGO" },
};

const struct nt_runtime_property nt_runtime_numbers[NT_RUNTIME_NUMBERS] = {
	{ "System.GC.ConserveMemory", "GCConserveMemory" },    { "System.GC.DynamicAdaptationMode", "GCDynamicAdaptationMode" },
	{ "System.GC.Gen0MaxBudget", "GCGen0MaxBudget" },      { "System.GC.HeapCount", "GCHeapCount" },
	{ "System.GC.HeapHardLimit", "GCHeapHardLimit" },      { "System.GC.HeapHardLimitPercent", "GCHeapHardLimitPercent" },
	{ "System.GC.HighMemoryPercent", "GCHighMemPercent" }, { "System.GC.LOHThreshold", "GCLOHThreshold" },
	{ "System.GC.MaxHeapCount", "GCMaxHeapCount" },
};

/* The runtime gets all values as text, and takes for true what is "true". */
static char letter_of(const json_t *value)
{
	if (!value)
		return '-';
	return json_is_true(value) || (json_is_string(value) && strcmp(json_string_value(value), "true") == 0) ? '1' : '0';
}

/* As text it may be hexadecimal, with 0x before it. Returns where the text goes on. */
static char *put_number(const json_t *value, char *out)
{
	const char *text = json_is_string(value) ? json_string_value(value) : "";
	char *end = NULL;
	*out++ = ',';
	errno = 0;
	unsigned long long number = strtoull(text, &end, 0);
	if (json_is_integer(value) && json_integer_value(value) >= 0)
		number = (unsigned long long)json_integer_value(value);
	else if (errno || !*text || *end || strchr(text, '-'))
		return out;
	return out + sprintf(out, "%llu", number);
}

bool nt_runtime_config_read(const char *config, size_t length, char said[NT_RUNTIME_CONFIG_BYTES])
{
	json_t *root = json_loadb(config, length, 0, NULL), *options = json_object_get(root, "runtimeOptions");
	json_t *properties = json_object_get(options, "configProperties");
	char *at = said;
	if (json_is_object(options)) {
		for (size_t i = 0; i < NT_RUNTIME_PROPERTIES; i++)
			*at++ = letter_of(json_object_get(properties, nt_runtime_properties[i].name));
		for (size_t i = 0; i < NT_RUNTIME_NUMBERS; i++)
			at = put_number(json_object_get(properties, nt_runtime_numbers[i].name), at);
	}
	*at = '\0';
	json_decref(root);
	return *said;
}

bool nt_runtime_config_holds(const char *said)
{
	if (!*said)
		return true;
	if (strspn(said, "-01") != NT_RUNTIME_PROPERTIES)
		return false;
	said += NT_RUNTIME_PROPERTIES;
	for (size_t i = 0; i < NT_RUNTIME_NUMBERS; i++) {
		size_t digits = *said == ',' ? strspn(said + 1, "0123456789") : SIZE_MAX;
		if (digits > NT_RUNTIME_DIGITS)
			return false;
		said += 1 + digits;
	}
	return !*said;
}

bool nt_runtime_config_get(const char *said, const char *name, uint64_t *value)
{
	for (size_t i = 0; *said && i < NT_RUNTIME_PROPERTIES; i++)
		if (strcmp(nt_runtime_properties[i].name, name) == 0) {
			if (said[i] != '-')
				*value = said[i] == '1';
			return said[i] != '-';
		}
	const char *at = strchr(said, ',');
	for (size_t i = 0; at && i < NT_RUNTIME_NUMBERS; i++, at = strchr(at + 1, ','))
		if (strcmp(nt_runtime_numbers[i].name, name) == 0) {
			bool is_said = at[1] && at[1] != ',';
			if (is_said)
				*value = strtoull(at + 1, NULL, 10);
			return is_said;
		}
	return false;
}
