/* SPDX-License-Identifier: GPL-2.0-only */
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

/* Kinds that are paired with each other change their owner together. */
enum nt_owner_group {
	NT_OWNER_NONE,    /* not owned: every source speaks for itself */
	NT_OWNER_SAMPLES, /* CPU samples are better than those of the wall clock */
	NT_OWNER_GC,
	NT_OWNER_ALLOC_SAMPLED,
	NT_OWNER_ALLOC_TICK,
	NT_OWNER_JIT,
	NT_OWNER_TIERING,
	NT_OWNER_POOL,
	NT_OWNER_CONTENTION,
	NT_OWNER_EXCEPTION,
	NT_OWNER_THREAD,
	NT_OWNER_GROUP_COUNT
};

struct nt_owner {
	bool owned, had_previous;
	bool contested; /* more than one source has spoken */
	enum nt_source_id owner, previous;
	nt_time since;  /* hand-over time T */
	nt_time newest; /* newest time that counted */
};

struct nt_owners {
	struct nt_owner groups[NT_OWNER_GROUP_COUNT];
	struct nt_index begun; /* group, source, thread -> whether what it has begun counts */
	/*
	 * There has been an EventPipe session, of anybody's: the newest one sets the level of the runtime's managed source, for LTTng, too, and it stays so when the
	 * session ends. At the level of exceptions no event of the thread pool comes any more.
	 */
	bool had_session;
	uint32_t port_tid; /* the first thread named like those of sessions; 0 = none yet */
};

/* All zero is a beginning. */
void nt_owners_fini(struct nt_owners *owners);

enum nt_owner_group nt_owner_group_of(enum nt_event_kind kind);

/* May LTTng tell of it in part only? Besides what the target leaves out: exceptions, and the thread pool, which any EventPipe session may silence. */
bool nt_owners_lttng_is_partial(enum nt_owner_group group, const struct nt_left_out *left_out);

/* Does this event count, or is it a duplicate of what the owner says? May hand the subject over. */
bool nt_owners_admit(struct nt_owners *owners, const struct nt_sources *sources, const struct nt_left_out *left_out,
		     enum nt_source_id source, const struct nt_event *event);

/* The target has a thread of this name. */
void nt_owners_thread(struct nt_owners *owners, uint32_t tid, const char *name);

/* Has any event of the group counted since attach? */
bool nt_owners_seen(const struct nt_owners *owners, enum nt_owner_group group);

#endif
