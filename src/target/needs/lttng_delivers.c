// SPDX-License-Identifier: GPL-2.0-only
#include "target/needs/lttng_delivers.h"

#include "target/needs/prerequisites.h"
#include "target/process/lttng_config.h"

/*
 * From this version on there is System.Threading.Lock, a class of its own beside Monitor. Managed code tells of its waits, and does so only while a managed listener is
 * on or an EventPipe session asks for them: in mode N no LTTng session hears of any, in mode F none from the first EventPipe session of anybody's on.
 */
enum { FIRST_WITH_MANAGED_LOCK = 9 };

bool nt_target_tells_of_locks_itself(const struct nt_target *target)
{
	return !target->runtime || nt_target_runtime_major(target) >= FIRST_WITH_MANAGED_LOCK;
}

unsigned nt_target_lttng_leaves_out(const struct nt_target *target)
{
	if (!target->is_dotnet || target->mode == NT_MODE_NONE || target->mode == NT_MODE_UNKNOWN)
		return 0;
	unsigned left_out = nt_lttng_config_leaves_out(target) & ~(unsigned)NT_WANT_ALLOC_SAMPLES; /* EventPipe brings them, if it can */
	return nt_target_tells_of_locks_itself(target) ? left_out | NT_WANT_LOCK_EVENTS : left_out;
}

bool nt_target_lttng_refuses(const struct nt_target *target, unsigned want, struct nt_probe *out)
{
	const struct nt_facts facts = { .target = target };
	if (!target->is_dotnet)
		return false;
	/* Of collections enough is told without the log. */
	if (target->mode == NT_MODE_NONE || target->mode == NT_MODE_UNKNOWN)
		return want != NT_WANT_RUNTIME_EVENTS && nt_prerequisite_refuses(NT_NEEDS_EVENT_LOG, &facts, out);
	if (nt_lttng_config_leaves_out(target) & want)
		return nt_prerequisite_refuses(NT_NEEDS_EVENT_FILTERS, &facts, out);
	return want == NT_WANT_LOCK_EVENTS && nt_prerequisite_refuses(NT_NEEDS_LOCK_EVENTS, &facts, out);
}
