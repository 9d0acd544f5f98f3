/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/requests: requests that the program serves and makes. */
/*
 * Requests by route, method and status, from COUNTER events of the Meters Microsoft.AspNetCore.Hosting, Microsoft.AspNetCore.Server.Kestrel and System.Net.Http and of databases (databases.h). The runtime tells
 * of each series once a period how many ended, how long they took together, and three quantiles. Bounded: what has no row is in the figures alone. A row stays: a
 * route without requests is one that people want to see.
 */
#ifndef NT_MODEL_REQUESTS_H
#define NT_MODEL_REQUESTS_H

#include "base/index.h"
#include "model/common/span.h"
#include "model/history/usual.h"
#include "model/requests/databases.h"
#include "model/requests/request_times.h"
#include "model/requests/single_requests.h"
#include "nettop/snapshot.h"
#include "symbol/names.h"

enum { NT_REQUEST_ROWS = 1024, NT_REQUEST_STATES = 1024 }; /* the runtime keeps 1000 series */

/* A state of which there is one for each set of tags: requests in flight, connections. */
struct nt_request_state {
	uint64_t id;
	unsigned what; /* enum in requests.c */
	double value;
	nt_time fresh_until; /* it is told once in a period */
};

/* Of Kestrel, as it counts them itself. All zero: it has not been told. */
struct nt_open_connections {
	uint64_t count;
	nt_time fresh_until;
};

struct nt_requests {
	struct nt_request_row *rows; /* owned, in no order; texts are the table's */
	size_t count, capacity;
	struct nt_usual *usual; /* owned; of each row */
	size_t usual_capacity;
	struct nt_index by_id;
	struct nt_request_state *states; /* owned */
	size_t state_count, state_capacity;
	bool serves, calls;                           /* it has loaded ASP.NET Core, HttpClient */
	bool unseen;                                  /* whether it has cannot be seen: its libraries lie in one file */
	bool mapped;                                  /* what it has loaded is told at all */
	bool left_out;                                /* the runtime has said that it leaves out some */
	nt_time told_since;                           /* requests are told since then; 0 = they are not now */
	nt_time opened;                               /* when the open interval began */
	nt_time covered_ns;                           /* of it, before told_since */
	nt_time covered_all_ns;                       /* closed intervals */
	nt_time collected;                            /* when the runtime told of its newest period; 0 = of none yet */
	nt_time period_ns, periods_ns;                /* that one; all of which it has told in the open interval */
	struct nt_f64 per_s, error_per_s, made_per_s; /* in those that it told of last */
	uint64_t most_closed;                         /* connections closed in the interval: the most of one peer, */
	const char *closed_peer;                      /* and which that is; NULL = not told. The table's */
	struct nt_request_figures now, all;           /* counts of the open interval, and since attach; nothing else of them is filled */
	struct nt_single_requests singles;
	struct nt_request_times times;
	struct nt_open_connections open;
	struct nt_databases databases;
};

void nt_requests_init(struct nt_requests *requests);
void nt_requests_fini(struct nt_requests *requests);

/* A MAP event: the path of a file that has been mapped. */
void nt_requests_mapped(struct nt_requests *requests, const char *path, size_t length);

/* EventPipe has said what it brings. */
void nt_requests_told(struct nt_requests *requests, bool told, nt_time time);

/* The runtime has said that it keeps no more series or histograms. */
void nt_requests_left_out(struct nt_requests *requests);

/* Is this the provider of such counters? */
bool nt_requests_is_provider(const char *name, size_t length);

/* A COUNTER event of one. */
void nt_requests_apply(struct nt_requests *requests, const struct nt_event *event, const char *name, const char *tags, size_t tags_length,
		       struct nt_texts *texts);

/* Single requests, and who works for them, are told from that time on, or no longer: COVER. Of others nothing happens. */
void nt_requests_covered(struct nt_requests *requests, const struct nt_ev_cover *said, nt_time time);

/* Events of the source that tells of them were lost up to that time. `of`: NT_WANT_... */
void nt_requests_lost(struct nt_requests *requests, uint32_t of, nt_time until);

/* A REQUEST, REQUEST_MADE, ACTIVITY or CONNECTIONS event. `text`: the method of the first, the peer of the second; the table's, NULL = not told. */
void nt_requests_each(struct nt_requests *requests, const struct nt_event *event, const char *text, const char *path);

/* Fill figures and rows, and start the next interval. `why`: why EventPipe does not tell; no reason = it does. `pauses`: as of nt_request_times_close(). */
void nt_requests_close(struct nt_requests *requests, const struct nt_span *span, const struct nt_why *why, const struct nt_pauses *pauses,
		       struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_requests_each_text(const struct nt_requests *requests, nt_text_visit *visit, void *context);

#endif
