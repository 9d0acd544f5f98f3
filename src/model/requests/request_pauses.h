/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For how long all managed threads stood for collections while a request was under way. Of the newest pauses, with the sum of all before each: so a request of any length costs
 * two searches. Bounded: the oldest of NT_REQUEST_PAUSES go, and nothing is known of requests that began before them.
 */
#ifndef NT_MODEL_REQUEST_PAUSES_H
#define NT_MODEL_REQUEST_PAUSES_H

#include "model/common/pause.h"
#include "nettop/known.h"

enum { NT_REQUEST_PAUSES = 1 << 14 };

struct nt_request_pause {
	nt_time begin, end; /* `begin` first: base/starts.h */
	uint64_t before_ns; /* all pauses before it, of those that have been kept */
};

/* All zero is one that knows nothing. */
struct nt_request_pauses {
	struct nt_request_pause *items; /* owned; in order of time */
	size_t count, capacity;
	nt_time from; /* all pauses since then are known; 0 = none are */
};

void nt_request_pauses_fini(struct nt_request_pauses *pauses);

/* What has ended since the last call, among others. `since`: from when on they are known, if they were not before. */
void nt_request_pauses_add(struct nt_request_pauses *pauses, const struct nt_pauses *ended, nt_time since);

/* Nothing is known of them any more: what follows begins anew. */
void nt_request_pauses_forget(struct nt_request_pauses *pauses);

/* How much of [begin, end) was in pauses. Not known where some of that time is from before. */
struct nt_u64 nt_request_pauses_in(const struct nt_request_pauses *pauses, nt_time begin, nt_time end);

#endif
