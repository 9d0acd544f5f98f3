/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/arrival: who may speak of what, for how long, and why nobody does. */
/*
 * Two sources may know the same: an open EventPipe session opens LTTng's gates, and both deliver. Each subject has one owner at a time; what
 * another source says about it is a duplicate. LTTng owns when it delivers all of it, else EventPipe. A hand-over has a time T: the old owner counts
 * until T, the new one from T. When a better source comes back, T lies a little ahead, so that both deliver on either side of it; when the owner has
 * fallen silent, T is the first event of the other.
 */
#ifndef NT_MODEL_OWNERS_H
#define NT_MODEL_OWNERS_H

#include "base/index.h"
#include "model/arrival/source_accounts.h"
#include "model/process/proc.h"
#include "nettop/subject.h"

struct nt_owner {
	bool owned, had_previous;
	bool contested; /* more than one source has spoken */
	enum nt_source_id owner, previous;
	nt_time since;  /* hand-over time T */
	nt_time newest; /* newest time that counted */
};

struct nt_owners {
	struct nt_owner streams[NT_SUBJECT_COUNT][NT_STREAM_COUNT];
	struct nt_index begun; /* subject, source, thread -> whether what it has begun counts */
	uint8_t of_kind
		[NT_EV_LIMIT]; /* whose events these are: subject * NT_STREAM_COUNT + stream + 1; 0: nobody's, every source speaks for itself */
	/*
	 * There has been an EventPipe session, of anybody's: the newest one sets the level of the runtime's managed source, for LTTng, too, and it stays so when the
	 * session ends. At the level of exceptions no event of the thread pool comes any more.
	 */
	bool had_session;
	uint32_t port_tid; /* the first thread named like those of sessions; 0 = none yet */
};

void nt_owners_init(struct nt_owners *owners);
void nt_owners_fini(struct nt_owners *owners);

/* May LTTng tell of it in part only? Besides what the target leaves out: exceptions, and the thread pool, which any EventPipe session may silence. */
bool nt_subject_lttng_is_partial(const struct nt_subject *subject, const struct nt_left_out *left_out);

/* Does this event count, or is it a duplicate of what the owner says? May hand the subject over. */
bool nt_owners_admit(struct nt_owners *owners, const struct nt_sources *sources, const struct nt_left_out *left_out,
		     enum nt_source_id source, const struct nt_event *event);

/* The target has a thread of this name. */
void nt_owners_thread(struct nt_owners *owners, uint32_t tid, const char *name);

/* Whose events of this kind are; NT_SUBJECT_COUNT: of no subject. */
enum nt_subject_id nt_owners_subject(const struct nt_owners *owners, unsigned kind);

/* Has any event of the subject's main stream counted since attach? */
bool nt_owners_seen(const struct nt_owners *owners, enum nt_subject_id subject);

/* Who tells of that stream; of no meaning before nt_owners_seen(). */
enum nt_source_id nt_owners_of(const struct nt_owners *owners, enum nt_subject_id subject);

#endif
