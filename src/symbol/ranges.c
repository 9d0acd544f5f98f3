// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/ranges.h"

#include "base/alloc.h"
#include "base/starts.h"
#include "nettop/status.h"
#include "symbol/ranges_internal.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_ENTRIES = 4096, SMALL_FRACTION = 8, LOOK_BACK = 4096, OVERLAID_MOST = 1024 };

void nt_ranges_init(struct nt_ranges *ranges, bool (*same)(const struct nt_range *, const struct nt_range *, const void *),
		    const void *context)
{
	*ranges = (struct nt_ranges){ .same = same, .context = context };
}

void nt_ranges_fini(struct nt_ranges *ranges)
{
	free(ranges->large.items);
	free(ranges->small.items);
	free(ranges->pending.items);
	nt_plain_fini(&ranges->plain);
	free(ranges->old);
	*ranges = (struct nt_ranges){ 0 };
}

/*
 * Plain ranges have no order of their own, but among themselves `a` rises. What is pending came before all new ones or after all of them: those after have
 * a higher order than settle_plain() can give.
 */
static uint32_t order_of_pending(const struct nt_ranges *ranges, size_t index)
{
	return (uint32_t)index + NT_ORDER_PENDING + (nt_plain_has_new(&ranges->plain) ? ranges->plain.last_offset + 1 : 0);
}

static void append(struct nt_ranges *ranges, uint64_t start, uint64_t size, nt_time from, uint32_t a, uint32_t b, uint32_t c)
{
	struct nt_range_list *pending = &ranges->pending;
	if (start + size <= start || nt_ranges_count(ranges) + pending->count >= NT_RANGES_LIMIT)
		return;
	if (pending->count && pending->items[pending->count - 1].start > start)
		ranges->ascending = pending->count;
	struct nt_range *range = nt_range_list_push(pending);
	range->start = start;
	range->end = start + size;
	range->from = from;
	range->a = a;
	range->b = b;
	range->c = c;
	range->order = order_of_pending(ranges, pending->count - 1);
}

void nt_ranges_add(struct nt_ranges *ranges, uint64_t start, uint64_t size, nt_time from, uint32_t a, uint32_t b, uint32_t c)
{
	nt_assert(c != NT_RANGE_HOLE);
	append(ranges, start, size, from, a, b, c);
}

/* Is something else about to be there, between what is settled and what comes now? Of very many, which nobody looks through for each, it may be. */
static bool is_overlaid(const struct nt_ranges *ranges, const struct nt_range *range)
{
	if (ranges->pending.count > OVERLAID_MOST)
		return true;
	for (size_t i = 0; i < ranges->pending.count; i++) {
		const struct nt_range *other = &ranges->pending.items[i];
		if (other->start < range->end && other->end > range->start &&
		    (nt_range_is_hole(other) || !ranges->same(other, range, ranges->context)))
			return true;
	}
	return false;
}

void nt_ranges_add_grown(struct nt_ranges *ranges, uint64_t start, uint64_t size, nt_time from, uint32_t a, uint32_t b, uint32_t c)
{
	const nt_time newest = NT_TIME_UNKNOWN - 1;
	struct nt_range range = { .start = start, .end = start + size, .from = from, .a = a, .b = b, .c = c };
	struct nt_range_hit there = nt_ranges_find(ranges, start, newest);
	if (there.found && there.range.from <= from && ranges->same(&there.range, &range, ranges->context) &&
	    !is_overlaid(ranges, &range)) {
		if (there.range.end >= range.end)
			return;
		struct nt_range_hit beyond = nt_ranges_find(ranges, there.range.end, newest);
		if (!beyond.found && beyond.extent.high >= range.end) {
			range.start = there.range.end;
			range.from = there.range.from;
		}
	}
	nt_ranges_add(ranges, range.start, range.end - range.start, range.from, a, b, c);
}

/* How many of them become plain: as many as come first and may. */
static size_t add_plain(struct nt_ranges *ranges, const struct nt_batch_place *places, size_t count, uint32_t b)
{
	size_t there = nt_ranges_count(ranges) + ranges->pending.count, room = there < NT_RANGES_LIMIT ? NT_RANGES_LIMIT - there : 0;
	if (!nt_plain_has_new(&ranges->plain))
		ranges->before_plain = ranges->pending.count;
	if (ranges->pending.count != ranges->before_plain)
		return 0;
	return nt_plain_add(&ranges->plain, places, count < room ? count : room, b);
}

