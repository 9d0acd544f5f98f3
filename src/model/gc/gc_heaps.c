// SPDX-License-Identifier: GPL-2.0-only
#include "model/gc/gc_heaps.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void nt_gc_heaps_fini(struct nt_gc_heaps *heaps)
{
	free(heaps->gathered.rows);
	free(heaps->shown.rows);
	*heaps = (struct nt_gc_heaps){ 0 };
}

void nt_gc_heaps_forget(struct nt_gc_heaps *heaps)
{
	heaps->gathered.count = 0;
	heaps->expected = 0;
}

static void add(struct nt_gc_heaps *heaps, const struct nt_ev_gc_heap_history *history)
{
	struct nt_gc_heap_set *set = &heaps->gathered;
	set->rows = nt_grow(set->rows, &set->capacity, set->count + 1, sizeof(*set->rows));
	struct nt_gc_heap_row *row = &set->rows[set->count++];
	*row = (struct nt_gc_heap_row){
		.index = history->heap_index,
		.left_bytes = history->after_gross_bytes,
		.free_bytes = history->free_after_bytes,
		.loh_bytes = history->loh_after_bytes,
		.gen0_budget_bytes = { .known = history->gen0_budget_bytes, .v = history->gen0_budget_bytes },
	};
	for (unsigned i = 0; i < NT_GC_GENERATIONS; i++)
		row->found_bytes += history->before_gross_bytes[i];
}

void nt_gc_heaps_tell(struct nt_gc_heaps *heaps, const struct nt_event *event)
{
	const struct nt_gc_heap_set *set = &heaps->gathered;
	if (event->kind == NT_EV_GC_GLOBAL_HISTORY) {
		uint32_t count = event->u.gc_global_history.heap_count;
		nt_gc_heaps_forget(heaps);
		heaps->expected = count <= NT_GC_HEAPS_MAX ? count : 0;
		heaps->first = heaps->last = event->time;
		return;
	}
	/* One that is not the next is of another collection, or one is missing. */
	if (set->count >= heaps->expected || event->u.gc_heap_history.heap_index != set->count) {
		nt_gc_heaps_forget(heaps);
		return;
	}
	heaps->last = event->time;
	add(heaps, &event->u.gc_heap_history);
}

static void fill_shares(const struct nt_gc_heap_set *set, uint64_t collection)
{
	double sum = 0;
	for (size_t i = 0; i < set->count; i++)
		sum += (double)set->rows[i].left_bytes;
	for (size_t i = 0; i < set->count; i++) {
		struct nt_gc_heap_row *row = &set->rows[i];
		row->collection = collection;
		if (sum > 0)
			row->share_pct = nt_f64_of(100.0 * (double)row->left_bytes / sum);
	}
}

void nt_gc_heaps_belong(struct nt_gc_heaps *heaps, uint64_t number)
{
	if (!heaps->expected || heaps->gathered.count != heaps->expected)
		return;
	fill_shares(&heaps->gathered, number);
	struct nt_gc_heap_set before = heaps->shown;
	heaps->shown = heaps->gathered;
	heaps->gathered = before;
	nt_gc_heaps_forget(heaps);
}

void nt_gc_heaps_show(const struct nt_gc_heaps *heaps, struct nt_process_snapshot *process)
{
	size_t count = heaps->shown.count;
	process->gc_heap_count = count;
	if (!count)
		return;
	process->gc_heaps = nt_realloc(NULL, count, sizeof(*process->gc_heaps));
	memcpy(process->gc_heaps, heaps->shown.rows, count * sizeof(*process->gc_heaps));
}
