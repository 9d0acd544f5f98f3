// SPDX-License-Identifier: GPL-2.0-only
/*
 * Laying newer ranges over older ones: a sweep over the addresses that keeps the set of ranges covering the current address, newest first.
 * Linear after sorting, whatever overlaps there are; the set is small in practice (stubs of one block overlap a few deep).
 */
#include "symbol/ranges_internal.h"

#include "base/alloc.h"
#include "base/starts.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

enum {
	ACTIVE_LIMIT = 64, /* deeper nesting than this is nobody's code map: the oldest are dropped */
	KEEP_CAPACITY = 4096,
};

struct sweep {
	struct nt_ranges *ranges;
	struct nt_range_list out;
	struct nt_range active[ACTIVE_LIMIT]; /* newest first: order descending */
	size_t active_count;
	uint64_t position; /* everything below is in `out` */
	bool keep_holes, is_large;
};

/* Do the lists below the one that is made have anything in [start, end)? */
static bool covers_something(const struct sweep *sweep, uint64_t start, uint64_t end)
{
	const struct nt_range_list *large = &sweep->ranges->large;
	size_t next = sweep->is_large ? 0 : nt_starts_up_to(large->items, large->count, sizeof(*large->items), end - 1);
	if (next && large->items[next - 1].end > start)
		return true;
	struct nt_extent extent = NT_EXTENT_ALL;
	return nt_plain_covering(&sweep->ranges->plain, start, &extent) || extent.high < end;
}

/*
 * Write [position, end) of `range`, joined to the last piece when that is the same range. A hole is kept where it covers something only: what it replaced in
 * this list is among the old ones, and where code comes and goes without end holes would be most of the list.
 */
static void put_piece(struct sweep *sweep, const struct nt_range *range, uint64_t end)
{
	if (nt_range_is_hole(range) && !(sweep->keep_holes && covers_something(sweep, sweep->position, end)))
		return;
	struct nt_range *last = sweep->out.count ? &sweep->out.items[sweep->out.count - 1] : NULL;
	if (last && last->end == sweep->position && last->from == range->from && last->a == range->a && last->b == range->b &&
	    last->c == range->c) {
		last->end = end;
		return;
	}
	struct nt_range *piece = nt_range_list_push(&sweep->out);
	*piece = *range;
	piece->start = sweep->position;
	piece->end = end;
	piece->order = 0;
}

static void drop_finished(struct sweep *sweep)
{
	size_t kept = 0;
	for (size_t i = 0; i < sweep->active_count; i++)
		if (sweep->active[i].end > sweep->position)
			sweep->active[kept++] = sweep->active[i];
	sweep->active_count = kept;
}

/* Write everything up to `address`. */
static void advance(struct sweep *sweep, uint64_t address)
{
	while (sweep->active_count && sweep->position < address) {
		const struct nt_range *top = &sweep->active[0];
		uint64_t end = top->end < address ? top->end : address;
		put_piece(sweep, top, end);
		sweep->position = end;
		drop_finished(sweep);
	}
	sweep->position = address;
}

/* Keep what `loser` said where `winner` covers it. Holes too: before `winner` began there was nothing. */
static void replaced(struct nt_ranges *ranges, const struct nt_range *loser, const struct nt_range *winner)
{
	if (winner->from <= loser->from)
		return;
	ranges->old = nt_grow(ranges->old, &ranges->old_capacity, ranges->old_count + 1, sizeof(*ranges->old));
	struct nt_range_old *old = &ranges->old[ranges->old_count++];
	*old = (struct nt_range_old){ .range = *loser, .to = winner->from };
	old->rank = (uint64_t)ranges->settle_count << 32 | loser->order;
	if (winner->start > old->range.start)
		old->range.start = winner->start;
	if (winner->end < old->range.end)
		old->range.end = winner->end;
}

static bool repeats(const struct sweep *sweep, const struct nt_range *range)
{
	const struct nt_range *before = &sweep->active[0];
	return sweep->active_count == 1 && before->start == range->start && before->end == range->end && !nt_range_is_hole(before) &&
	       !nt_range_is_hole(range) && sweep->ranges->same(before, range, sweep->ranges->context);
}

static void enter(struct sweep *sweep, const struct nt_range *range)
{
	advance(sweep, range->start);
	if (repeats(sweep, range)) {
		sweep->active[0].order = range->order;
		return;
	}
	size_t place = 0;
	for (size_t i = 0; i < sweep->active_count; i++) {
		const struct nt_range *other = &sweep->active[i];
		if (other->order > range->order) {
			replaced(sweep->ranges, range, other);
			place = i + 1;
		} else {
			replaced(sweep->ranges, other, range);
		}
	}
	if (place == ACTIVE_LIMIT)
		return;
	if (sweep->active_count == ACTIVE_LIMIT)
		sweep->active_count--;
	memmove(&sweep->active[place + 1], &sweep->active[place], (sweep->active_count - place) * sizeof(sweep->active[0]));
	sweep->active[place] = *range;
	sweep->active_count++;
}

static bool is_disjoint(const struct nt_range_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (nt_range_is_hole(&list->items[i]) || (i && list->items[i - 1].end > list->items[i].start))
			return false;
	return true;
}

void nt_ranges_sweep(struct nt_ranges *ranges, struct nt_range_list *base, struct nt_range_list *later, bool keep_holes)
{
	if (!base->count && is_disjoint(later)) { /* the first load of a map: nothing to lay over, nothing to copy */
		free(base->items);
		*base = *later;
		*later = (struct nt_range_list){ 0 };
		return;
	}
	struct sweep sweep = { .ranges = ranges, .keep_holes = keep_holes, .is_large = base == &ranges->large };
	sweep.out.capacity = base->count + later->count;
	sweep.out.items = nt_realloc(NULL, sweep.out.capacity, sizeof(*sweep.out.items));
	size_t b = 0, l = 0;
	while (b < base->count || l < later->count) {
		bool from_base = l == later->count || (b < base->count && base->items[b].start <= later->items[l].start);
		struct nt_range range = from_base ? base->items[b++] : later->items[l++];
		if (from_base)
			range.order = base == &ranges->large ? NT_ORDER_LARGE : NT_ORDER_SMALL;
		enter(&sweep, &range);
	}
	advance(&sweep, UINT64_MAX);
	free(base->items);
	/* Two sources may have told of the same: half of the room is left then. The next sweep makes a list of its own. */
	if (sweep.out.count && sweep.out.count < sweep.out.capacity / 4 * 3) {
		sweep.out.capacity = sweep.out.count;
		sweep.out.items = nt_realloc(sweep.out.items, sweep.out.capacity, sizeof(*sweep.out.items));
	}
	*base = sweep.out;
	later->count = 0;
	if (later->capacity > KEEP_CAPACITY) {
		free(later->items);
		*later = (struct nt_range_list){ 0 };
	}
}
