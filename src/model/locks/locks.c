// SPDX-License-Identifier: GPL-2.0-only
#include "model/locks/locks.h"

#include "base/alloc.h"

#include <stdlib.h>

void nt_locks_init(struct nt_locks *locks)
{
	*locks = (struct nt_locks){ 0 };
}

void nt_locks_fini(struct nt_locks *locks)
{
	free(locks->items);
	nt_index_fini(&locks->by_id);
	*locks = (struct nt_locks){ 0 };
}

static void note(struct nt_locks *locks, const struct nt_lock *lock)
{
	if (lock->waiting_count > locks->interval_most) {
		locks->interval_most = lock->waiting_count;
		locks->most_id = lock->id;
	}
	if (lock->waiting_count > locks->total_most)
		locks->total_most = lock->waiting_count;
}

void nt_locks_enter(struct nt_locks *locks, uint64_t id, uint32_t owner_tid)
{
	if (!id) {
		locks->unsaid = true;
		return;
	}
	uint32_t index = nt_index_get(&locks->by_id, id);
	if (index == NT_INDEX_NONE) {
		index = (uint32_t)locks->count;
		locks->items = nt_grow(locks->items, &locks->capacity, locks->count + 1, sizeof(*locks->items));
		locks->items[locks->count++] = (struct nt_lock){ .id = id };
		nt_index_put(&locks->by_id, id, index);
	}
	locks->items[index].waiting_count++;
	locks->items[index].owner_tid = owner_tid;
	note(locks, &locks->items[index]);
}

void nt_locks_leave(struct nt_locks *locks, uint64_t id, uint32_t tid)
{
	uint32_t index = id ? nt_index_get(&locks->by_id, id) : NT_INDEX_NONE;
	if (index == NT_INDEX_NONE)
		return;
	/* It has got the lock, or has given up. The end of a wait is told a little later than others see that it has it. */
	if (locks->items[index].owner_tid != tid)
		locks->items[index].owner_tid = 0;
	if (--locks->items[index].waiting_count)
		return;
	nt_index_remove(&locks->by_id, id);
	size_t last = --locks->count;
	if (index == last)
		return;
	locks->items[index] = locks->items[last];
	nt_index_put(&locks->by_id, locks->items[index].id, index);
}

uint32_t nt_locks_owner(const struct nt_locks *locks, uint64_t id)
{
	uint32_t index = id ? nt_index_get(&locks->by_id, id) : NT_INDEX_NONE;
	return index == NT_INDEX_NONE ? 0 : locks->items[index].owner_tid;
}

void nt_locks_fill(const struct nt_locks *locks, uint32_t most, struct nt_lock_figures *out)
{
	if (!locks->unsaid)
		out->same_lock_count = nt_u64_of(most);
}

void nt_locks_next(struct nt_locks *locks)
{
	locks->interval_most = 0;
	locks->closed_most_id = locks->most_id;
	locks->most_id = 0;
	for (size_t i = 0; i < locks->count; i++)
		note(locks, &locks->items[i]);
}
