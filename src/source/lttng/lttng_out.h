/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The worker's way out: the batch that is being filled, the table of texts, losses and states as events, and how far the stream has been read.
 * Everything here belongs to the worker thread, except the counters, which the main thread may read at any time.
 */
#ifndef NT_SOURCE_LTTNG_OUT_H
#define NT_SOURCE_LTTNG_OUT_H

#include <stdatomic.h>

#include "base/channel.h"
#include "base/interner.h"
#include "source/lttng/lttng_watched.h"

struct nt_lttng_telling;

struct nt_lttng_counters {
	_Atomic uint64_t event_count; /* of the runtime */
	_Atomic uint64_t lost_count;  /* known losses */
	atomic_bool lost_unknown;     /* and some that nobody counted */
	atomic_bool end_missed;       /* as of struct nt_source_stats */
	_Atomic uint64_t last_event;  /* nt_time of the newest; NT_TIME_UNKNOWN = none yet */
};

struct nt_lttng_out {
	struct nt_channel *channel;                  /* borrowed */
	struct nt_interner *interner;                /* owned */
	struct nt_lttng_telling *telling;            /* borrowed; events are told there, and none is built; NULL = they are built */
	struct nt_batch *batch;                      /* being filled; NULL = none taken yet, or all are in flight */
	const struct nt_lttng_watched_list *watched; /* borrowed; of whom it is */
	/*
	 * Everything before this time has been delivered. The stream is in order of time, its messages of inactivity included, so it is the time of
	 * the newest message. 0 = nothing yet.
	 */
	nt_time delivered_until;
	nt_time stated_until; /* what an event or IDLE has told of it */
	struct nt_lttng_counters counters;
};

void nt_lttng_out_init(struct nt_lttng_out *out, struct nt_channel *channel, const struct nt_lttng_watched_list *watched);
void nt_lttng_out_fini(struct nt_lttng_out *out);

/*
 * Make sure that out->batch has room for some events (what one call of the viewer brings may go beyond its usual size); sends a full one. False:
 * all batches are in flight, the main thread must give one back first. What appends to out->batch must ask this before.
 */
bool nt_lttng_out_room(struct nt_lttng_out *out);

/* Send what is there, with an IDLE event when the stream has come further than the newest event and there is room. */
void nt_lttng_out_flush(struct nt_lttng_out *out);

/* The stream has come to `time`. */
void nt_lttng_out_advance(struct nt_lttng_out *out, nt_time time);

/* An event of that time was appended to out->batch; or (counted only) told. */
void nt_lttng_out_append(struct nt_lttng_out *out, const struct nt_event *event);
void nt_lttng_out_count(struct nt_lttng_out *out, nt_time time);

/* Append and send a state, of each process that is not over, since `time`; reason and fix may be NULL or "". */
void nt_lttng_out_state(struct nt_lttng_out *out, nt_time time, enum nt_source_state state, const char *reason, const char *fix);

/* The last word about one of several processes: everything before `time` has come. Needs room, as those do. */
void nt_lttng_out_end(struct nt_lttng_out *out, const struct nt_lttng_watched *watched, enum nt_source_state state, const char *reason,
		      nt_time time);

/* Append, of each, that everything from `time` on comes, or that everything before it has come and no more does. */
void nt_lttng_out_cover(struct nt_lttng_out *out, bool covered, nt_time time);

/* Append a loss, of each because nobody knows whose it is, that ends at `until`. Its `count` is meaningful only when count_known. */
void nt_lttng_out_lost(struct nt_lttng_out *out, const struct nt_ev_lost *lost, nt_time until);

#endif
