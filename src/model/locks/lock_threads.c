// SPDX-License-Identifier: GPL-2.0-only
/* Waits for locks, told of the threads that wait. */
#include "model/locks/lock_waits.h"

/* Rows of living threads by tid. */
static void index_rows(const struct nt_process_snapshot *process, struct nt_index *rows)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (!process->threads[i].ended)
			nt_index_put(rows, process->threads[i].tid, (uint32_t)i);
}

/* Who has it by now. A runtime that does not say which lock says nothing of it later either. */
static uint32_t owner_of(const struct nt_lock_waits *lock_waits, const struct nt_waiting *waiting)
{
	return waiting->lock_id && !waiting->doubtful ? nt_locks_owner(&lock_waits->locks, waiting->lock_id) : waiting->wait.owner_tid;
}

/* Shorter waits may be over soon: who has a lock may have left it since that was said, and nobody of those who wait got it. */
static const nt_time circle_ns = NT_NS_PER_S;

/* The wait of a thread that may be part of a circle; NULL = it waits for nobody, or not long enough, or for a lock that is not said. */
static const struct nt_waiting *wait_of(const struct nt_lock_waits *lock_waits, const struct nt_index *waits, uint32_t tid, nt_time t1)
{
	uint32_t index = nt_index_get(waits, tid);
	const struct nt_waiting *waiting = index == NT_INDEX_NONE ? NULL : &lock_waits->waiting[index];
	return waiting && waiting->lock_id && waiting->since + circle_ns <= t1 ? waiting : NULL;
}

/* From one thread to who has what it waits for, until it comes back to itself. Threads that all wait for one lock are no circle: that has been passed on. */
static bool is_in_circle(const struct nt_lock_waits *lock_waits, const struct nt_index *waits, const struct nt_waiting *first, nt_time t1)
{
	enum { STEPS = 64 };
	bool other_lock = false;
	const struct nt_waiting *at = first;
	for (unsigned steps = 0; steps < STEPS; steps++) {
		uint32_t owner = owner_of(lock_waits, at);
		if (!owner || owner == nt_waiting_tid(at))
			return false;
		if (owner == nt_waiting_tid(first))
			return other_lock;
		at = wait_of(lock_waits, waits, owner, t1);
		if (!at)
			return false;
		other_lock |= at->lock_id != first->lock_id;
	}
	return false;
}

static void find_circles(const struct nt_lock_waits *lock_waits, const struct nt_index *rows, nt_time t1,
			 struct nt_process_snapshot *process)
{
	struct nt_index waits = { 0 };
	for (size_t i = 0; i < lock_waits->waiting_count; i++)
		if (lock_waits->waiting[i].counts || lock_waits->waiting[i].doubtful)
			nt_index_put(&waits, nt_waiting_tid(&lock_waits->waiting[i]), (uint32_t)i);
	for (size_t i = 0; i < lock_waits->waiting_count; i++) {
		uint32_t tid = nt_waiting_tid(&lock_waits->waiting[i]), row = nt_index_get(rows, tid);
		const struct nt_waiting *waiting = wait_of(lock_waits, &waits, tid, t1);
		if (!waiting || row == NT_INDEX_NONE || !is_in_circle(lock_waits, &waits, waiting, t1))
			continue;
		process->threads[row].deadlocked = true;
		process->threads[row].lock_ns = nt_u64_of(t1 - waiting->since);
		process->threads[row].lock_owner_tid = owner_of(lock_waits, waiting);
	}
	nt_index_fini(&waits);
}

void nt_lock_waits_fill_threads(const struct nt_lock_waits *lock_waits, nt_time t1, struct nt_process_snapshot *process)
{
	struct nt_index rows = { 0 };
	if (lock_waits->waiting_count)
		index_rows(process, &rows);
	for (size_t i = 0; i < lock_waits->waiting_count; i++) {
		const struct nt_waiting *waiting = &lock_waits->waiting[i];
		uint32_t row = nt_index_get(&rows, nt_waiting_tid(waiting));
		if (row == NT_INDEX_NONE || waiting->since >= t1 || !waiting->counts)
			continue;
		process->threads[row].lock_ns = nt_u64_of(t1 - waiting->since);
		uint32_t owner = owner_of(lock_waits, waiting);
		if (nt_index_get(&rows, owner) != NT_INDEX_NONE)
			process->threads[row].lock_owner_tid = owner;
	}
	find_circles(lock_waits, &rows, t1, process);
	nt_index_fini(&rows);
}