void nt_ranges_add_plain(struct nt_ranges *ranges, const struct nt_batch_place *places, size_t count, uint32_t b)
{
	for (const struct nt_batch_place *place = places, *end = places + count; place < end; place++) {
		place += add_plain(ranges, place, (size_t)(end - place), b);
		if (place < end)
			append(ranges, place->start, place->size, 0, place->offset, b, 0);
	}
}

void nt_ranges_end(struct nt_ranges *ranges, uint64_t start, uint64_t size, nt_time time)
{
	append(ranges, start, size, time, 0, 0, NT_RANGE_HOLE);
}

/* Let what is pending be found. Returns whether the large list has changed. */
static bool settle_pending(struct nt_ranges *ranges)
{
	size_t small_limit = SMALL_ENTRIES + ranges->large.count / SMALL_FRACTION;
	nt_range_list_sort(&ranges->pending, ranges->ascending);
	ranges->ascending = 0;
	ranges->settle_count++;
	nt_ranges_settle_plain(ranges);
	bool below = ranges->plain.count != 0;
	if (!ranges->small.count && ranges->pending.count > small_limit) {
		nt_ranges_sweep(ranges, &ranges->large, &ranges->pending, below);
		return true;
	}
	nt_ranges_sweep(ranges, &ranges->small, &ranges->pending, true);
	if (ranges->small.count <= small_limit)
		return false;
	for (size_t i = 0; i < ranges->small.count; i++)
		ranges->small.items[i].order = NT_ORDER_SMALL;
	nt_ranges_sweep(ranges, &ranges->large, &ranges->small, below);
	return true;
}

bool nt_ranges_settle(struct nt_ranges *ranges, nt_time now)
{
	bool changed = ranges->pending.count || nt_plain_has_new(&ranges->plain);
	size_t old_before = ranges->old_count;
	bool folded = changed && settle_pending(ranges);
	if (ranges->packs && ranges->large.count && (folded || now >= ranges->packed_at + NT_RANGES_KEEP_NS)) {
		nt_ranges_pack(ranges, now);
		ranges->packed_at = now;
	}
	if (changed || ranges->old_count)
		nt_ranges_forget_old(ranges, now, old_before);
	return changed;
}

static const struct nt_range *covering(const struct nt_range_list *list, uint64_t address, struct nt_extent *extent)
{
	size_t next = nt_starts_up_to(list->items, list->count, sizeof(*list->items), address);
	if (next < list->count)
		nt_extent_cut(extent, address, list->items[next].start, UINT64_MAX);
	if (!next)
		return NULL;
	const struct nt_range *last = &list->items[next - 1];
	nt_extent_cut(extent, address, last->start, last->end);
	return last->end > address ? last : NULL;
}

/* A look-up under way. */
struct search {
	nt_time time;
	const struct nt_range *found; /* newest that had begun and not ended; may be a hole */
	uint64_t rank;                /* of `found` */
	const struct nt_range *next;  /* first that begins later */
	nt_time valid_from, valid_to;
	struct nt_extent extent;
};

static bool is_newer(const struct search *search, const struct nt_range *range, uint64_t rank)
{
	return !search->found || search->found->from < range->from || (search->found->from == range->from && search->rank < rank);
}

/* Consider what covered the address from range->from until `to`. */
static void consider(struct search *search, const struct nt_range *range, nt_time to, uint64_t rank)
{
	if (range->from > search->time) {
		if (range->from < search->valid_to)
			search->valid_to = range->from;
		if (!nt_range_is_hole(range) && (!search->next || range->from < search->next->from))
			search->next = range;
	} else if (to <= search->time) {
		if (to > search->valid_from)
			search->valid_from = to;
	} else if (is_newer(search, range, rank)) {
		search->found = range;
		search->rank = rank;
		if (range->from > search->valid_from)
			search->valid_from = range->from;
		if (to < search->valid_to)
			search->valid_to = to;
	}
}

