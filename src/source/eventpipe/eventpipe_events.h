/* SPDX-License-Identifier: GPL-2.0-only */
/* What an EventPipe stream says, as neutral events in a batch. */
#ifndef NT_SOURCE_EVENTPIPE_EVENTS_H
#define NT_SOURCE_EVENTPIPE_EVENTS_H

#include "decode/eventpipe/counter_events.h"
#include "source/common/inner_tids.h"
#include "source/common/moment.h"
#include "source/common/outbox.h"

/* What is taken from a stream. */
enum nt_eventpipe_role {
	NT_EVENTPIPE_COUNTS,     /* all, to be counted */
	NT_EVENTPIPE_WHERE,      /* beside one that counts: what has a stack, for that stack */
	NT_EVENTPIPE_MOMENTS,    /* what somebody has asked for by name, for where it happened */
	NT_EVENTPIPE_HISTORIES,  /* beside one that counts: details of collections, which it leaves out */
	NT_EVENTPIPE_TICKS,      /* beside one that counts: allocation ticks alone */
	NT_EVENTPIPE_REQUESTS,   /* single requests */
	NT_EVENTPIPE_ACTIVITIES, /* which thread works for which of them */
	NT_EVENTPIPE_POOL_ITEMS, /* the thread pool's work items */
	NT_EVENTPIPE_WHOLE, /* of a file: all of one stream, to be counted; and what other streams tell beside that, as far as it is in this one */
	NT_EVENTPIPE_ROLES
};

struct nt_eventpipe_events {
	struct nt_outbox *box;           /* borrowed */
	struct nt_inner_tids *tids;      /* borrowed */
	uint32_t pid;                    /* nettop's pid namespace */
	nt_time began;                   /* when the newest stream began: CLOCK_MONOTONIC ns */
	nt_time newest;                  /* of the events so far; 0 = none */
	nt_time began_here, newest_here; /* the same of what has come since somebody has set them to 0 */
	uint64_t price_ns;               /* what the target paid for the events so far, by source/common/price.h */
	uint64_t request_price_ns;       /* of that, for single requests; */
	uint64_t item_price_ns;          /* for work items */
	struct nt_counter_stream counters;
	const struct nt_moment_asked *moments; /* borrowed; of NT_EVENTPIPE_MOMENTS */
	size_t moment_count;
};

/* The sink of all streams of a target that are for the same. `events` is borrowed. */
struct nt_nettrace_sink nt_eventpipe_events_sink(struct nt_eventpipe_events *events, enum nt_eventpipe_role role);

#endif
