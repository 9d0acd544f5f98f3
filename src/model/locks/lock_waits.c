// SPDX-License-Identifier: GPL-2.0-only
#include "model/locks/lock_waits.h"

#include "base/alloc.h"

#include <stdlib.h>

void nt_lock_waits_init(struct nt_lock_waits *lock_waits)
{
	*lock_waits = (struct nt_lock_waits){ 0 };
	nt_locks_init(&lock_waits->locks);
	nt_lock_sites_init(&lock_waits->sites);
}

void nt_lock_waits_fini(struct nt_lock_waits *lock_waits)
{
	free(lock_waits->waiting);
	nt_index_fini(&lock_waits->waiting_of);
	nt_locks_fini(&lock_waits->locks);
	nt_lock_sites_fini(&lock_waits->sites);
	*lock_waits = (struct nt_lock_waits){ 0 };
}

static uint64_t key_of(enum nt_source_id source, uint32_t tid, bool beside)
{
	return (uint64_t)beside << 63 | (uint64_t)source << 32 | tid;
}

static void remove_waiting(struct nt_lock_waits *lock_waits, uint32_t index)
{
	const struct nt_waiting *waiting = &lock_waits->waiting[index];
	if (waiting->counts) {
		nt_locks_leave(&lock_waits->locks, waiting->lock_id, nt_waiting_tid(waiting));
		lock_waits->counting--;
	}
	nt_index_remove(&lock_waits->waiting_of, lock_waits->waiting[index].key);
	size_t last = --lock_waits->waiting_count;
	if (index == last)
		return;
	lock_waits->waiting[index] = lock_waits->waiting[last];
	nt_index_put(&lock_waits->waiting_of, lock_waits->waiting[index].key, index);
}

static void start(struct nt_lock_waits *lock_waits, enum nt_source_id source, const struct nt_event *event, nt_site_ref stack)
{
	bool counts = !event->beside;
	lock_waits->sites.none_beside |= counts && stack; /* a runtime before .NET 9 walks the stack for every event */
	if (!counts && lock_waits->sites.none_beside)
		return;
	uint64_t owner_id = event->u.contention.owner_id;
	uint32_t owner_tid = owner_id <= UINT32_MAX ? (uint32_t)owner_id : 0;
	lock_waits->interval.count += counts;
	lock_waits->total.count += counts;
	uint64_t key = key_of(source, event->tid, event->beside);
	uint32_t index = nt_index_get(&lock_waits->waiting_of, key);
	if (index != NT_INDEX_NONE)
		remove_waiting(lock_waits, index); /* the stop was lost */
	if (lock_waits->waiting_count >= NT_LOCK_WAITING)
		return;
	lock_waits->waiting =
		nt_grow(lock_waits->waiting, &lock_waits->waiting_capacity, lock_waits->waiting_count + 1, sizeof(*lock_waits->waiting));
	nt_index_put(&lock_waits->waiting_of, key, (uint32_t)lock_waits->waiting_count);
	lock_waits->waiting[lock_waits->waiting_count++] = (struct nt_waiting){
		.key = key,
		.since = event->time,
		.counted_until = event->time,
		.lock_id = event->u.contention.lock_id,
		.wait = { .stack = stack, .owner_tid = owner_tid, .lock_id = event->u.contention.lock_id, .beside = !counts },
		.counts = counts,
	};
	lock_waits->counting += counts;
	if (counts)
		nt_locks_enter(&lock_waits->locks, event->u.contention.lock_id, owner_tid);
}

/* Count what a thread has waited up to `time`. */
static void spend(struct nt_lock_waits *lock_waits, struct nt_waiting *waiting, nt_time time)
{
	if (time <= waiting->counted_until)
		return;
	nt_time spent_ns = time - waiting->counted_until;
	if (waiting->counts) {
		lock_waits->interval.spent_ns += spent_ns;
		lock_waits->total.spent_ns += spent_ns;
	}
	waiting->wait.spent_ns += spent_ns;
	waiting->counted_until = time;
}

static void stop(struct nt_lock_waits *lock_waits, enum nt_source_id source, const struct nt_event *event)
{
	uint32_t index = nt_index_get(&lock_waits->waiting_of, key_of(source, event->tid, event->beside));
	if (index == NT_INDEX_NONE)
		return;                            /* it began before we came */
	if (lock_waits->waiting[index].doubtful) { /* most of it is not covered */
		remove_waiting(lock_waits, index);
		return;
	}
	nt_time since = lock_waits->waiting[index].since;
	nt_time wait = event->time > since ? event->time - since : 0;
	if (event->u.contention.duration_known)
		wait = event->u.contention.duration_ns;
	spend(lock_waits, &lock_waits->waiting[index], event->time);
	lock_waits->waiting[index].wait.wait_ns = wait;
	nt_lock_sites_ended(&lock_waits->sites, &lock_waits->waiting[index].wait);
	bool counts = lock_waits->waiting[index].counts;
	remove_waiting(lock_waits, index);
	if (!counts)
		return;
	lock_waits->interval.wait_ns += wait;
	lock_waits->total.wait_ns += wait;
	nt_histogram_add(&lock_waits->interval_waits, wait);
	nt_histogram_add(&lock_waits->total_waits, wait);
}

