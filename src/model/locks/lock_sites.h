/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits for locks by the place of the program that waits. A wait is counted when it has ended, the time spent waiting in the interval in which it lies.
 * Bounded: the places where least was waited become one row.
 */
#ifndef NT_MODEL_LOCK_SITES_H
#define NT_MODEL_LOCK_SITES_H

#include "base/texts.h"
#include "model/common/histogram.h"
#include "model/locks/lock_groups.h"
#include "model/sites/sites.h"

enum {
	NT_LOCK_SITES = 64,            /* rows, "(other sites)" included */
	NT_LOCK_WAITS_ENDED = 1 << 14, /* in an interval; those beyond it are not told apart by site */
};

/* What a thread waited, as far as it is not counted yet. */
struct nt_lock_wait {
	nt_site_ref stack;  /* 0 = not known */
	uint32_t owner_tid; /* who held the lock when the wait began; 0 = not said */
	uint64_t lock_id;   /* 0 = not said */
	nt_time spent_ns;   /* in the open interval */
	nt_time wait_ns;    /* altogether; of a wait that has ended */
	bool beside;        /* another stream counts it */
};

struct nt_lock_site {
	uint64_t id;
	struct nt_site site;
	nt_site_ref stack;          /* the newest one with this site; 0 = not known */
	struct nt_histogram *waits; /* owned */
	uint64_t interval_count, count, interval_spent_ns, spent_ns;
	double window_count, window_spent_ns;
	uint32_t waiting_count;                 /* at the end of the interval */
	uint32_t owner_tid, interval_owner_tid; /* of most of the waits; of those of the interval, and by how much it leads */
	uint64_t owner_lead;
	struct nt_trend trend;
	bool shown; /* in a snapshot before */
};

struct nt_lock_sites {
	struct nt_lock_site *items; /* owned; in no order */
	size_t count, capacity;
	uint64_t made;              /* rows, ever */
	struct nt_lock_wait *ended; /* owned; in the open interval */
	size_t ended_count, ended_capacity;
	bool none_beside; /* those that count say where, too: what is told beside of them is not needed */
	struct nt_lock_groups by_lock, by_owner;
	double window_ns; /* weighted length of what was told of the window */
};

void nt_lock_sites_init(struct nt_lock_sites *sites);
void nt_lock_sites_fini(struct nt_lock_sites *sites);

/* A wait has ended. */
void nt_lock_sites_ended(struct nt_lock_sites *sites, const struct nt_lock_wait *wait);

/*
 * When the interval closes: count the waits that ended in it, with_stacks: only those that have one; then each that goes on; then make the rows and begin
 * the next interval.
 */
void nt_lock_sites_settle(struct nt_lock_sites *sites, struct nt_sites *stacks, bool with_stacks);
void nt_lock_sites_waiting(struct nt_lock_sites *sites, struct nt_sites *stacks, struct nt_lock_wait *wait);
void nt_lock_sites_close(struct nt_lock_sites *sites, struct nt_sites *stacks, const struct nt_span *span, struct nt_snapshot *snapshot,
			 struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_lock_sites_each_text(const struct nt_lock_sites *sites, nt_text_visit *visit, void *context);

#endif
