/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocked time by the place of the program that waits, and what it waits for. A wait is counted when it has ended, the time spent waiting in the interval in
 * which it lies. Bounded: the places where least was waited become one row.
 */
#ifndef NT_MODEL_WAIT_SITES_H
#define NT_MODEL_WAIT_SITES_H

#include "base/texts.h"
#include "model/common/histogram.h"
#include "model/common/majority.h"
#include "model/sites/sites.h"
#include "model/waits/wait_longest.h"

enum {
	NT_WAIT_SITES = 192, /* rows, "(other sites)" included */
	NT_WAIT_PIECES_ENDED =
		1 << 17, /* in an interval; those beyond it are not told apart by site. 10 MB, of which so much is taken as there are */
	NT_WAIT_PLACES_KNOWN = 256,
};

/* In place of a thread's number: an interrupt ended the wait. */
#define NT_WAKER_INTERRUPT UINT32_MAX

/* What a thread waited, as far as it is not counted yet. */
struct nt_wait_piece {
	uint32_t tid;
	nt_site_ref stack;  /* 0 = not known */
	uint32_t said;      /* enum nt_wait_kind, as the source says */
	uint32_t waker_tid; /* or NT_WAKER_INTERRUPT; 0 = not known */
	nt_site_ref waker_stack;
	bool polled; /* its begin and end were not seen */
	bool timed;  /* only they were: not when it was woken, nor by whom */
	bool ended;
	const char *what; /* as of struct nt_wait_thread, when it ended, or the interval does; so are the next two */
	uint64_t object;
	uint32_t owner_tid;
	bool of_runtime;  /* of a thread that the runtime has for itself: where no managed code waits, it waits for work */
	nt_time spent_ns; /* in the open interval */
	nt_time runq_ns;  /* likewise, of the time in which it was ready and had no CPU; not in spent_ns, and after it */
	nt_time until;    /* the end of those two, when it has ended, or the interval does */
	nt_time wait_ns;  /* altogether, as far as it is known; 0 = not */
};

struct nt_wait_site {
	uint64_t id;
	struct nt_site site; /* its frame that waits */
	const char *means;   /* the table's */
	enum nt_wait_kind kind;
	bool polled;
	bool timed;                       /* some of its waits were */
	struct nt_majority interval_what; /* what is waited for by name, in the open interval */
	const char *what;                 /* the same of the last interval that knew it; the table's */
	nt_site_ref stack;                /* the newest one with this site; 0 = not known */
	nt_site_ref open;                 /* it, while better names may come: then the row is that stack's alone; else 0 */
	struct nt_histogram *waits;       /* owned; of waits of which both ends were seen; NULL = none */
	uint64_t max_ns;
	uint64_t interval_count, count, interval_spent_ns, spent_ns, interval_runq_ns, runq_ns;
	double window_count, window_spent_ns, window_runq_ns;
	uint32_t waiting_count;                 /* at the end of the interval */
	uint32_t waker_tid, interval_waker_tid; /* of most of the waits; of those of the interval, and by how much it leads */
	uint64_t waker_lead;
	struct nt_majority interval_waker_at; /* where the one of most waits of the interval was, as often as that was told */
	const char *waker_at;                 /* the same of the last interval that knew it; the table's */
	uint32_t interval_holder_tid,
		holder_tid; /* who has what most of them wait for: in the open interval, in the last one that knew it; 0 = not known */
	uint64_t holder_lead;
	struct nt_wait_longest longest;
	bool shown; /* in a snapshot before */
};

struct nt_wait_known_place; /* wait_sites.c */

struct nt_wait_sites {
	struct nt_wait_site *items; /* owned; in no order */
	size_t count, capacity;
	uint64_t made;                     /* rows, ever */
	struct nt_wait_known_place *known; /* owned; while an interval closes: where stacks wait that many waits have */
	struct nt_wait_piece *ended;       /* owned; in the open interval */
	size_t ended_count, ended_capacity;
	double window_ns; /* weighted length of what was told of the window */
};

void nt_wait_sites_init(struct nt_wait_sites *sites);
void nt_wait_sites_fini(struct nt_wait_sites *sites);

/* A wait has ended. False: there have been so many in the interval that it is counted at once, at no place and for no reason. */
bool nt_wait_sites_ended(struct nt_wait_sites *sites, const struct nt_wait_piece *piece);

/* When the interval closes, in this order: names have come; each wait, those that ended first; the snapshot. */
void nt_wait_sites_settle(struct nt_wait_sites *sites, struct nt_sites *stacks);
/* The kind of what is waited for, once its place is known; *piece keeps its stack for the next interval. */
enum nt_wait_kind nt_wait_sites_count(struct nt_wait_sites *sites, struct nt_sites *stacks, struct nt_wait_piece *piece);
void nt_wait_sites_close(struct nt_wait_sites *sites, struct nt_sites *stacks, const struct nt_span *span, nt_time covered_ns,
			 struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_wait_sites_each_text(const struct nt_wait_sites *sites, nt_text_visit *visit, void *context);

#endif