void nt_lock_waits_apply(struct nt_lock_waits *lock_waits, enum nt_source_id source, const struct nt_event *event, nt_site_ref stack)
{
	if (event->kind == NT_EV_CONTENTION_START)
		start(lock_waits, source, event, stack);
	else if (event->kind == NT_EV_CONTENTION_STOP)
		stop(lock_waits, source, event);
	else if (event->kind == NT_EV_LOCK_CREATED)
		nt_lock_groups_forget_type(&lock_waits->sites.by_lock, event->u.lock_created.lock_id);
}

void nt_lock_waits_lost(struct nt_lock_waits *lock_waits, enum nt_source_id source, nt_time until)
{
	if (until > lock_waits->lost_until[source])
		lock_waits->lost_until[source] = until;
}

/* Who waited when events were lost may have got the lock since, and gone on: nobody will tell. A loss is told at once, and waits when their interval closes, so this comes then. */
static void doubt(struct nt_lock_waits *lock_waits)
{
	for (uint32_t i = (uint32_t)lock_waits->waiting_count; i > 0; i--) {
		struct nt_waiting *waiting = &lock_waits->waiting[i - 1];
		enum nt_source_id source = (enum nt_source_id)(waiting->key >> 32 & INT32_MAX);
		if (waiting->doubtful || waiting->since > lock_waits->lost_until[source])
			continue;
		if (!waiting->counts) {
			remove_waiting(lock_waits, i - 1);
			continue;
		}
		if (waiting->lock_id)
			waiting->wait.owner_tid = nt_locks_owner(&lock_waits->locks, waiting->lock_id);
		waiting->doubtful = true;
	}
	/* With who leaves a lock it is forgotten who has it. */
	for (size_t i = 0; i < lock_waits->waiting_count; i++) {
		struct nt_waiting *waiting = &lock_waits->waiting[i];
		if (!waiting->doubtful || !waiting->counts)
			continue;
		nt_locks_leave(&lock_waits->locks, waiting->lock_id, nt_waiting_tid(waiting));
		lock_waits->counting--;
		waiting->counts = false;
	}
}

void nt_lock_waits_thread_ended(struct nt_lock_waits *lock_waits, uint32_t tid)
{
	for (unsigned teller = 0; teller < 2 * NT_SOURCE_COUNT && lock_waits->waiting_count; teller++) {
		uint32_t index = nt_index_get(&lock_waits->waiting_of, key_of((enum nt_source_id)(teller / 2), tid, teller % 2));
		if (index != NT_INDEX_NONE)
			remove_waiting(lock_waits, index);
	}
}

static void fill(const struct nt_lock_waits *lock_waits, const struct nt_lock_waits_counts *counts, const struct nt_histogram *waits,
		 struct nt_lock_figures *out)
{
	out->count = nt_u64_of(counts->count);
	out->wait_ns = nt_u64_of(counts->wait_ns);
	out->spent_ns = nt_u64_of(counts->spent_ns);
	out->waiting_count = nt_u64_of(lock_waits->counting);
	out->wait_p99_ns = nt_histogram_percentile(waits, 990);
}

void nt_lock_waits_close(struct nt_lock_waits *lock_waits, const struct nt_span *span, bool interval_known, bool total_known,
			 struct nt_lock_figures *interval, struct nt_lock_figures *total)
{
	struct nt_locks *locks = &lock_waits->locks;
	doubt(lock_waits);
	for (size_t i = 0; i < lock_waits->waiting_count; i++)
		if (!lock_waits->waiting[i].doubtful)
			spend(lock_waits, &lock_waits->waiting[i], span->t1);
	if (interval_known) {
		fill(lock_waits, &lock_waits->interval, &lock_waits->interval_waits, interval);
		nt_locks_fill(locks, locks->interval_most, interval);
	}
	if (total_known) {
		fill(lock_waits, &lock_waits->total, &lock_waits->total_waits, total);
		nt_locks_fill(locks, locks->total_most, total);
	}
	lock_waits->interval = (struct nt_lock_waits_counts){ 0 };
	nt_histogram_reset(&lock_waits->interval_waits);
	nt_locks_next(locks);
}

/* Of those that only said where, nobody will tell the end. */
static void forget_not_counting(struct nt_lock_waits *lock_waits)
{
	for (uint32_t i = (uint32_t)lock_waits->waiting_count; i > 0; i--)
		if (!lock_waits->waiting[i - 1].counts && !lock_waits->waiting[i - 1].doubtful)
			remove_waiting(lock_waits, i - 1);
}

/* It began before anybody wanted stacks: where, nobody will say. */
static bool is_told_once(const struct nt_lock_waits *lock_waits, const struct nt_waiting *waiting)
{
	if (!waiting->counts)
		return false;
	return nt_index_get(&lock_waits->waiting_of, key_of(NT_SOURCE_EVENTPIPE, nt_waiting_tid(waiting), true)) == NT_INDEX_NONE;
}

void nt_lock_waits_fill_sites(struct nt_lock_waits *lock_waits, const struct nt_span *span, bool with_stacks, struct nt_sites *stacks,
			      struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	if (!with_stacks)
		forget_not_counting(lock_waits);
	nt_lock_sites_settle(&lock_waits->sites, stacks, with_stacks);
	for (size_t i = 0; i < lock_waits->waiting_count; i++) {
		struct nt_waiting *waiting = &lock_waits->waiting[i];
		if (!waiting->doubtful && (!with_stacks || waiting->wait.stack || is_told_once(lock_waits, waiting)))
			nt_lock_sites_waiting(&lock_waits->sites, stacks, &waiting->wait);
	}
	nt_lock_sites_close(&lock_waits->sites, stacks, span, snapshot, process);
}
