// SPDX-License-Identifier: GPL-2.0-only
/* What threads wait for, in their rows. */
#include "model/waits/wait_place.h"
#include "model/waits/waits.h"

#include <string.h>

static bool is_about_it(const struct nt_wait_thread *thread)
{
	return nt_wait_is_about(thread->kind, thread->object, thread->what);
}

static bool is_for_a_lock(const struct nt_wait_thread *thread)
{
	return thread->waits && nt_wait_is_for_lock(thread->kind);
}

/* Up to when it is known to have waited: looks that cost much are further apart than short intervals. */
static nt_time known_until(const struct nt_wait_thread *thread, const struct nt_span *span)
{
	return thread->exact || thread->looked > span->t0 ? span->t1 : thread->looked;
}

static void fill(const struct nt_wait_thread *thread, nt_time until, struct nt_sites *stacks, struct nt_snapshot *snapshot,
		 struct nt_thread_row *row)
{
	row->waits = true;
	row->wait = thread->kind;
	row->wait_what = is_about_it(thread) ? thread->what : NULL;
	if (thread->since != NT_TIME_UNKNOWN && until > thread->since)
		row->wait_ns = nt_u64_of(until - thread->since);
	/* Who waits for a lock looks for it again now and then: to looks that is another wait. */
	row->wait_at_least = !thread->exact && (thread->since_before || is_for_a_lock(thread));
	row->wait_partial = thread->partial;
	if (is_for_a_lock(thread))
		row->lock_ns = row->wait_ns;
	row->wait_from = nt_sites_stack(stacks, thread->piece.stack, snapshot);
	if (!row->wait_from)
		return;
	struct nt_wait_place place = nt_wait_place_of(row->wait_from->frames, row->wait_from->count, row->wait_from->site);
	row->wait_means = place.means;
	row->wait_at = place.found ? row->wait_from->frames[place.site].name : NULL;
}

/* ---- deadlocks ---- */

/* One that has come about only now may be a look at one thread before, at the other after a lock was passed on. */
static const nt_time circle_ns = NT_NS_PER_S;

/* The wait of a thread that may be part of a circle; NULL = it waits for nobody, or not long enough. */
static const struct nt_wait_thread *wait_of(const struct nt_waits *waits, uint32_t tid, nt_time t1)
{
	uint32_t index = tid ? nt_index_get(&waits->by_tid, tid) : NT_INDEX_NONE;
	const struct nt_wait_thread *thread = index == NT_INDEX_NONE ? NULL : &waits->threads[index];
	bool long_enough = thread && thread->since != NT_TIME_UNKNOWN && thread->since + circle_ns <= t1;
	return long_enough && is_for_a_lock(thread) && is_about_it(thread) && thread->owner_tid && thread->owner_tid != tid ? thread : NULL;
}

/* From one thread to who has what it waits for, until it comes back to itself. That holds however late nettop came: it is how things are. */
static bool is_in_circle(const struct nt_waits *waits, const struct nt_wait_thread *first, nt_time t1)
{
	enum { STEPS = 64 };
	const struct nt_wait_thread *at = first;
	for (unsigned steps = 0; at && steps < STEPS; steps++) {
		if (at->owner_tid == first->tid)
			return at != first;
		at = wait_of(waits, at->owner_tid, t1);
	}
	return false;
}

void nt_waits_fill_threads(const struct nt_waits *waits, const struct nt_span *span, struct nt_sites *stacks, struct nt_snapshot *snapshot,
			   struct nt_process_snapshot *process)
{
	struct nt_index rows = { 0 };
	for (size_t i = 0; i < process->thread_count && waits->count; i++)
		if (!process->threads[i].ended)
			nt_index_put(&rows, process->threads[i].tid, (uint32_t)i);
	for (size_t i = 0; i < waits->count; i++) {
		const struct nt_wait_thread *thread = &waits->threads[i];
		uint32_t row = nt_index_get(&rows, thread->tid);
		if (row == NT_INDEX_NONE)
			continue;
		process->threads[row].managed_id = thread->managed_id;
		process->threads[row].looked_at = thread->looked != 0;
		if (!thread->waits)
			continue;
		fill(thread, known_until(thread, span), stacks, snapshot, &process->threads[row]);
		/* Of a thread that waits for something else it is a lock that it knows of. */
		if (!is_for_a_lock(thread) || !is_about_it(thread) || nt_index_get(&rows, thread->owner_tid) == NT_INDEX_NONE)
			continue;
		process->threads[row].wait_owner_tid = process->threads[row].lock_owner_tid = thread->owner_tid;
		process->threads[row].deadlocked = wait_of(waits, thread->tid, span->t1) && is_in_circle(waits, thread, span->t1);
	}
	nt_index_fini(&rows);
}
