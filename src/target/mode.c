// SPDX-License-Identifier: GPL-2.0-only
/* What the target's environment lets the runtime send over LTTng. The modes and what each costs: README, "What the target needs, and why". */
#include "target/parts.h"

#include "base/alloc.h"
#include "decode/clr.h"
#include "target/environment.h"

#include <stdlib.h>
#include <string.h>

/* The settings that narrow what comes, for people: "EventSourceFilter=X LTTngConfig=Y". */
static char *filters_in_force(const struct nt_environment *env)
{
	static const char *const names[] = { "EventSourceFilter", "EventNameFilter", "LTTngConfig" };
	char *all = NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char value[NT_SETTING_BYTES];
		if (!nt_environment_setting(env, names[i], value))
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
static enum nt_target_mode mode_of(const struct nt_environment *env)
{
	char filter[NT_SETTING_BYTES];
	if (!nt_environment_number(env, "EnableEventLog", 16, 0))
		return NT_MODE_NONE;
	if (!nt_environment_setting(env, "EventSourceFilter", filter))
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
	const struct nt_environment env = { environment, length };
	target->environment_readable = true;
	target->mode = mode_of(&env);
	target->mode_left_out = nt_strdup(left_out(target->mode));
	target->event_filters = filters_in_force(&env);
	if (!nt_environment_number(&env, "LTTng", 10, 1)) {
		free(target->mode_left_out);
		target->mode_left_out = nt_strdup("no event at all: the target runs with DOTNET_LTTng=0");
	}
	unsigned long server_gc = nt_environment_number(&env, "gcServer", 16, 2);
	target->server_gc = server_gc == 2 ? 2 : server_gc != 0;
	unsigned long perf_map = nt_environment_number(&env, "PerfMapEnabled", 16, 0);
	target->perf_map_enabled = perf_map == 1 || perf_map == 3; /* 2 writes a jitdump only */
	char dir[NT_SETTING_BYTES];
	target->perf_map_dir = nt_strdup(nt_environment_setting(&env, "PerfMapJitDumpPath", dir) ? dir : "/tmp");
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
