// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/demand.h"

#include "nettop/subject.h"
#include "source/common/sources.h"
#include "target/needs/lttng_delivers.h"

/*
 * What EventPipe has to bring of the subjects that are told whatever somebody looks at, where LTTng carries a target of this mode. Those that LTTng tells in part come
 * from managed code: in mode N not at all, and in the others no longer as soon as an EventPipe session is open, which sets the keywords of their source anew (seen on
 * .NET 10). What it leaves out besides EventPipe adds if a subject can be had alone; where it would have to bring more, it brings all.
 */
static unsigned lacking_over_lttng(enum nt_target_mode mode, unsigned left_out)
{
	unsigned all = 0, singly = 0, in_part = 0;
	for (size_t i = 0; i < NT_SUBJECT_COUNT; i++) {
		const struct nt_subject *subject = nt_subjects[i];
		if (subject->while_looked_at)
			continue;
		unsigned alone = subject->wanted & ~(unsigned)NT_WANT_RUNTIME_EVENTS;
		all |= subject->wanted == alone ? alone : NT_WANT_RUNTIME_EVENTS;
		singly |= alone;
		in_part |= subject->lttng_in_part ? alone : 0;
	}
	bool has_little = mode == NT_MODE_UNKNOWN || mode == NT_MODE_NONE;
	return (has_little ? all : in_part) | (left_out & ~singly ? all : left_out);
}

bool nt_demand_eventpipe_alone(const struct nt_options *options, const struct nt_target *target)
{
	unsigned lacks = lacking_over_lttng(target->mode, nt_target_lttng_leaves_out(target));
	return options->prefer_eventpipe || lacks & NT_WANT_RUNTIME_EVENTS;
}

bool nt_demand_passes_over_lttng(const struct nt_options *options, const struct nt_source_config *config, const struct nt_target *target)
{
	struct nt_probe probe;
	if (options->lttng_session || !(options->source_mask & 1u << NT_SOURCE_EVENTPIPE) || !nt_demand_eventpipe_alone(options, target))
		return false;
	nt_source_eventpipe.probe(target, config, &probe);
	return probe.result == NT_PROBE_AVAILABLE;
}

bool nt_demand_is_mapped(const struct nt_target *target, enum nt_source_state map, bool later)
{
	enum { FIRST_UNBUFFERED = 10 };
	return nt_target_runtime_major(target) >= FIRST_UNBUFFERED && (map == NT_STATE_DELIVERING || (map == NT_STATE_STARTING && !later));
}

/* Is EventPipe asked for a subject of which it tells only while somebody looks? `counts`: it brings the runtime's events. */
static bool is_asked_for(const struct nt_subject *subject, const struct nt_demand_facts *facts, bool counts)
{
	bool looked_at = facts->looked_at & subject->wanted;
	if (subject == &nt_subject_requests) /* always, where there may be any */
		return facts->requests && !facts->unjudged;
	if (subject == &nt_subject_jit) /* LTTng has compilations among its events */
		return counts && (looked_at || facts->batch || facts->unmapped || facts->compilations);
	if (subject == &nt_subject_alloc) /* wanted with their call stacks, which LTTng does not have */
		return looked_at && (facts->eventpipe || !facts->lttng);
	return looked_at;
}

static unsigned demand_of_eventpipe(const struct nt_demand_facts *facts)
{
	if (facts->moments)
		return NT_WANT_MOMENTS | nt_subject_exceptions.wanted; /* the second as far as it is among them */
	if (facts->counters_only)
		return nt_subject_counters.wanted;
	if (facts->told_only) /* and what names their frames where nothing else does */
		return NT_WANT_TOLD | (facts->unmapped ? nt_subject_jit.wanted : 0);
	unsigned demand = facts->lttng ? lacking_over_lttng(facts->mode, facts->left_out) : lacking_over_lttng(NT_MODE_NONE, 0);
	bool counts = demand & NT_WANT_RUNTIME_EVENTS;
	if (facts->unjudged) /* when the program is paused, and nothing else */
		return demand & NT_WANT_RUNTIME_EVENTS;
	if (facts->compilations_only)
		return counts ? nt_subject_jit.wanted : 0;
	if (facts->looked_at & NT_WANT_STACKS || (facts->batch && counts))
		demand |= NT_WANT_STACKS;
	demand |= facts->looked_at & NT_WANT_CATCHES;
	if ((facts->looked_at & NT_WANT_GC_HISTORIES || facts->batch) && counts)
		demand |= NT_WANT_GC_HISTORIES;
	demand |= facts->looked_at & (NT_WANT_JIT_CALLERS | NT_WANT_POOL_ITEMS);
	for (size_t i = 0; i < NT_SUBJECT_COUNT; i++)
		if (nt_subjects[i]->while_looked_at && is_asked_for(nt_subjects[i], facts, counts))
			demand |= nt_subjects[i]->wanted;
	/* Each of them costs the target something: where there may be any, and while somebody looks. */
	if (demand & NT_WANT_REQUESTS)
		demand |= facts->looked_at & NT_WANT_EACH_REQUEST;
	return demand;
}

unsigned nt_demand_of(enum nt_source_id source, const struct nt_demand_facts *facts)
{
	switch (source) {
	case NT_SOURCE_EVENTPIPE:
		return demand_of_eventpipe(facts);
	case NT_SOURCE_LTTNG:
		return facts->eventpipe ? 0 : facts->looked_at & nt_subject_alloc.wanted;
	case NT_SOURCE_RUNTIME:
		if (facts->compilations_only || facts->counters_only || facts->told_only)
			return 0;
		if (facts->looked_at & NT_WANT_LOOKS)
			return facts->looked_at & (NT_WANT_LOOKS | NT_WANT_NATIVE);
		return facts->unjudged ? 0 : NT_WANT_RARE_LOOKS;
	case NT_SOURCE_CODEMAP:
		return facts->needs_map ? NT_WANT_PERF_MAP : 0;
	case NT_SOURCE_PROCFS:
		return facts->compilations_only || facts->counters_only || facts->told_only
			       ? 0
			       : facts->looked_at & (NT_WANT_DESCRIPTORS | NT_WANT_CALLS);
	case NT_SOURCE_PERF:
		return facts->looked_at & NT_WANT_SWITCHES;
	default:
		return 0;
	}
}
