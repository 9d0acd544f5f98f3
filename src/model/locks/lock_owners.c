// SPDX-License-Identifier: GPL-2.0-only
#include "model/locks/lock_owners.h"

#include "base/arena.h"
#include "nettop/wait.h"

#include <stdio.h>

/* A look and an event of the same wait say when it began with two clocks' care. */
static const nt_time slack_ns = NT_NS_PER_MS;

enum { LABELLED = 256 };

/* What rows are looked up by. */
struct lookup {
	const struct nt_process_snapshot *process;
	struct nt_arena *arena; /* of the snapshot */
	struct nt_index threads;
	struct nt_index methods; /* made when the first one is looked up: for an owner that runs */
};

static const struct nt_thread_row *thread_of(const struct lookup *rows, uint32_t tid)
{
	uint32_t index = tid ? nt_index_get(&rows->threads, tid) : NT_INDEX_NONE;
	return index == NT_INDEX_NONE ? NULL : &rows->process->threads[index];
}

static enum nt_code_kind kind_of(struct lookup *rows, uint64_t method)
{
	const struct nt_process_snapshot *process = rows->process;
	if (!rows->methods.used)
		for (size_t i = 0; i < process->method_count; i++)
			nt_index_put(&rows->methods, process->methods[i].id, (uint32_t)i);
	uint32_t index = nt_index_get(&rows->methods, method);
	return index == NT_INDEX_NONE ? NT_CODE_UNKNOWN : (enum nt_code_kind)process->methods[index].kind;
}

/* The method that is hottest on a thread that runs: a managed one, which says what it does with the lock, where there is one. A function of the kernel is called that: it reads like any other. */
static const char *hottest_of(struct lookup *rows, const struct nt_thread_row *thread)
{
	if (!thread->hot_count)
		return NULL;
	for (uint32_t i = 0; i < thread->hot_count; i++) {
		enum nt_code_kind kind = kind_of(rows, thread->hot[i].method_id);
		if (kind == NT_CODE_JIT || kind == NT_CODE_R2R)
			return thread->hot[i].name;
	}
	if (kind_of(rows, thread->hot[0].method_id) != NT_CODE_KERNEL)
		return thread->hot[0].name;
	char text[LABELLED];
	int length = snprintf(text, sizeof(text), "kernel: %s", thread->hot[0].name);
	return nt_arena_text(rows->arena, text, (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

/*
 * What the thread waits for, if it has been seen since it began to wait for the lock: before, it may have waited for another. By looks a wait is as old as the first of
 * them that found it, at least: that look, too, was in this wait then.
 */
static const char *type_of(const struct nt_thread_row *thread, nt_time since, nt_time t1)
{
	bool seen = thread && thread->waits && nt_wait_is_for_lock(thread->wait) && thread->wait_what && thread->wait_ns.known;
	return seen && t1 - thread->wait_ns.v + slack_ns >= since ? thread->wait_what : NULL;
}

static void note_types(struct nt_lock_waits *waits, const struct lookup *rows, nt_time t1)
{
	for (size_t i = 0; i < waits->waiting_count; i++) {
		const struct nt_waiting *waiting = &waits->waiting[i];
		const char *type = waiting->lock_id && !waiting->doubtful && waiting->since < t1
					   ? type_of(thread_of(rows, nt_waiting_tid(waiting)), waiting->since, t1)
					   : NULL;
		for (size_t k = 0; type && k < waits->sites.by_lock.count; k++)
			if (waits->sites.by_lock.items[k].key == waiting->lock_id)
				waits->sites.by_lock.items[k].row.type = type;
	}
}

/* An owner that is no living thread of the target is not said: the number may mean something else. */
static void fill_owner(struct lookup *rows, struct nt_lock_group_row *row, const struct nt_thread_row *owner)
{
	if (!owner) {
		row->owner_tid = 0;
		return;
	}
	row->owner_tid = owner->tid;
	row->owner_name = owner->name;
	if (owner->waits && owner->wait != NT_WAIT_IDLE && owner->wait_at) {
		row->owner_at = owner->wait_at;
		row->owner_stack = owner->wait_from;
	} else if (!owner->waits) {
		row->owner_at = hottest_of(rows, owner);
	}
}

static const struct nt_lock_group *group_of(const struct nt_lock_groups *groups, uint64_t id)
{
	for (size_t i = 0; i < groups->count; i++)
		if (groups->items[i].row.id == id)
			return &groups->items[i];
	return NULL;
}

void nt_lock_owners_fill(struct nt_lock_waits *waits, nt_time t1, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct lookup rows = { .process = process, .arena = snapshot->arena };
	if (waits->sites.by_lock.count || waits->sites.by_owner.count)
		for (size_t i = 0; i < process->thread_count; i++)
			if (!process->threads[i].ended)
				nt_index_put(&rows.threads, process->threads[i].tid, (uint32_t)i);
	note_types(waits, &rows, t1);
	for (size_t i = 0; i < process->lock_object_count; i++) {
		struct nt_lock_group_row *row = &process->lock_objects[i];
		const struct nt_lock_group *group = group_of(&waits->sites.by_lock, row->id);
		uint32_t now = nt_locks_owner(&waits->locks, group->key);
		row->lock_id = row->others ? 0 : group->key;
		row->type = group->row.type;
		fill_owner(&rows, row, thread_of(&rows, now ? now : row->owner_tid));
	}
	for (size_t i = 0; i < process->lock_owner_count; i++) {
		struct nt_lock_group_row *row = &process->lock_owners[i];
		const struct nt_lock_group *group = group_of(&waits->sites.by_owner, row->id);
		fill_owner(&rows, row, row->others ? NULL : thread_of(&rows, (uint32_t)group->key));
		if (!row->others)
			row->owner_tid = (uint32_t)group->key; /* also one that has ended: the row is of it */
	}
	nt_index_fini(&rows.threads);
	nt_index_fini(&rows.methods);
}
