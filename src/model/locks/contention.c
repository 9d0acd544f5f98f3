// SPDX-License-Identifier: GPL-2.0-only
#include "model/locks/contention.h"

#include "base/alloc.h"

#include <stdlib.h>

void nt_contention_init(struct nt_contention *contention)
{
	*contention = (struct nt_contention){ 0 };
	nt_locks_init(&contention->locks);
	nt_lock_sites_init(&contention->sites);
}

void nt_contention_fini(struct nt_contention *contention)
{
	free(contention->waiting);
	nt_index_fini(&contention->waiting_of);
	nt_locks_fini(&contention->locks);
	nt_lock_sites_fini(&contention->sites);
	*contention = (struct nt_contention){ 0 };
}

static uint64_t key_of(enum nt_source_id source, uint32_t tid, bool beside)
{
	return (uint64_t)beside << 63 | (uint64_t)source << 32 | tid;
}

static void remove_waiting(struct nt_contention *contention, uint32_t index)
{
	if (contention->waiting[index].counts) {
		nt_locks_leave(&contention->locks, contention->waiting[index].lock_id);
		contention->counting--;
	}
	nt_index_remove(&contention->waiting_of, contention->waiting[index].key);
	size_t last = --contention->waiting_count;
	if (index == last)
		return;
	contention->waiting[index] = contention->waiting[last];
	nt_index_put(&contention->waiting_of, contention->waiting[index].key, index);
}

static void start(struct nt_contention *contention, enum nt_source_id source, const struct nt_event *event, nt_site_ref stack)
{
	bool counts = !event->beside;
	uint64_t owner = event->u.contention.owner_id;
	contention->interval.count += counts;
	contention->total.count += counts;
	uint64_t key = key_of(source, event->tid, event->beside);
	uint32_t index = nt_index_get(&contention->waiting_of, key);
	if (index != NT_INDEX_NONE)
		remove_waiting(contention, index); /* the stop was lost */
	if (contention->waiting_count >= NT_CONTENTION_WAITING)
		return;
	contention->waiting =
		nt_grow(contention->waiting, &contention->waiting_capacity, contention->waiting_count + 1, sizeof(*contention->waiting));
	nt_index_put(&contention->waiting_of, key, (uint32_t)contention->waiting_count);
	contention->waiting[contention->waiting_count++] = (struct nt_waiting){
		.key = key,
		.since = event->time,
		.counted_until = event->time,
		.lock_id = event->u.contention.lock_id,
		.wait = { .stack = stack, .owner_tid = owner <= UINT32_MAX ? (uint32_t)owner : 0 },
		.counts = counts,
	};
	contention->counting += counts;
	if (counts)
		nt_locks_enter(&contention->locks, event->u.contention.lock_id);
}

/* Count what a thread has waited up to `time`. */
static void spend(struct nt_contention *contention, struct nt_waiting *waiting, nt_time time)
{
	if (time <= waiting->counted_until)
		return;
	nt_time spent_ns = time - waiting->counted_until;
	if (waiting->counts) {
		contention->interval.spent_ns += spent_ns;
		contention->total.spent_ns += spent_ns;
	}
	waiting->wait.spent_ns += spent_ns;
	waiting->counted_until = time;
}

static void stop(struct nt_contention *contention, enum nt_source_id source, const struct nt_event *event)
{
	uint32_t index = nt_index_get(&contention->waiting_of, key_of(source, event->tid, event->beside));
	if (index == NT_INDEX_NONE)
		return; /* it began before we came */
	nt_time since = contention->waiting[index].since;
	nt_time wait = event->time > since ? event->time - since : 0;
	if (event->u.contention.duration_known)
		wait = event->u.contention.duration_ns;
	spend(contention, &contention->waiting[index], event->time);
	contention->waiting[index].wait.wait_ns = wait;
	nt_lock_sites_ended(&contention->sites, &contention->waiting[index].wait);
	bool counts = contention->waiting[index].counts;
	remove_waiting(contention, index);
	if (!counts)
		return;
	contention->interval.wait_ns += wait;
	contention->total.wait_ns += wait;
	nt_histogram_add(&contention->interval_waits, wait);
	nt_histogram_add(&contention->total_waits, wait);
}

void nt_contention_apply(struct nt_contention *contention, enum nt_source_id source, const struct nt_event *event, nt_site_ref stack)
{
	if (event->kind == NT_EV_CONTENTION_START)
		start(contention, source, event, stack);
	else if (event->kind == NT_EV_CONTENTION_STOP)
		stop(contention, source, event);
}

void nt_contention_thread_ended(struct nt_contention *contention, uint32_t tid)
{
	for (unsigned teller = 0; teller < 2 * NT_SOURCE_COUNT && contention->waiting_count; teller++) {
		uint32_t index = nt_index_get(&contention->waiting_of, key_of((enum nt_source_id)(teller / 2), tid, teller % 2));
		if (index != NT_INDEX_NONE)
			remove_waiting(contention, index);
	}
}

static void fill(const struct nt_contention *contention, const struct nt_contention_counts *counts, const struct nt_histogram *waits,
		 struct nt_contention_figures *out)
{
	out->count = nt_u64_of(counts->count);
	out->wait_ns = nt_u64_of(counts->wait_ns);
	out->spent_ns = nt_u64_of(counts->spent_ns);
	out->waiting_count = nt_u64_of(contention->counting);
	out->wait_p99_ns = nt_histogram_percentile(waits, 990);
}

void nt_contention_close(struct nt_contention *contention, const struct nt_span *span, bool interval_known, bool total_known,
			 struct nt_contention_figures *interval, struct nt_contention_figures *total)
{
	struct nt_locks *locks = &contention->locks;
	for (size_t i = 0; i < contention->waiting_count; i++)
		spend(contention, &contention->waiting[i], span->t1);
	if (interval_known) {
		fill(contention, &contention->interval, &contention->interval_waits, interval);
		nt_locks_fill(locks, locks->interval_most, interval);
	}
	if (total_known) {
		fill(contention, &contention->total, &contention->total_waits, total);
		nt_locks_fill(locks, locks->total_most, total);
	}
	contention->interval = (struct nt_contention_counts){ 0 };
	nt_histogram_reset(&contention->interval_waits);
	nt_locks_next(locks);
}

/* Of those that only said where, nobody will tell the end. */
static void forget_not_counting(struct nt_contention *contention)
{
	for (uint32_t i = (uint32_t)contention->waiting_count; i > 0; i--)
		if (!contention->waiting[i - 1].counts)
			remove_waiting(contention, i - 1);
}

/* It began before anybody wanted stacks: where, nobody will say. */
static bool is_told_once(const struct nt_contention *contention, const struct nt_waiting *waiting)
{
	if (!waiting->counts)
		return false;
	return nt_index_get(&contention->waiting_of, key_of(NT_SOURCE_EVENTPIPE, nt_waiting_tid(waiting), true)) == NT_INDEX_NONE;
}

void nt_contention_fill_sites(struct nt_contention *contention, const struct nt_span *span, bool with_stacks, struct nt_sites *stacks,
			      struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	if (!with_stacks)
		forget_not_counting(contention);
	nt_lock_sites_settle(&contention->sites, stacks, with_stacks);
	for (size_t i = 0; i < contention->waiting_count; i++)
		if (!with_stacks || contention->waiting[i].wait.stack || is_told_once(contention, &contention->waiting[i]))
			nt_lock_sites_waiting(&contention->sites, stacks, &contention->waiting[i].wait);
	nt_lock_sites_close(&contention->sites, stacks, span, snapshot, process);
}
