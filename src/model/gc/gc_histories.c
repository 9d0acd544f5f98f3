// SPDX-License-Identifier: GPL-2.0-only
/*
 * Heap histories that are told beside the other events of their collections. They come through another stream, so either may be there first; at the end
 * of an interval all is there, and they are joined by their times: a history lies within its collection or, of a background collection under server GC,
 * right behind it.
 */
#include "model/gc/gc.h"

#include "base/alloc.h"

#include <string.h>

enum { YOUNG_MAX = 256 }; /* so many collections are looked through for one that goes on around them */

/* What is of all heaps comes first, then the heaps in order: a number that is not greater belongs to the next collection. */
static bool continues(const struct nt_gc_history *newest, const struct nt_event *event)
{
	if (!newest || event->kind == NT_EV_GC_GLOBAL_HISTORY)
		return false;
	return !newest->detail.heaps_seen || event->u.gc_heap_history.heap_index > newest->last_heap;
}

void nt_gc_told_beside(struct nt_gc *gc, const struct nt_event *event)
{
	struct nt_gc_history *history = gc->history_count ? &gc->histories[gc->history_count - 1] : NULL;
	if (!continues(history, event)) {
		if (gc->history_count == gc->limit) { /* the older half is of collections whose rows are gone, or as good as gone */
			gc->history_count /= 2;
			memmove(gc->histories, gc->histories + (gc->limit - gc->history_count), gc->history_count * sizeof(*gc->histories));
		}
		gc->histories = nt_grow(gc->histories, &gc->history_capacity, gc->history_count + 1, sizeof(*gc->histories));
		history = &gc->histories[gc->history_count++];
		*history = (struct nt_gc_history){ .time = event->time };
	}
	history->last = event->time;
	if (event->kind == NT_EV_GC_GLOBAL_HISTORY) {
		history->detail.global_seen = true;
		history->detail.global = event->u.gc_global_history;
	} else {
		if (!history->detail.heaps_seen)
			history->first_heap = event->u.gc_heap_history.heap_index;
		history->last_heap = event->u.gc_heap_history.heap_index;
		nt_gc_detail_add(&history->detail, &event->u.gc_heap_history);
	}
}

static bool has_begun(const struct nt_gc_row *row, nt_time time)
{
	return row->start != NT_TIME_UNKNOWN && row->start <= time;
}

/*
 * Of `time`; NULL = its end is not known yet. The rows from `back` on have begun before. One that began later lies within one that began earlier: the
 * first that covers the time is the one.
 */
static struct nt_gc_row *collection_at(struct nt_gc *gc, size_t back, nt_time time)
{
	struct nt_gc_row *ended_last = NULL, *row;
	for (size_t i = 0; i < YOUNG_MAX && (row = nt_gc_row_newest(gc, back + i)); i++) {
		if (!has_begun(row, time))
			continue;
		if (!row->finished)
			return NULL;
		if (time <= row->end)
			return row;
		if (!ended_last || row->end > ended_last->end)
			ended_last = row;
	}
	return ended_last;
}

/*
 * Its heaps are those of the collection: where some were lost the first ones of one collection and the last ones of a later one look like those of one, and the last ones alone like a whole where
 * nothing says how many there are.
 */
static bool is_of_one(struct nt_gc *gc, const struct nt_gc_history *history, const struct nt_gc_row *row)
{
	bool from_the_first = !history->detail.heaps_seen || !history->first_heap;
	return from_the_first && (history->last == history->time || collection_at(gc, 0, history->last) == row);
}

void nt_gc_join_histories(struct nt_gc *gc)
{
	if (!gc->history_count)
		return;
	size_t back = 0, kept = gc->history_count;
	struct nt_f64 newest_fragmentation_pct = gc->fragmentation_pct;
	bool joined = false;
	for (size_t i = gc->history_count; i-- > 0;) { /* newest first, as the rows */
		const struct nt_gc_history *history = &gc->histories[i];
		for (struct nt_gc_row *row; (row = nt_gc_row_newest(gc, back)) && !has_begun(row, history->time);)
			back++;
		struct nt_gc_row *row = collection_at(gc, back, history->time);
		if (!row)
			gc->histories[--kept] = *history;
		if (!row || row->before_bytes.known)
			continue;
		struct nt_gc_detail detail = history->detail;
		if (!is_of_one(gc, history, row))
			detail.heaps_seen = 0;
		nt_gc_row_detail(gc, row, &detail);
		if (history->time == gc->heaps.first && collection_at(gc, 0, gc->heaps.last) == row)
			nt_gc_heaps_belong(&gc->heaps, row->id);
		if (!joined)
			newest_fragmentation_pct = row->fragmentation_pct;
		joined = true;
	}
	gc->fragmentation_pct = newest_fragmentation_pct;
	gc->history_count -= kept;
	memmove(gc->histories, gc->histories + kept, gc->history_count * sizeof(*gc->histories));
}
