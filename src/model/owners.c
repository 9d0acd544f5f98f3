// SPDX-License-Identifier: GPL-2.0-only
#include "model/owners.h"

enum nt_owner_group nt_owner_group_of(enum nt_event_kind kind)
{
	switch (kind) {
	case NT_EV_SAMPLE:
	case NT_EV_WALL_SAMPLE:
		return NT_OWNER_SAMPLES;
	case NT_EV_GC_START ... NT_EV_GC_FINALIZERS_END:
		return NT_OWNER_GC;
	case NT_EV_ALLOC_SAMPLED:
		return NT_OWNER_ALLOC_SAMPLED;
	case NT_EV_ALLOC_TICK:
		return NT_OWNER_ALLOC_TICK;
	case NT_EV_JIT_START:
	case NT_EV_METHOD_LOAD:
	case NT_EV_METHOD_UNLOAD:
		return NT_OWNER_JIT;
	case NT_EV_TIERING:
		return NT_OWNER_TIERING;
	case NT_EV_POOL_WORKERS ... NT_EV_POOL_MINMAX:
		return NT_OWNER_POOL;
	case NT_EV_CONTENTION_START:
	case NT_EV_CONTENTION_STOP:
		return NT_OWNER_CONTENTION;
	case NT_EV_EXCEPTION_THROWN:
	case NT_EV_EXCEPTION_CATCH:
		return NT_OWNER_EXCEPTION;
	case NT_EV_CLR_THREAD_CREATED:
	case NT_EV_CLR_THREAD_ENDED:
		return NT_OWNER_THREAD;
	default:
		return NT_OWNER_NONE;
	}
}

/* The higher owns when both deliver. */
static int rank(enum nt_source_id source)
{
	switch (source) {
	case NT_SOURCE_PERF:
		return 4;
	case NT_SOURCE_LTTNG:
		return 3;
	case NT_SOURCE_EVENTPIPE:
		return 2;
	default:
		return 1;
	}
}

static bool takes_over(const struct nt_owner *group, const struct nt_sources *sources, enum nt_source_id source)
{
	enum nt_source_state state = sources->items[group->owner].state;
	bool owner_silent = state == NT_STATE_STALLED || state == NT_STATE_ENDED || state == NT_STATE_ABSENT || state == NT_STATE_FORBIDDEN;
	bool challenger_silent = sources->items[source].state == NT_STATE_STALLED || sources->items[source].state == NT_STATE_ENDED;
	return owner_silent ? !challenger_silent || rank(source) > rank(group->owner) : rank(source) > rank(group->owner);
}

static void hand_over(struct nt_owner *group, enum nt_source_id source)
{
	group->previous = group->owner;
	group->had_previous = true;
	group->owner = source;
	group->since = group->newest + 1; /* what the old owner has said is not counted again */
}

bool nt_owners_admit(struct nt_owners *owners, const struct nt_sources *sources, enum nt_source_id source, const struct nt_event *event)
{
	enum nt_owner_group index = nt_owner_group_of(event->kind);
	if (index == NT_OWNER_NONE)
		return true;
	struct nt_owner *group = &owners->groups[index];
	if (!group->owned) {
		group->owned = true;
		group->owner = source;
	} else if (group->owner != source && event->time > group->newest && takes_over(group, sources, source)) {
		hand_over(group, source);
	}
	bool counts = group->owner == source ? event->time >= group->since || !group->had_previous
					     : group->had_previous && group->previous == source && event->time < group->since;
	if (counts && event->time > group->newest && event->time != NT_TIME_UNKNOWN)
		group->newest = event->time;
	return counts;
}

bool nt_owners_seen(const struct nt_owners *owners, enum nt_owner_group group)
{
	return owners->groups[group].owned;
}
