/* SPDX-License-Identifier: GPL-2.0-only */
/* How many threads wait for the same lock at a time, and who has it. */
#ifndef NT_MODEL_LOCKS_H
#define NT_MODEL_LOCKS_H

#include "base/index.h"
#include "nettop/snapshot.h"

/* A lock that somebody waits for. */
struct nt_lock {
	uint64_t id;
	uint32_t waiting_count;
	uint32_t owner_tid; /* as far as was said last; 0 = not known: a wait for it has ended since, so another one may have it */
};

struct nt_locks {
	struct nt_lock *items; /* owned; in no order */
	size_t count, capacity;
	struct nt_index by_id;
	uint32_t interval_most, total_most; /* most that waited for one lock at a time */
	uint64_t most_id;                   /* that lock; 0 = none in this interval */
	uint64_t closed_most_id;            /* the same of the interval before: the one that its figures are of */
	bool unsaid;                        /* somebody waited for a lock that was not said (runtimes before .NET 8) */
};

void nt_locks_init(struct nt_locks *locks);
void nt_locks_fini(struct nt_locks *locks);

/* A thread begins to wait for what `owner_tid` has (0 = not said), waits no more. `id` 0: the runtime does not say for what. */
void nt_locks_enter(struct nt_locks *locks, uint64_t id, uint32_t owner_tid);
void nt_locks_leave(struct nt_locks *locks, uint64_t id, uint32_t tid);

/* Who has a lock that somebody waits for; 0 = not known. */
uint32_t nt_locks_owner(const struct nt_locks *locks, uint64_t id);

/* Fill same_lock_count. */
void nt_locks_fill(const struct nt_locks *locks, uint32_t most, struct nt_lock_figures *out);

/* Start the next interval. */
void nt_locks_next(struct nt_locks *locks);

#endif
