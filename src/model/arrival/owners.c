// SPDX-License-Identifier: GPL-2.0-only
#include "model/arrival/owners.h"

#include "nettop/source.h"

#include <string.h>

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

bool nt_owners_lttng_is_partial(enum nt_owner_group group, const struct nt_left_out *left_out)
{
	switch (group) {
	case NT_OWNER_POOL:
	case NT_OWNER_EXCEPTION:
		return true;
	case NT_OWNER_CONTENTION:
		return left_out->locks.reason;
	case NT_OWNER_JIT:
	case NT_OWNER_TIERING:
		return left_out->jit.reason;
	default:
		return false;
	}
}

/* The higher owns when both deliver. `lttng_is_partial`: LTTng does not tell all, and EventPipe is asked to. */
static int rank(enum nt_source_id source, bool lttng_is_partial)
{
	switch (source) {
	case NT_SOURCE_PERF:
		return 4;
	case NT_SOURCE_LTTNG:
		return lttng_is_partial ? 1 : 3;
	case NT_SOURCE_EVENTPIPE:
		return 2;
	default:
		return 0;
	}
}

/* For how long a better source and the one that it replaces both deliver before the hand-over: longer than the same event is under way in either. */
static nt_time overlap_of(enum nt_owner_group group)
{
	return group == NT_OWNER_SAMPLES ? 0 : 500 * NT_NS_PER_MS; /* samples of two sources are not the same events */
}

/* The enum nt_demand bits that make EventPipe bring the group. */
static uint32_t wanted_of(enum nt_owner_group group)
{
	switch (group) {
	case NT_OWNER_SAMPLES:
		return NT_WANT_WALL_SAMPLES;
	case NT_OWNER_ALLOC_SAMPLED:
		return NT_WANT_ALLOC_SAMPLES;
	case NT_OWNER_POOL:
		return NT_WANT_RUNTIME_EVENTS | NT_WANT_POOL_EVENTS;
	case NT_OWNER_JIT:
	case NT_OWNER_TIERING:
		return NT_WANT_JIT_EVENTS;
	case NT_OWNER_EXCEPTION:
		return NT_WANT_EXCEPTIONS;
	case NT_OWNER_CONTENTION:
		return NT_WANT_RUNTIME_EVENTS | NT_WANT_LOCK_EVENTS;
	default:
		return NT_WANT_RUNTIME_EVENTS;
	}
}

/* Nothing of the group comes from it, or not any more. */
static bool is_silent(const struct nt_sources *sources, enum nt_source_id source, enum nt_owner_group group)
{
	const struct nt_source_account *account = &sources->items[source];
	bool is_asked = source != NT_SOURCE_EVENTPIPE || !account->brings || account->brings & wanted_of(group);
	return !is_asked || account->state == NT_STATE_STALLED || account->state == NT_STATE_ENDED || account->state == NT_STATE_ABSENT ||
	       account->state == NT_STATE_FORBIDDEN;
}

/* ---- what lasts ---- */

/* What lasts belongs as a whole to the source that counted its beginning: pairs are of one source and thread. */
static const struct {
	enum nt_event_kind opens, closes;
} pairs[NT_OWNER_GROUP_COUNT] = {
	[NT_OWNER_GC] = { NT_EV_GC_SUSPEND_BEGIN, NT_EV_GC_RESTART_BEGIN },
	[NT_OWNER_JIT] = { NT_EV_JIT_START, NT_EV_METHOD_LOAD },
	[NT_OWNER_CONTENTION] = { NT_EV_CONTENTION_START, NT_EV_CONTENTION_STOP },
};

enum { BEGUN_MAX = 1 << 16 }; /* threads that ended within something; beyond, a hand-over may cut something in two */

static uint64_t key_of(enum nt_owner_group group, enum nt_source_id source, uint32_t tid)
{
	return (uint64_t)group << 40 | (uint64_t)source << 32 | tid;
}

