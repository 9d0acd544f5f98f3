// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/demand.h"

#include "target/needs/lttng_delivers.h"

#define ALL_EVENTS (NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS)

#define LACKING (NT_WANT_POOL_EVENTS | NT_WANT_EXCEPTIONS)

/*
 * What LTTng leaves out, by the mode of the target. Those of the thread pool come from managed code: in mode N not at all, and in the others no longer as soon as
 * an EventPipe session is open, which sets the keywords of their source anew (seen on .NET 10). There is one for exceptions.
 */
static const unsigned lacking[] = {
	[NT_MODE_UNKNOWN] = ALL_EVENTS, [NT_MODE_NONE] = ALL_EVENTS, [NT_MODE_N] = LACKING, [NT_MODE_F] = LACKING, [NT_MODE_ALL] = LACKING,
};

/* Waits for locks EventPipe adds to what LTTng brings; where it would have to bring more, it brings all. */
static unsigned lacking_over_lttng(enum nt_target_mode mode, unsigned left_out)
{
	return lacking[mode] | (left_out & ~(unsigned)NT_WANT_LOCK_EVENTS ? ALL_EVENTS : left_out);
}

bool nt_demand_eventpipe_alone(const struct nt_options *options, const struct nt_target *target)
{
	unsigned lacks = lacking_over_lttng(target->mode, nt_target_lttng_leaves_out(target));
	return options->prefer_eventpipe || lacks & NT_WANT_RUNTIME_EVENTS;
}

bool nt_demand_is_mapped(const struct nt_target *target, enum nt_source_state map, bool later)
{
	enum { FIRST_UNBUFFERED = 10 };
	return nt_target_runtime_major(target) >= FIRST_UNBUFFERED && (map == NT_STATE_DELIVERING || (map == NT_STATE_STARTING && !later));
}

/* Allocations are wanted with their call stacks, which LTTng does not have. */
static bool eventpipe_samples(const struct nt_demand_facts *facts)
{
	return facts->allocations && (facts->eventpipe || !facts->lttng);
}

static unsigned demand_of_eventpipe(const struct nt_demand_facts *facts)
{
	if (facts->moments)
		return NT_WANT_MOMENTS | NT_WANT_EXCEPTIONS; /* the second as far as it is among them */
	unsigned demand = facts->lttng ? lacking_over_lttng(facts->mode, facts->left_out) : ALL_EVENTS;
	if (facts->compilations_only)
		return demand & NT_WANT_RUNTIME_EVENTS ? NT_WANT_JIT_EVENTS : 0;
	if (facts->stacks || (facts->batch && demand & NT_WANT_RUNTIME_EVENTS))
		demand |= NT_WANT_STACKS;
	if ((facts->histories || facts->batch) && demand & NT_WANT_RUNTIME_EVENTS)
		demand |= NT_WANT_GC_HISTORIES;
	if ((facts->compilations || facts->batch || facts->unmapped) && demand & NT_WANT_RUNTIME_EVENTS)
		demand |= NT_WANT_JIT_EVENTS;
	return demand | (eventpipe_samples(facts) ? NT_WANT_ALLOC_SAMPLES : 0) | (facts->counters ? NT_WANT_COUNTERS : 0) |
	       (facts->wall_samples ? NT_WANT_WALL_SAMPLES : 0);
}

unsigned nt_demand_of(enum nt_source_id source, const struct nt_demand_facts *facts)
{
	if (source == NT_SOURCE_EVENTPIPE)
		return demand_of_eventpipe(facts);
	if (source == NT_SOURCE_RUNTIME)
		return facts->compilations_only         ? 0
		       : facts->looks || facts->moments ? NT_WANT_LOOKS
		       : facts->unjudged                ? 0
							: NT_WANT_RARE_LOOKS;
	if (source == NT_SOURCE_CODEMAP)
		return facts->needs_map ? NT_WANT_PERF_MAP : 0;
	if (source == NT_SOURCE_PROCFS)
		return facts->compilations_only ? 0 : (facts->descriptors ? NT_WANT_DESCRIPTORS : 0) | (facts->calls ? NT_WANT_CALLS : 0);
	if (source == NT_SOURCE_PERF && facts->switches)
		return NT_WANT_SWITCHES;
	return facts->allocations && !facts->eventpipe ? NT_WANT_ALLOC_SAMPLES : 0;
}
