// SPDX-License-Identifier: GPL-2.0-only
/* The rows of collections: a ring of the last ones, and what a finished one adds to its generation. */
#include "model/gc/gc.h"

#include "base/alloc.h"

#include <string.h>

enum {
	LOOK_BACK = 256,  /* a collection is this many others old at most when something is said about it */
	OUT_OF_ORDER = 8, /* numbers rise, but for what came out of order: behind so many lower ones there is no higher one */
	TYPE_UNKNOWN = 3,
};

struct nt_gc_row *nt_gc_row_newest(struct nt_gc *gc, size_t back)
{
	if (back >= gc->row_count || back >= gc->limit)
		return NULL;
	return &gc->rows[(gc->row_count - 1 - back) % gc->limit];
}

nt_site_ref *nt_gc_row_asker(struct nt_gc *gc, const struct nt_gc_row *row)
{
	return &gc->beside[row - gc->rows].asker;
}

struct nt_gc_row *nt_gc_row_find(struct nt_gc *gc, uint64_t number)
{
	for (size_t back = 0, lower = 0; back < LOOK_BACK && lower < OUT_OF_ORDER; back++) {
		struct nt_gc_row *row = nt_gc_row_newest(gc, back);
		if (!row || row->id == number)
			return row;
		lower += row->id < number;
	}
	return NULL;
}

struct nt_gc_row *nt_gc_row_add(struct nt_gc *gc, uint64_t number)
{
	if (gc->row_count < gc->limit) {
		gc->rows = nt_grow(gc->rows, &gc->row_capacity, gc->row_count + 1, sizeof(*gc->rows));
		gc->beside = nt_grow(gc->beside, &gc->beside_capacity, gc->row_count + 1, sizeof(*gc->beside));
	}
	gc->row_count++;
	struct nt_gc_row *row = nt_gc_row_newest(gc, 0);
	*row = (struct nt_gc_row){ .id = number, .type = TYPE_UNKNOWN, .start = NT_TIME_UNKNOWN, .end = NT_TIME_UNKNOWN };
	gc->beside[row - gc->rows] = (struct nt_gc_beside){ 0 };
	return row;
}

/*
 * Of a full collection the runtime's sum has all but the pinned heap (TotalPromotedSize4 is 0, .NET 8 to 10). What survived there is what its history says that
 * is left there.
 */
static void fill_promoted(const struct nt_gc *gc, struct nt_gc_row *row)
{
	const struct nt_gc_beside *beside = &gc->beside[row - gc->rows];
	bool lacks_pinned = row->generation == 2 && !beside->holds_pinned;
	row->promoted_bytes = (struct nt_u64){ .known = beside->promoted_bytes.known && (!lacks_pinned || beside->pinned_bytes.known),
					       .v = beside->promoted_bytes.v + (lacks_pinned ? beside->pinned_bytes.v : 0) };
}

void nt_gc_row_stats(struct nt_gc *gc, struct nt_gc_row *row, const struct nt_ev_gc_heap_stats *stats)
{
	struct nt_gc_beside *beside = &gc->beside[row - gc->rows];
	beside->promoted_bytes = nt_u64_of(0);
	for (unsigned i = 0; i < NT_GC_GENERATIONS; i++)
		beside->promoted_bytes.v += i == NT_GC_POH && !stats->poh_known ? 0 : stats->promoted_bytes[i];
	beside->holds_pinned = !stats->poh_known || !stats->size_bytes[NT_GC_POH] || stats->promoted_bytes[NT_GC_POH];
	fill_promoted(gc, row);
	for (unsigned i = 0; i < NT_GC_GENERATIONS; i++)
		row->generation_bytes[i] = (struct nt_u64){ .known = i != NT_GC_POH || stats->poh_known, .v = stats->size_bytes[i] };
	row->pinned_count = nt_u64_of(stats->pinned_count);
	row->handle_count = nt_u64_of(stats->handle_count);
	row->finalizable_count = nt_u64_of(stats->finalization_promoted_count);
}

void nt_gc_detail_add(struct nt_gc_detail *detail, const struct nt_ev_gc_heap_history *history)
{
	uint32_t highest = nt_gc_reasons_highest(history->condemn_reasons);
	if (!detail->heaps_seen || highest > detail->highest) {
		detail->highest = highest;
		memcpy(detail->condemn_reasons, history->condemn_reasons, sizeof(detail->condemn_reasons));
	}
	if (!detail->heaps_seen || history->after_gross_bytes < detail->heap_least)
		detail->heap_least = history->after_gross_bytes;
	if (history->after_gross_bytes > detail->heap_most)
		detail->heap_most = history->after_gross_bytes;
	detail->heaps_seen++;
	for (unsigned i = 0; i < NT_GC_GENERATIONS; i++)
		detail->found[i] += history->before_gross_bytes[i];
	detail->after_gross += history->after_gross_bytes;
	detail->before_net += history->before_bytes;
	detail->free_after += history->free_after_bytes;
	detail->loh_after += history->loh_after_bytes;
	detail->loh_found_used += history->loh_found_used_bytes;
	detail->loh_left_used += history->loh_left_used_bytes;
	detail->poh_after += history->poh_after_bytes;
	detail->gen0_budget += history->gen0_budget_bytes;
	detail->loh_budget += history->loh_budget_bytes;
}

