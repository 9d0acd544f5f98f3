/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/locks: waits for locks. */
/*
 * Waits for locks: ContentionStart .. ContentionStop on one thread. The stop may say its duration itself; that is the better number. The stack is the
 * start's. While somebody wants stacks, each wait is told, and is here, twice: one counts, the other says where.
 */
#ifndef NT_MODEL_LOCK_WAITS_H
#define NT_MODEL_LOCK_WAITS_H

#include "base/index.h"
#include "model/common/histogram.h"
#include "model/common/span.h"
#include "model/locks/lock_sites.h"
#include "model/locks/locks.h"
#include "nettop/source.h"

enum { NT_LOCK_WAITING = 1 << 15 }; /* threads that wait at a time; beyond, starts are counted but not paired */

/* A thread that waits for a lock. */
struct nt_waiting {
	uint64_t key; /* who tells of it, source and whether it says where; tid */
	nt_time since;
	nt_time counted_until; /* up to here the wait is in spent_ns */
	uint64_t lock_id;      /* 0 = not said */
	struct nt_lock_wait wait;
	bool counts; /* in the figures */
	/* Events were lost since it began, its end may be among them. All that is still said of it is that it is part of a circle: that does not end. */
	bool doubtful;
};

struct nt_lock_waits_counts {
	uint64_t count, wait_ns, spent_ns;
};

struct nt_lock_waits {
	struct nt_waiting *waiting; /* owned, in no order */
	size_t waiting_count, waiting_capacity;
	size_t counting;            /* those that count */
	struct nt_index waiting_of; /* key -> index */
	struct nt_lock_waits_counts interval, total;
	struct nt_histogram interval_waits, total_waits;
	struct nt_locks locks;
	struct nt_lock_sites sites;
	nt_time lost_until[NT_SOURCE_COUNT]; /* events of a source were lost up to then; 0 = none */
};

void nt_lock_waits_init(struct nt_lock_waits *waits);
void nt_lock_waits_fini(struct nt_lock_waits *waits);

/* CONTENTION_START, CONTENTION_STOP and LOCK_CREATED; others are ignored. `stack`: of a start; 0 = not known. */
void nt_lock_waits_apply(struct nt_lock_waits *waits, enum nt_source_id source, const struct nt_event *event, nt_site_ref stack);

/* Events of the source were lost up to that time: LOST. */
void nt_lock_waits_lost(struct nt_lock_waits *waits, enum nt_source_id source, nt_time until);

/* The thread ended: it waits no more. */
void nt_lock_waits_thread_ended(struct nt_lock_waits *waits, uint32_t tid);

/*
 * Say in the rows of threads who waits for a lock at t1, for how long and who has it, as far as that is known: who had it when the wait began may have passed it on. Owners that are no threads of the target are
 * not said.
 */
void nt_lock_waits_fill_threads(const struct nt_lock_waits *waits, nt_time t1, struct nt_process_snapshot *process);

static inline uint32_t nt_waiting_tid(const struct nt_waiting *waiting)
{
	return (uint32_t)waiting->key;
}

void nt_lock_waits_close(struct nt_lock_waits *waits, const struct nt_span *span, bool interval_known, bool total_known,
			 struct nt_lock_figures *interval, struct nt_lock_figures *total);

/*
 * The rows by site. After nt_lock_waits_close(), which ends the interval for them, too. `with_stacks`: some source tells of all waits with their stacks, so
 * those without are somebody else's.
 */
void nt_lock_waits_fill_sites(struct nt_lock_waits *waits, const struct nt_span *span, bool with_stacks, struct nt_sites *stacks,
			      struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

#endif
