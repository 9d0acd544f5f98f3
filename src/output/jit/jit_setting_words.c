/* SPDX-License-Identifier: GPL-2.0-only */
#include "output/jit/jit_setting_words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the runtime's settings are hexadecimal; all that matters here is 0. In a runtimeconfig.json it is false. */
static bool is_off(const char *value)
{
	return strspn(value, "0") == strlen(value) || strcmp(value, "0x0") == 0 || strcmp(value, "false") == 0;
}

/* Those that have words when they are not as they are by themselves, because they decide how much is compiled; and those that are a variable or a property. */
static const struct {
	const char *name;     /* of the variable, without the prefix */
	const char *property; /* of a runtimeconfig.json; NULL = it has none */
	const char *off, *on; /* NULL = by itself it is so */
} words[] = {
	{ "ReadyToRun", NULL, "ReadyToRun was off", NULL },
	{ "TieredCompilation", "System.Runtime.TieredCompilation", "tiered compilation was off", NULL },
	{ "TieredPGO", "System.Runtime.TieredPGO", "instrumented tiers were off", NULL },
	{ "TC_QuickJit", "System.Runtime.TieredCompilation.QuickJit", "quick compilation was off", NULL },
	{ "TC_QuickJitForLoops", "System.Runtime.TieredCompilation.QuickJitForLoops", "quick compilation of loops was off", NULL },
	{ "PerfMapEnabled", NULL, NULL, "the runtime wrote a perf map" },
	{ "gcServer", "System.GC.Server", NULL, NULL },
	{ "gcConcurrent", "System.GC.Concurrent", NULL, NULL },
	{ "GCRetainVM", "System.GC.RetainVM", NULL, NULL },
	{ "TC_AggressiveTiering", NULL, NULL, "tiers followed each other at once" },
};
enum { WORDS = sizeof(words) / sizeof(words[0]) };

/* The setting's number in the table; WORDS = it is none of those. */
static size_t number_of(const struct nt_jit_setting *setting)
{
	const char *name = nt_jit_setting_is_of_file(setting) ? NULL : strchr(setting->name, '_');
	for (size_t i = 0; i < WORDS; i++)
		if (name ? strcmp(words[i].name, name + 1) == 0 : words[i].property && strcmp(words[i].property, setting->name) == 0)
			return i;
	return WORDS;
}

const char *nt_jit_setting_words(const struct nt_jit_setting *setting)
{
	size_t i = setting->overruled ? WORDS : number_of(setting);
	if (i == WORDS)
		return NULL;
	return is_off(setting->value) ? words[i].off : words[i].on;
}

/* COMPlus_ and DOTNET_ are the same, and so are a variable and the property that it would overrule. */
static bool same_name(const struct nt_jit_setting *one, const struct nt_jit_setting *other)
{
	size_t number = number_of(one);
	if (number != WORDS || number_of(other) != WORDS)
		return number == number_of(other);
	return strcmp(one->name, other->name) == 0;
}

/* A number of a variable may be written with zeros before it, or 0x. What is no number is a text. */
static bool number_in(const char *value, uint64_t *number)
{
	if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0) {
		*number = value[0] == 't';
		return true;
	}
	char *end;
	errno = 0;
	*number = strtoull(value, &end, 16);
	return isxdigit((unsigned char)*value) && !*end && errno == 0;
}

static bool same_value(const char *one, const char *other)
{
	uint64_t x, y;
	if (number_in(one, &x) && number_in(other, &y))
		return x == y;
	return strcmp(one, other) == 0;
}

static bool counts(const struct nt_jit_setting *setting, bool of_files)
{
	return !setting->overruled && (of_files || !nt_jit_setting_is_of_file(setting));
}

/* Is all that is in force in `x` in force in `y`, too? */
static bool has_all(const struct nt_jit_report *x, const struct nt_jit_report *y, bool of_files)
{
	for (size_t i = 0; i < x->setting_count; i++) {
		bool found = !counts(&x->settings[i], of_files);
		for (size_t j = 0; j < y->setting_count && !found; j++)
			found = counts(&y->settings[j], of_files) && same_name(&x->settings[i], &y->settings[j]) &&
				same_value(x->settings[i].value, y->settings[j].value);
		if (!found)
			return false;
	}
	return true;
}

bool nt_jit_same_settings(const struct nt_jit_report *x, const struct nt_jit_report *y)
{
	bool of_files = x->file_settings_known && y->file_settings_known;
	return has_all(x, y, of_files) && has_all(y, x, of_files);
}