static struct nt_u64 sum_us(const struct nt_ev_gc_global_history *global, unsigned from, unsigned to)
{
	struct nt_u64 sum = { .known = global->step_count >= to };
	for (unsigned i = from; i < to && sum.known; i++) {
		sum.known = global->step_us[i] != UINT32_MAX; /* more than fits: .NET 8 says it of what it did not measure */
		sum.v += global->step_us[i] * NT_NS_PER_US;
	}
	return sum.known ? sum : (struct nt_u64){ 0 };
}

/* Of steps that a collection did not do nothing is said: one that sweeps neither relocates nor compacts. */
static void fill_steps(struct nt_gc_row *row, const struct nt_ev_gc_global_history *global)
{
	enum { PLAN = NT_GC_MARK_STEPS, NEXT, LAST };
	bool compacts = global->mechanisms & NT_GC_COMPACTS;
	row->step_ns[NT_GC_MARKING] = sum_us(global, 0, NT_GC_MARK_STEPS);
	row->step_ns[NT_GC_PLANNING] = sum_us(global, PLAN, PLAN + 1);
	if (compacts) {
		row->step_ns[NT_GC_RELOCATING] = sum_us(global, NEXT, NEXT + 1);
		row->step_ns[NT_GC_COMPACTING] = sum_us(global, LAST, LAST + 1);
	} else {
		row->step_ns[NT_GC_SWEEPING] = sum_us(global, NEXT, NEXT + 1);
	}
}

static void row_global(struct nt_gc_row *row, const struct nt_ev_gc_global_history *global)
{
	if (!row->reason.known)
		row->reason = nt_u64_of(global->reason);
	if (row->type == TYPE_UNKNOWN)
		row->type = global->mechanisms & NT_GC_CONCURRENT ? 1 : 0;
	row->heap_count = nt_u64_of(global->heap_count);
	row->memory_load_pct = nt_u64_of(global->memory_pressure_pct);
	row->way = global->mechanisms & NT_GC_COMPACTS ? NT_GC_WAY_COMPACT : NT_GC_WAY_SWEEP;
	fill_steps(row, global);
}

/* Younger collections look at no large object. */
static void count_large(struct nt_gc *gc, struct nt_gc_row *row, const struct nt_gc_detail *detail)
{
	if (row->generation != 2 || row->loh_freed_bytes.known)
		return;
	uint64_t found = detail->loh_found_used, left = detail->loh_left_used;
	row->loh_freed_bytes = nt_u64_of(found > left ? found - left : 0);
	struct nt_gc_counts *both[] = { &gc->interval, &gc->total };
	for (size_t i = 0; i < 2; i++) {
		both[i]->histories_told++;
		both[i]->loh_freed_bytes += row->loh_freed_bytes.v;
	}
}

void nt_gc_row_detail(struct nt_gc *gc, struct nt_gc_row *row, const struct nt_gc_detail *detail)
{
	if (detail->global_seen)
		row_global(row, &detail->global);
	/* A heap whose history is missing is in no sum. */
	if (!detail->heaps_seen || (detail->global_seen && detail->heaps_seen < detail->global.heap_count))
		return;
	uint64_t before_gross = 0;
	for (unsigned i = 0; i < NT_GC_GENERATIONS; i++) {
		row->found_bytes[i] = nt_u64_of(detail->found[i]);
		before_gross += detail->found[i];
	}
	row->gen0_budget_bytes = (struct nt_u64){ .known = detail->gen0_budget, .v = detail->gen0_budget };
	row->loh_budget_bytes = (struct nt_u64){ .known = detail->loh_budget, .v = detail->loh_budget };
	row->heap_least_bytes = (struct nt_u64){ .known = detail->global_seen, .v = detail->heap_least };
	row->heap_most_bytes = (struct nt_u64){ .known = detail->global_seen, .v = detail->heap_most };
	nt_gc_reasons_text(detail->condemn_reasons, row->condemned, sizeof(row->condemned));
	count_large(gc, row, detail);
	gc->beside[row - gc->rows].pinned_bytes = nt_u64_of(detail->poh_after);
	fill_promoted(gc, row);
	row->before_bytes = nt_u64_of(before_gross);
	if (!row->after_bytes.known)
		row->after_bytes = nt_u64_of(detail->after_gross);
	if (!row->loh_bytes.known)
		row->loh_bytes = nt_u64_of(detail->loh_after);
	if (detail->after_gross)
		row->fragmentation_pct = nt_f64_of(100.0 * (double)detail->free_after / (double)detail->after_gross);
	/* Of a full collection the sums over all generations say how much survived; of younger ones they do not. */
	if (row->generation == 2 && row->type == 0 && detail->before_net)
		row->survived_pct =
			nt_f64_of(100.0 * (double)nt_gc_used_after(detail->after_gross, detail->free_after) / (double)detail->before_net);
	gc->fragmentation_pct = row->fragmentation_pct;
}

void nt_gc_row_finish(struct nt_gc *gc, struct nt_gc_row *row)
{
	if (row->generation > 2)
		return;
	size_t index = row->type == 1 ? 3 : row->generation;
	nt_histogram_add(&gc->generations[index].pauses, row->pause_ns.v);
	row->marked = row->pause_ns.v >= NT_GC_ALARM_NS;
}
