// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/lttng_config.h"

#include "nettop/source.h"
#include "target/process/settings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL_INFORMATIONAL = 4, LEVEL_VERBOSE = 5, KEYWORD_EXCEPTION = 0x8000 };

/* ClrEtwAll.man: the keywords of what nettop shows, and the level of their events. */
static const struct {
	uint64_t keyword;
	unsigned level, wanted;
	const char *subject;
} keywords[] = {
	{ 0x1, LEVEL_INFORMATIONAL, NT_WANT_RUNTIME_EVENTS, "starts of collections" },
	{ 0x10, LEVEL_VERBOSE, NT_WANT_JIT_EVENTS, "compilations" },
	{ 0x4000, LEVEL_INFORMATIONAL, NT_WANT_LOCK_EVENTS, "locks" },
	{ 0x80000000000, LEVEL_INFORMATIONAL, NT_WANT_ALLOC_SAMPLES, "allocations" },
};

/* A provider that the text does not name is off; a number left out means all. */
static struct nt_lttng_config parse(const char *text)
{
	static const char provider[] = NT_RUNTIME_EVENT_SOURCE;
	struct nt_lttng_config config = { 0 };
	for (const char *p = text; *p; p += strcspn(p, ","), p += *p == ',') {
		size_t length = strcspn(p, ":,");
		bool all = length == 1 && *p == '*', ours = length == sizeof(provider) - 1 && strncasecmp(p, provider, length) == 0;
		if (!all && !ours)
			continue;
		const char *keyword_text = p[length] == ':' ? p + length + 1 : "";
		const char *level_text = strpbrk(keyword_text, ":,");
		level_text = level_text && *level_text == ':' ? level_text + 1 : "";
		config.keywords = isxdigit((unsigned char)*keyword_text) ? strtoull(keyword_text, NULL, 16) : UINT64_MAX;
		config.level = isdigit((unsigned char)*level_text) ? strtoul(level_text, NULL, 10) : LEVEL_VERBOSE;
	}
	return config;
}

bool nt_lttng_config_read(const struct nt_target *target, struct nt_lttng_config *out)
{
	const struct nt_environment env = nt_target_environment(target);
	char text[NT_SETTING_BYTES];
	if (!nt_environment_setting(&env, "LTTngConfig", text))
		return false;
	*out = parse(text);
	return true;
}

static bool is_in(const struct nt_lttng_config *config, size_t i)
{
	return config->keywords & keywords[i].keyword && config->level >= keywords[i].level;
}

void nt_lttng_config_absent(const struct nt_lttng_config *config, char *out, size_t size)
{
	*out = '\0';
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (!is_in(config, i))
			snprintf(out + strlen(out), size - strlen(out), "%s%s", *out ? ", " : "", keywords[i].subject);
}

unsigned nt_lttng_config_leaves_out(const struct nt_target *target)
{
	struct nt_lttng_config config;
	unsigned left_out = 0;
	if (nt_lttng_config_read(target, &config))
		for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
			left_out |= is_in(&config, i) ? 0 : keywords[i].wanted;
	return left_out;
}

bool nt_lttng_config_has_exceptions(const struct nt_lttng_config *config)
{
	return config->keywords & KEYWORD_EXCEPTION;
}