static void search_old(const struct nt_ranges *ranges, uint64_t address, struct search *search)
{
	size_t next = nt_starts_up_to(ranges->old, ranges->old_count, sizeof(*ranges->old), address);
	size_t stop = next > LOOK_BACK ? next - LOOK_BACK : 0, i = next;
	if (next < ranges->old_count)
		nt_extent_cut(&search->extent, address, ranges->old[next].range.start, UINT64_MAX);
	for (; i > stop && address - ranges->old[i - 1].range.start < ranges->old_longest; i--) {
		const struct nt_range_old *old = &ranges->old[i - 1];
		nt_extent_cut(&search->extent, address, old->range.start, old->range.end);
		if (old->range.end > address)
			consider(search, &old->range, old->to, old->rank);
	}
	if (i) { /* how far those before may reach */
		uint64_t before = address - ranges->old[i - 1].range.start;
		nt_extent_cut(&search->extent, address, 0,
			      before < ranges->old_longest ? address : address - (before - ranges->old_longest));
	}
}

struct nt_range_hit nt_ranges_find(const struct nt_ranges *ranges, uint64_t address, nt_time time)
{
	struct search search = { .time = time, .valid_to = NT_TIME_UNKNOWN, .extent = NT_EXTENT_ALL };
	const struct nt_range *small = covering(&ranges->small, address, &search.extent), *large = NULL;
	if (small)
		consider(&search, small, NT_TIME_UNKNOWN, 0);
	if (!search.found)
		large = covering(&ranges->large, address, &search.extent);
	if (large && !small)
		consider(&search, large, NT_TIME_UNKNOWN, 0);
	if (!search.found) { /* before the newest began */
		if (small && large)
			consider(&search, large, small->from, 0);
		search_old(ranges, address, &search);
	}
	const struct nt_plain *plain = search.found ? NULL : nt_plain_covering(&ranges->plain, address, &search.extent);
	struct nt_range lowest;
	if (plain) { /* before anything else began */
		lowest = nt_plain_range(&ranges->plain, plain);
		consider(&search, &lowest, NT_TIME_UNKNOWN, 0);
	}
	if (!search.found || nt_range_is_hole(search.found))
		search.found = search.next;
	struct nt_range_hit hit = {
		.found = search.found, .valid_from = search.valid_from, .valid_to = search.valid_to, .extent = search.extent
	};
	if (hit.found)
		hit.range = *search.found;
	return hit;
}

size_t nt_ranges_count(const struct nt_ranges *ranges)
{
	return ranges->large.count + ranges->small.count + ranges->plain.count;
}

static void each_of(struct nt_range_list *list, void (*visit)(struct nt_range *range, void *context), void *context)
{
	for (size_t i = 0; i < list->count; i++)
		if (!nt_range_is_hole(&list->items[i]))
			visit(&list->items[i], context);
}

void nt_ranges_each(struct nt_ranges *ranges, void (*visit)(struct nt_range *range, void *context), void *context)
{
	each_of(&ranges->large, visit, context);
	each_of(&ranges->small, visit, context);
	each_of(&ranges->pending, visit, context);
	const struct nt_group *groups = ranges->plain.groups.items;
	for (size_t i = 0; i < ranges->plain.settled_count; i++) {
		if (groups[nt_plain_group(&ranges->plain.items[i])].b)
			continue; /* of half a million lines most have their text in a file */
		struct nt_range range = nt_plain_range(&ranges->plain, &ranges->plain.items[i]);
		visit(&range, context);
		ranges->plain.items[i].a = range.a;
	}
	for (size_t i = 0; i < ranges->old_count; i++)
		if (!nt_range_is_hole(&ranges->old[i].range))
			visit(&ranges->old[i].range, context);
}

static void look_at(const struct nt_range_list *list, void (*visit)(const struct nt_range *range, void *context), void *context)
{
	for (size_t i = 0; i < list->count; i++)
		if (!nt_range_is_hole(&list->items[i]))
			visit(&list->items[i], context);
}

void nt_ranges_look(const struct nt_ranges *ranges, void (*visit)(const struct nt_range *range, void *context), void *context)
{
	look_at(&ranges->large, visit, context);
	look_at(&ranges->small, visit, context);
	look_at(&ranges->pending, visit, context);
	for (size_t i = 0; i < ranges->plain.count; i++) {
		const struct nt_plain *plain = &ranges->plain.items[i];
		struct nt_range range = { .a = plain->a, .b = ranges->plain.b }; /* of one that is not settled nobody knows more */
		if (i < ranges->plain.settled_count)
			range = nt_plain_range(&ranges->plain, plain);
		visit(&range, context);
	}
	for (size_t i = 0; i < ranges->old_count; i++)
		if (!nt_range_is_hole(&ranges->old[i].range))
			visit(&ranges->old[i].range, context);
}
