/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which requests CPU time is for: of the samples those that were taken while their thread worked for a request. The runtime tells each time a thread takes up an activity or
 * puts it down (ACTIVITY), across awaits; a request's beginning says which activity it is (REQUEST). Samples come by another way than these, so each one waits for
 * SETTLE_NS until what was told of its time has come.
 *
 * Bounded: routes beyond NT_REQUEST_TIME_ROWS are one, of no name; what of activities, turns and samples is beyond their limits is as if it had been lost. After a loss
 * nothing is known of any thread until its next turn.
 */
#ifndef NT_MODEL_REQUEST_TIMES_H
#define NT_MODEL_REQUEST_TIMES_H

#include "base/index.h"
#include "base/texts.h"
#include "model/common/span.h"
#include "model/requests/request_calls.h"
#include "model/requests/request_pauses.h"
#include "nettop/snapshot.h"

enum {
	NT_REQUEST_TIME_ROWS = 256,
	NT_REQUEST_ACTIVITIES = 1 << 14, /* of requests in flight, or ended a moment ago */
	NT_ACTIVITY_TURNS = 1 << 17,     /* that samples may still come of */
	NT_ACTIVITY_SAMPLES = 1 << 16,   /* that wait */
	NT_ACTIVITY_THREADS = 1 << 14,
};

/* What it takes to know it: both streams. */
enum nt_request_times_part { NT_TIMES_OF_REQUESTS, NT_TIMES_OF_ACTIVITIES, NT_TIMES_PARTS };

/* A thread works for an activity; `until` is not known for the turn that a thread is in. */
struct nt_activity_turn {
	uint64_t activity; /* 0 = none */
	nt_time from, until;
	uint32_t tid;
};

struct nt_activity_sample {
	nt_time time;
	uint64_t weight_ns;
	uint32_t tid;
};

struct nt_request_activity {
	uint64_t id;
	uint32_t row;
	nt_time began, ended; /* `ended`: NT_TIME_UNKNOWN = it has not */
};

/* All zero is one that has been told nothing. */
struct nt_request_times {
	struct nt_request_time_row *rows; /* owned, in order of appearance; texts are the table's */
	uint64_t *leads;                  /* owned, one for each row: by so many ns the peer that it names leads */
	size_t count, capacity;
	struct nt_index by_route;
	struct nt_request_activity *activities; /* owned, in no order */
	size_t activity_count, activity_capacity;
	struct nt_index by_activity;
	struct nt_activity_turn *turns; /* owned; those that have ended, in no order */
	size_t turn_count, turn_capacity;
	struct nt_activity_turn *open; /* owned; one of each thread, in no order */
	size_t open_count, open_capacity;
	struct nt_index by_thread;          /* of `open` */
	struct nt_activity_sample *samples; /* owned */
	size_t sample_count, sample_capacity;
	struct nt_request_pauses pauses;
	nt_time told[NT_TIMES_PARTS];                            /* since when; 0 = it is not told now */
	bool asked;                                              /* the source is to tell of both: set by whoever hears that from it */
	nt_time lost_until;                                      /* nothing is known of what was before */
	nt_time settled;                                         /* up to then samples have been looked at */
	uint64_t cpu_ns, of_requests_ns, covered_ns;             /* in the open interval */
	uint64_t cpu_all_ns, of_requests_all_ns, covered_all_ns; /* in closed ones */
};

void nt_request_times_fini(struct nt_request_times *times);

/* One of the two is told from that time on, or is no longer: COVER. */
void nt_request_times_covered(struct nt_request_times *times, enum nt_request_times_part part, bool covered, nt_time time);

/* Events of either were lost up to that time: LOST. */
void nt_request_times_lost(struct nt_request_times *times, nt_time until);

/*
 * A REQUEST event. `route`: of its beginning, the template that its path fits; NULL = it is not known. `awaited`: of its end, for how long it waited for requests that it made; NULL =
 * that is not known. Texts are the table's.
 */
void nt_request_times_request(struct nt_request_times *times, const struct nt_event *event, const char *method, const char *route,
			      const struct nt_request_awaited *awaited);

/* An ACTIVITY event. */
void nt_request_times_turn(struct nt_request_times *times, const struct nt_event *event);

/* A sample of CPU time. */
void nt_request_times_sample(struct nt_request_times *times, nt_time time, uint32_t tid, uint64_t weight_ns);

/*
 * Fill figures and rows, and start the next interval. `why`: why single requests are not told; no reason = they are. `pauses`: the newest ones, all of them where the figures
 * of `process` say that collections were told.
 */
void nt_request_times_close(struct nt_request_times *times, const struct nt_span *span, const struct nt_why *why,
			    const struct nt_pauses *pauses, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_request_times_each_text(const struct nt_request_times *times, nt_text_visit *visit, void *context);

#endif
