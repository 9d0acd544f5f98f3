/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Single requests that the program serves, from REQUEST events: those in flight, and the slowest of the last minutes. They come only while somebody looks, and only of
 * requests that have begun since. Beginning and end are paired by the id of the request's activity. One that is made meanwhile (REQUEST_MADE) is of the request in whose activity
 * it begins, or, where an activity of the program's own lies between, of the last one of the same trace.
 *
 * Bounded: NT_SINGLE_REQUESTS in flight, what begins beyond that is counted; NT_SLOW_REQUESTS for each minute. When events were lost, the ends of those in flight may be
 * among them: these are doubtful from then on, and after a minute no longer counted as in flight, which is counted, too.
 */
#ifndef NT_MODEL_SINGLE_REQUESTS_H
#define NT_MODEL_SINGLE_REQUESTS_H

#include "base/index.h"
#include "base/texts.h"
#include "model/common/span.h"
#include "model/requests/request_calls.h"
#include "nettop/snapshot.h"

enum {
	NT_SINGLE_REQUESTS = 4096,
	NT_SINGLE_REQUEST_ROWS = 256, /* of these the oldest have one */
	NT_SLOW_REQUESTS = 32,        /* have a row; and are kept for each minute */
	NT_SLOW_PERIODS = NT_SLOW_REQUEST_MINUTES + 1,
};

/* As it began. */
struct nt_single_request {
	uint64_t span, trace_high, trace_low;
	nt_time began, doubted;    /* `doubted`: events were lost then; 0 = none since it began */
	const char *method, *path; /* the table's; NULL = not told */
	struct nt_request_awaited awaited;
};

struct nt_slow_request {
	struct nt_single_request request;
	nt_time ended;
	uint64_t time_ns;
	uint32_t status; /* 0 = not told */
};

/* The slowest of those that ended in one minute. */
struct nt_slow_period {
	uint64_t number; /* minutes since the clock began */
	size_t count;
	struct nt_slow_request slowest[NT_SLOW_REQUESTS]; /* in no order */
};

/* What has been counted of a span. */
struct nt_single_counts {
	uint64_t begun, ended, unseen, unkept;
	nt_time covered_ns;
};

/* All zero is one that has been told nothing. */
struct nt_single_requests {
	struct nt_single_request *flying; /* owned, in no order */
	size_t count, capacity;
	struct nt_index by_span;  /* of `flying` */
	struct nt_index by_trace; /* likewise: the last one of a trace */
	struct nt_request_calls calls;
	struct nt_slow_period periods[NT_SLOW_PERIODS];
	nt_time told_since;  /* 0 = they are not told now */
	nt_time lost_until;  /* the newest loss; 0 = none */
	nt_time heard;       /* the newest event; 0 = none */
	nt_time opened;      /* when the open interval began */
	uint64_t missed;     /* requests that Meters have counted since then, as having ended well after it */
	bool asked;          /* the source is about to tell of them */
	struct nt_why lacks; /* why it does not although it is asked to; the table's */
	struct nt_single_counts now, all;
};

void nt_single_requests_fini(struct nt_single_requests *singles);

/* What the source says of itself: that it is to bring them; why it does not, texts of the table's. */
void nt_single_requests_source(struct nt_single_requests *singles, bool asked, const struct nt_why *lacks);

/* All of them are told from that time on, or are no longer: COVER. */
void nt_single_requests_covered(struct nt_single_requests *singles, bool covered, nt_time time);

/* Events of the source were lost up to that time: LOST. */
void nt_single_requests_lost(struct nt_single_requests *singles, nt_time until);

/* A REQUEST event. Texts are the table's, NULL = not told. */
void nt_single_requests_apply(struct nt_single_requests *singles, const struct nt_event *event, const char *method, const char *path);

/* A REQUEST_MADE event. */
void nt_single_requests_made(struct nt_single_requests *singles, const struct nt_event *event, const char *peer);

/* For how long a request that ends with this REQUEST event has waited for those that it made. False: that is not known. */
bool nt_single_requests_awaited(const struct nt_single_requests *singles, const struct nt_event *event, struct nt_request_awaited *out);

/*
 * Fill figures and rows, and start the next interval. `ended_count`: how many the Meters have counted in the interval; `why`: why nobody tells of any requests, no reason = somebody does.
 */
void nt_single_requests_close(struct nt_single_requests *singles, const struct nt_span *span, uint64_t ended_count,
			      const struct nt_why *why, struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_single_requests_each_text(const struct nt_single_requests *singles, nt_text_visit *visit, void *context);

#endif
