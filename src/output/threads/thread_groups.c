// SPDX-License-Identifier: GPL-2.0-only
#include "output/threads/thread_groups.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

const char *nt_thread_doing_name(enum nt_thread_doing doing)
{
	static const char *const names[NT_THREAD_DOINGS] = {
		[NT_THREAD_DEADLOCKED] = "deadlocked", [NT_THREAD_RUNS] = "running",
		[NT_THREAD_WAITS] = "waiting",         [NT_THREAD_IDLES] = "idle",
		[NT_THREAD_NOT_SEEN] = "not_seen",     [NT_THREAD_UNMANAGED] = "unmanaged",
	};
	return names[doing];
}

/* Frames of native code alone are those of the runtime's own threads, and of libraries'. */
static bool has_managed(const struct nt_call_stack *stack)
{
	for (uint32_t i = 0; stack && i < stack->count; i++)
		if (!stack->frames[i].native)
			return true;
	return false;
}

static enum nt_thread_doing doing_of(const struct nt_thread_row *row, bool managed_known)
{
	if (row->deadlocked)
		return NT_THREAD_DEADLOCKED;
	if (!row->looked_at)
		return NT_THREAD_NOT_SEEN;
	if (managed_known && !row->managed_id && !has_managed(row->wait_from))
		return NT_THREAD_UNMANAGED;
	if (!row->waits)
		return NT_THREAD_RUNS;
	return row->wait == NT_WAIT_IDLE ? NT_THREAD_IDLES : NT_THREAD_WAITS;
}

static int compare_texts(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a ? a : "", b ? b : "");
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_stacks(const struct nt_call_stack *a, const struct nt_call_stack *b)
{
	if (a == b || !a || !b)
		return (a != NULL) - (b != NULL);
	int order = compare_numbers(a->count, b->count);
	if (!order)
		order = (int)a->cut - (int)b->cut;
	for (uint32_t i = 0; i < a->count && !order; i++) {
		order = compare_texts(a->frames[i].name, b->frames[i].name);
		if (!order)
			order = compare_texts(a->frames[i].module, b->frames[i].module);
	}
	return order;
}

/* 0: of the same group. */
static int compare_groups(const struct nt_thread_row *a, const struct nt_thread_row *b, bool managed_known)
{
	enum nt_thread_doing doing = doing_of(a, managed_known);
	int order = (int)doing - (int)doing_of(b, managed_known);
	if (order || doing == NT_THREAD_RUNS || doing == NT_THREAD_NOT_SEEN)
		return order;
	order = compare_stacks(a->wait_from, b->wait_from);
	if (doing == NT_THREAD_UNMANAGED && (order || !a->wait_from))
		return order;
	if (!order)
		order = (int)a->wait - (int)b->wait;
	return order ? order : (int)a->wait_partial - (int)b->wait_partial;
}

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct nt_thread_row *a = *(const struct nt_thread_row *const *)left, *b = *(const struct nt_thread_row *const *)right;
	int order = compare_groups(a, b, *(const bool *)context);
	if (!order)
		order = compare_numbers(a->wait_owner_tid, b->wait_owner_tid);
	if (!order)
		order = compare_texts(a->wait_what, b->wait_what);
	if (!order)
		order = compare_texts(a->name, b->name);
	return order ? order : compare_numbers(a->tid, b->tid);
}

/* Where most threads are comes first. */
static int compare_shown(const void *left, const void *right)
{
	const struct nt_thread_group *a = left, *b = right;
	if (a->doing != b->doing)
		return (int)a->doing - (int)b->doing;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return compare_numbers(a->rows[0]->tid, b->rows[0]->tid);
}

struct nt_thread_groups nt_thread_groups_make(const struct nt_process_snapshot *process, bool managed_known)
{
	struct nt_thread_groups groups = { .rows = nt_alloc((process->thread_count + 1) * sizeof(*groups.rows)),
					   .items = nt_alloc((process->thread_count + 1) * sizeof(*groups.items)),
					   .managed_known = managed_known };
	for (size_t i = 0; i < process->thread_count; i++) {
		if (process->threads[i].ended)
			continue;
		groups.rows[groups.row_count++] = &process->threads[i];
		groups.doing[doing_of(&process->threads[i], managed_known)]++;
	}
	qsort_r(groups.rows, groups.row_count, sizeof(*groups.rows), compare_rows, &managed_known);
	for (size_t i = 0; i < groups.row_count; i++) {
		if (i == 0 || compare_groups(groups.rows[i - 1], groups.rows[i], managed_known) != 0)
			groups.items[groups.count++] =
				(struct nt_thread_group){ .doing = doing_of(groups.rows[i], managed_known), .rows = &groups.rows[i] };
		groups.items[groups.count - 1].count++;
	}
	qsort(groups.items, groups.count, sizeof(*groups.items), compare_shown);
	return groups;
}

void nt_thread_groups_fini(struct nt_thread_groups *groups)
{
	free(groups->items);
	free(groups->rows);
	*groups = (struct nt_thread_groups){ 0 };
}

size_t nt_thread_groups_managed(const struct nt_thread_groups *groups)
{
	return groups->row_count - groups->doing[NT_THREAD_UNMANAGED];
}
