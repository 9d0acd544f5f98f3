// SPDX-License-Identifier: GPL-2.0-only
#include "app/demand.h"

/* What LTTng leaves out, by the mode of the target. */
static const unsigned lacking[] = {
	[NT_MODE_UNKNOWN] = NT_WANT_RUNTIME_EVENTS,
	[NT_MODE_NONE] = NT_WANT_RUNTIME_EVENTS,
	[NT_MODE_N] = NT_WANT_POOL_EVENTS,
	[NT_MODE_F] = 0,
	[NT_MODE_ALL] = 0,
};

bool nt_demand_eventpipe_alone(enum nt_target_mode mode)
{
	return lacking[mode] & NT_WANT_RUNTIME_EVENTS;
}

static unsigned demand_of_eventpipe(const struct nt_demand_facts *facts)
{
	unsigned counters = facts->counters ? NT_WANT_COUNTERS : 0;
	if (facts->lttng)
		return lacking[facts->mode] | counters;
	return NT_WANT_RUNTIME_EVENTS | (facts->allocations ? NT_WANT_ALLOC_SAMPLES : 0) | counters;
}

unsigned nt_demand_of(enum nt_source_id source, const struct nt_demand_facts *facts)
{
	if (source == NT_SOURCE_EVENTPIPE)
		return demand_of_eventpipe(facts);
	return facts->allocations ? NT_WANT_ALLOC_SAMPLES : 0;
}
