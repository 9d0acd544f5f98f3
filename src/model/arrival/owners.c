// SPDX-License-Identifier: GPL-2.0-only
#include "model/arrival/owners.h"

#include "nettop/source.h"

#include <string.h>

void nt_owners_init(struct nt_owners *owners)
{
	*owners = (struct nt_owners){ 0 };
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (const struct nt_subject_kind *of = nt_subjects[s]->kinds; of && of->kind != NT_EV_NONE; of++)
			owners->of_kind[of->kind] = (uint8_t)(s * NT_STREAM_COUNT + of->stream + 1);
}

bool nt_subject_lttng_is_partial(const struct nt_subject *subject, const struct nt_left_out *left_out)
{
	const struct nt_why *why = (const struct nt_why *)((const char *)left_out + subject->left_out);
	return subject->lttng_in_part || (subject->left_out && why->reason);
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
static nt_time overlap_of(const struct nt_subject *subject)
{
	return subject == &nt_subject_cpu ? 0 : 500 * NT_NS_PER_MS; /* samples of two sources are not the same events */
}

/* The enum nt_demand bits that make EventPipe bring it: its threads come with everything else. */
static uint32_t wanted_of(const struct nt_subject *subject)
{
	return subject->wanted ? subject->wanted : NT_WANT_RUNTIME_EVENTS;
}

/* Nothing of the subject comes from it, or not any more. */
static bool is_silent(const struct nt_sources *sources, enum nt_source_id source, const struct nt_subject *subject)
{
	const struct nt_source_account *account = &sources->items[source];
	bool is_asked = source != NT_SOURCE_EVENTPIPE || !account->brings || account->brings & wanted_of(subject);
	return !is_asked || account->state == NT_STATE_STALLED || account->state == NT_STATE_ENDED || account->state == NT_STATE_ABSENT ||
	       account->state == NT_STATE_FORBIDDEN;
}

/* ---- what lasts ---- */

/* What lasts belongs as a whole to the source that counted its beginning: pairs are of one source and thread. */
enum { BEGUN_MAX = 1 << 16 }; /* threads that ended within something; beyond, a hand-over may cut something in two */

static uint64_t key_of(enum nt_subject_id subject, enum nt_source_id source, uint32_t tid)
{
	return (uint64_t)subject << 40 | (uint64_t)source << 32 | tid;
}

/* `counts`: by its time alone. */
static bool counts_as_begun(struct nt_owners *owners, enum nt_subject_id index, enum nt_source_id source, const struct nt_event *event,
			    bool counts)
{
	const struct nt_subject *subject = nt_subjects[index];
	uint64_t key = key_of(index, source, event->tid);
	if (event->kind == subject->opens) {
		if (owners->begun.used >= BEGUN_MAX)
			nt_index_fini(&owners->begun);
		nt_index_put(&owners->begun, key, counts);
		return counts;
	}
	uint32_t begun = nt_index_get(&owners->begun, key);
	if (begun == NT_INDEX_NONE)
		return counts;
	if (event->kind == subject->closes)
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
static void challenge(struct nt_owner *owner, const struct nt_sources *sources, enum nt_source_id source, const struct nt_subject *subject,
		      nt_time time, bool lttng_is_partial)
{
	bool better = rank(source, lttng_is_partial) > rank(owner->owner, lttng_is_partial);
	bool fresh = time > owner->newest; /* what the old owner has said is not counted again */
	if (is_silent(sources, owner->owner, subject)) {
		if (fresh && (better || !is_silent(sources, source, subject)))
			hand_over(owner, source, time);
	} else if (better && time != NT_TIME_UNKNOWN) {
		/* What the old owner tells only in part, it tells no longer as soon as another tells all. */
		nt_time overlap = owner->owner == NT_SOURCE_LTTNG && lttng_is_partial ? 0 : overlap_of(subject);
		hand_over(owner, source, (fresh ? time : owner->newest + 1) + overlap);
	}
}

/* The old owner was to count until T, and cannot. */
static void bring_forward(struct nt_owner *owner, const struct nt_sources *sources, const struct nt_subject *subject, nt_time time)
{
	if (owner->had_previous && time < owner->since && time > owner->newest && is_silent(sources, owner->previous, subject))
		owner->since = time;
}

/* EventPipe is asked for it, and there. */
static bool comes_by_eventpipe(const struct nt_sources *sources, const struct nt_subject *subject)
{
	return sources->items[NT_SOURCE_EVENTPIPE].brings & wanted_of(subject) && !is_silent(sources, NT_SOURCE_EVENTPIPE, subject);
}

bool nt_owners_admit(struct nt_owners *owners, const struct nt_sources *sources, const struct nt_left_out *left_out,
		     enum nt_source_id source, const struct nt_event *event)
{
	uint8_t whose = event->kind < NT_EV_LIMIT ? owners->of_kind[event->kind] : 0;
	if (!whose)
		return true;
	/* Where a thread waits, by a look, is never what perf tells by a sample of one that runs. */
	if (source == NT_SOURCE_RUNTIME && event->kind == NT_EV_MOMENT)
		return true;
	enum nt_subject_id index = (enum nt_subject_id)((whose - 1) / NT_STREAM_COUNT);
	enum nt_stream stream = (enum nt_stream)((whose - 1) % NT_STREAM_COUNT);
	const struct nt_subject *subject = nt_subjects[index];
	bool lttng_is_partial = nt_subject_lttng_is_partial(subject, left_out) && comes_by_eventpipe(sources, subject);
	if (source == NT_SOURCE_LTTNG && lttng_is_partial)
		return false;
	struct nt_owner *owner = &owners->streams[index][stream];
	if (!owner->owned) {
		owner->owned = true;
		owner->owner = source;
	} else if (owner->owner != source) {
		owner->contested = true;
		challenge(owner, sources, source, subject, event->time, lttng_is_partial);
	} else {
		bring_forward(owner, sources, subject, event->time);
	}
	bool counts = owner->owner == source ? event->time >= owner->since || !owner->had_previous
					     : owner->had_previous && owner->previous == source && event->time < owner->since;
	if (owner->contested && stream == NT_STREAM_MAIN && subject->opens != NT_EV_NONE)
		counts = counts_as_begun(owners, index, source, event, counts);
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

bool nt_owners_seen(const struct nt_owners *owners, enum nt_subject_id subject)
{
	return owners->streams[subject][NT_STREAM_MAIN].owned;
}

enum nt_source_id nt_owners_of(const struct nt_owners *owners, enum nt_subject_id subject)
{
	return owners->streams[subject][NT_STREAM_MAIN].owner;
}

enum nt_subject_id nt_owners_subject(const struct nt_owners *owners, unsigned kind)
{
	uint8_t whose = kind < NT_EV_LIMIT ? owners->of_kind[kind] : 0;
	return whose ? (enum nt_subject_id)((whose - 1) / NT_STREAM_COUNT) : NT_SUBJECT_COUNT;
}