/* `counts`: by its time alone. */
static bool counts_as_begun(struct nt_owners *owners, enum nt_owner_group group, enum nt_source_id source, const struct nt_event *event,
			    bool counts)
{
	uint64_t key = key_of(group, source, event->tid);
	if (pairs[group].opens == NT_EV_NONE)
		return counts;
	if (event->kind == pairs[group].opens) {
		if (owners->begun.used >= BEGUN_MAX)
			nt_index_fini(&owners->begun);
		nt_index_put(&owners->begun, key, counts);
		return counts;
	}
	uint32_t begun = nt_index_get(&owners->begun, key);
	if (begun == NT_INDEX_NONE)
		return counts;
	if (event->kind == pairs[group].closes)
		nt_index_remove(&owners->begun, key);
	return begun;
}

/* ---- hand-over ---- */

static void hand_over(struct nt_owner *owner, enum nt_source_id source, nt_time since)
{
	owner->previous = owner->owner;
	owner->had_previous = true;
	owner->owner = source;
	owner->since = since;
}

/* Somebody else than the owner tells of something. */
static void challenge(struct nt_owner *owner, const struct nt_sources *sources, enum nt_source_id source, enum nt_owner_group group,
		      nt_time time, bool lttng_is_partial)
{
	bool better = rank(source, lttng_is_partial) > rank(owner->owner, lttng_is_partial);
	bool fresh = time > owner->newest; /* what the old owner has said is not counted again */
	if (is_silent(sources, owner->owner, group)) {
		if (fresh && (better || !is_silent(sources, source, group)))
			hand_over(owner, source, time);
	} else if (better && time != NT_TIME_UNKNOWN) {
		/* What the old owner tells only in part, it tells no longer as soon as another tells all. */
		nt_time overlap = owner->owner == NT_SOURCE_LTTNG && lttng_is_partial ? 0 : overlap_of(group);
		hand_over(owner, source, (fresh ? time : owner->newest + 1) + overlap);
	}
}

/* The old owner was to count until T, and cannot. */
static void bring_forward(struct nt_owner *owner, const struct nt_sources *sources, enum nt_owner_group group, nt_time time)
{
	if (owner->had_previous && time < owner->since && time > owner->newest && is_silent(sources, owner->previous, group))
		owner->since = time;
}

/* EventPipe is asked for it, and there. */
static bool comes_by_eventpipe(const struct nt_sources *sources, enum nt_owner_group group)
{
	return sources->items[NT_SOURCE_EVENTPIPE].brings & wanted_of(group) && !is_silent(sources, NT_SOURCE_EVENTPIPE, group);
}

bool nt_owners_admit(struct nt_owners *owners, const struct nt_sources *sources, const struct nt_left_out *left_out,
		     enum nt_source_id source, const struct nt_event *event)
{
	enum nt_owner_group group = nt_owner_group_of(event->kind);
	if (group == NT_OWNER_NONE)
		return true;
	bool lttng_is_partial = nt_owners_lttng_is_partial(group, left_out) && comes_by_eventpipe(sources, group);
	if (source == NT_SOURCE_LTTNG && lttng_is_partial)
		return false;
	struct nt_owner *owner = &owners->groups[group];
	if (!owner->owned) {
		owner->owned = true;
		owner->owner = source;
	} else if (owner->owner != source) {
		owner->contested = true;
		challenge(owner, sources, source, group, event->time, lttng_is_partial);
	} else {
		bring_forward(owner, sources, group, event->time);
	}
	bool counts = owner->owner == source ? event->time >= owner->since || !owner->had_previous
					     : owner->had_previous && owner->previous == source && event->time < owner->since;
	if (owner->contested)
		counts = counts_as_begun(owners, group, source, event, counts);
	if (counts && event->time > owner->newest && event->time != NT_TIME_UNKNOWN)
		owner->newest = event->time;
	return counts;
}

void nt_owners_fini(struct nt_owners *owners)
{
	nt_index_fini(&owners->begun);
}

/* Each session has a thread of this name, and so has the diagnostics port. */
void nt_owners_thread(struct nt_owners *owners, uint32_t tid, const char *name)
{
	if (!name || strcmp(name, ".NET EventPipe") != 0)
		return;
	if (!owners->port_tid)
		owners->port_tid = tid;
	owners->had_session |= tid != owners->port_tid;
}

bool nt_owners_seen(const struct nt_owners *owners, enum nt_owner_group group)
{
	return owners->groups[group].owned;
}
