// SPDX-License-Identifier: GPL-2.0-only
/* What the target's environment lets the runtime send over LTTng. The modes and what each costs: doc/TARGET.md. */
#include "target/process/parts.h"

#include "base/alloc.h"
#include "decode/clr/clr.h"
#include "target/process/environment.h"

#include <string.h>

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

void nt_target_apply_environment(struct nt_target *target, const char *environment, size_t length)
{
	const struct nt_environment env = { environment, length };
	target->environment_readable = true;
	target->mode = mode_of(&env);
	target->server_gc = nt_environment_number(&env, "gcServer", 16, 1) ? 2 : 0; /* what is asked for it may not get */
	unsigned long perf_map = nt_environment_number(&env, "PerfMapEnabled", 16, 0);
	target->perf_map_enabled = perf_map == 1 || perf_map == 3;
	target->jitdump_only = perf_map == 2;
	char dir[NT_SETTING_BYTES];
	target->perf_map_dir = nt_strdup(nt_environment_setting(&env, "PerfMapJitDumpPath", dir) ? dir : "/tmp");
}

bool nt_target_perf_map_switchable(const struct nt_target *target)
{
	enum { FIRST_MAJOR = 8 };
	const struct nt_environment env = nt_target_environment(target);
	return target->is_dotnet && target->environment_readable && nt_target_runtime_major(target) >= FIRST_MAJOR &&
	       !nt_environment_number(&env, "PerfMapEnabled", 16, 0);
}
