// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the target's environment lets the runtime send over LTTng. The runtime reads these variables once, at its start, with the prefix DOTNET_
 * or, when that is not set, COMPlus_; numbers are hexadecimal. The modes and what each costs: README, "What to set on the target".
 */
#include "target/parts.h"

#include "base/alloc.h"
#include "base/text.h"
#include "decode/clr.h"
#include "decode/procfs_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 512 };

struct environment {
	const char *text;
	size_t length;
};

/* The runtime's setting `name` (without prefix) into value, escaped; false when it is not set or empty. */
static bool setting(const struct environment *env, const char *name, char value[VALUE_BYTES])
{
	static const char *const prefixes[] = { "DOTNET_", "COMPlus_" };
	for (size_t i = 0; i < 2; i++) {
		char full[64];
		snprintf(full, sizeof(full), "%s%s", prefixes[i], name);
		size_t length;
		const char *found = nt_procfs_environ_get(env->text, env->length, full, &length);
		if (found && length) {
			nt_text_escape(found, length, value, VALUE_BYTES);
			return true;
		}
	}
	return false;
}

/* A setting that is a number; `absent` when it is not set or no number. */
static unsigned long number(const struct environment *env, const char *name, int base, unsigned long absent)
{
	char value[VALUE_BYTES], *end;
	if (!setting(env, name, value))
		return absent;
	errno = 0;
	unsigned long n = strtoul(value, &end, base);
	return errno || end == value ? absent : n;
}

/* The settings that narrow what comes, for people: "EventSourceFilter=X LTTngConfig=Y". */
static char *filters_in_force(const struct environment *env)
{
	static const char *const names[] = { "EventSourceFilter", "EventNameFilter", "LTTngConfig" };
	char *all = NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char value[VALUE_BYTES];
		if (!setting(env, names[i], value))
			continue;
		char *longer = nt_format("%s%s%s=%s", all ? all : "", all ? " " : "", names[i], value);
		free(all);
		all = longer;
	}
	return all;
}

/*
 * EventSourceFilter is one text that must occur in the name of an EventSource for the runtime's managed listener to switch it on. Thread-pool events
 * come only through that listener, from the runtime's own source.
 */
static enum nt_target_mode mode_of(const struct environment *env)
{
	char filter[VALUE_BYTES];
	if (!number(env, "EnableEventLog", 16, 0))
		return NT_MODE_NONE;
	if (!setting(env, "EventSourceFilter", filter))
		return NT_MODE_ALL;
	return strcasestr(NT_CLR_PROVIDER, filter) ? NT_MODE_F : NT_MODE_N;
}

static const char *left_out(enum nt_target_mode mode)
{
	switch (mode) {
	case NT_MODE_NONE:
		return "no JIT, exception, contention and thread-pool events, and no start of collections: the target runs without "
		       "DOTNET_EnableEventLog=1";
	case NT_MODE_N:
		return "no thread-pool events: DOTNET_EventSourceFilter leaves " NT_CLR_PROVIDER " out";
	default:
		return NULL;
	}
}

void nt_target_apply_environment(struct nt_target *target, const char *environment, size_t length)
{
	const struct environment env = { environment, length };
	target->environment_readable = true;
	target->mode = mode_of(&env);
	target->mode_left_out = nt_strdup(left_out(target->mode));
	target->event_filters = filters_in_force(&env);
	if (!number(&env, "LTTng", 10, 1)) {
		free(target->mode_left_out);
		target->mode_left_out = nt_strdup("no event at all: the target runs with DOTNET_LTTng=0");
	}
	unsigned long server_gc = number(&env, "gcServer", 16, 2);
	target->server_gc = server_gc == 2 ? 2 : server_gc != 0;
	unsigned long perf_map = number(&env, "PerfMapEnabled", 16, 0);
	target->perf_map_enabled = perf_map == 1 || perf_map == 3; /* 2 writes a jitdump only */
	char dir[VALUE_BYTES];
	target->perf_map_dir = nt_strdup(setting(&env, "PerfMapJitDumpPath", dir) ? dir : "/tmp");
}

const char *nt_target_missing(const struct nt_target *target, enum nt_event_kind kind)
{
	if (kind < NT_EV_GC_START || kind >= NT_EV_CLR_UNKNOWN)
		return NULL;
	if (!target->is_dotnet)
		return "not a .NET process: no libcoreclr.so is mapped (Native AOT has none)";
	if (!target->provider_loaded)
		return "the runtime did not load libcoreclrtraceptprovider.so: it needs liblttng-ust.so.0 when the target starts, and no "
		       "DOTNET_LTTng=0";
	bool silent = target->mode == NT_MODE_NONE;
	switch (kind) {
	case NT_EV_GC_START:
		return silent ? "starts of collections need DOTNET_EnableEventLog=1 when the target starts" : NULL;
	case NT_EV_ALLOC_SAMPLED:
		return silent ? "allocation samples need DOTNET_EnableEventLog=1 when the target starts" : NULL;
	case NT_EV_JIT_START:
	case NT_EV_METHOD_LOAD:
	case NT_EV_METHOD_UNLOAD:
	case NT_EV_TIERING:
		return silent ? "JIT events need DOTNET_EnableEventLog=1 when the target starts" : NULL;
	case NT_EV_CONTENTION_START:
	case NT_EV_CONTENTION_STOP:
		return silent ? "lock events need DOTNET_EnableEventLog=1 when the target starts" : NULL;
	case NT_EV_EXCEPTION_THROWN:
	case NT_EV_EXCEPTION_CATCH:
		return silent ? "exception events need DOTNET_EnableEventLog=1 when the target starts" : NULL;
	case NT_EV_POOL_WORKERS:
	case NT_EV_POOL_ADJUST:
	case NT_EV_POOL_SAMPLE:
	case NT_EV_POOL_STATS:
	case NT_EV_POOL_MINMAX:
		if (silent || target->mode == NT_MODE_N)
			return "thread-pool events need DOTNET_EnableEventLog=1 and DOTNET_EventSourceFilter=" NT_CLR_PROVIDER
			       " when the target starts";
		return NULL;
	default:
		return NULL;
	}
}
