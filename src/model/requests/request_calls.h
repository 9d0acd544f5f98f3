/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests that a program makes, with HttpClient, while it serves one: for how much of that time the one that is served waited for them, and for whom. From REQUEST_MADE events.
 *
 * Bounded: NT_REQUEST_CALLS under way; where one of a request is beyond that, how long the request waited is not known.
 */
#ifndef NT_MODEL_REQUEST_CALLS_H
#define NT_MODEL_REQUEST_CALLS_H

#include "base/index.h"
#include "nettop/clock.h"

#include <stdbool.h>
#include <stddef.h>

enum { NT_REQUEST_CALLS = 4096 };

/* Of one that is served. All zero: it has made none. */
struct nt_request_awaited {
	uint64_t ns;      /* at least one that it made was under way, until `since` where some are */
	nt_time since;    /* of those under way now the first has been since */
	uint32_t open;    /* so many are under way */
	bool unknown;     /* the above is not all */
	const char *peer; /* of the one that took longest, of those that ended; the table's. NULL = none has, or its peer was not told */
	uint64_t peer_ns;
};

/* One that is under way. */
struct nt_request_call {
	uint64_t span, of; /* `of`: the span of the request that is served */
	nt_time began;
	const char *peer;
};

/* All zero: there are none. */
struct nt_request_calls {
	struct nt_request_call *calls; /* owned, in no order */
	size_t count, capacity;
	struct nt_index by_span;
};

void nt_request_calls_fini(struct nt_request_calls *calls);

/* The request with the span call->of makes it. */
void nt_request_calls_begin(struct nt_request_calls *calls, const struct nt_request_call *call, struct nt_request_awaited *awaited);

/* It has ended: no longer kept, and in *out. False: it is not known, or has no id. */
bool nt_request_calls_end(struct nt_request_calls *calls, uint64_t span, struct nt_request_call *out);

/* The ends of those that began before may have been lost. */
void nt_request_calls_forget(struct nt_request_calls *calls, nt_time before);

/* What has ended was one of its. */
void nt_request_awaited_end(struct nt_request_awaited *awaited, const struct nt_request_call *call, nt_time ended);

/* In ns, up to `now`. */
uint64_t nt_request_awaited_until(const struct nt_request_awaited *awaited, nt_time now);

#endif
