// SPDX-License-Identifier: GPL-2.0-only
/*
 * Full ranges become plain ones: those that lie over nothing at once, if they share their time with others; the rest when nobody can ask any more for what was before
 * them. Then what they cover goes, and their times need not be exact. A walk over both lists, both sorted and disjoint.
 */
#include "base/alloc.h"
#include "symbol/ranges_internal.h"

#include <stdlib.h>

/* What becomes of a full range: in its `order`, or there is the number of its group as a plain one. */
enum fate { BECOMES_PLAIN, STAYS = NT_GROUP_NONE, GOES };

/* Times of ranges that are not final: so many new ones in a walk, because each of METHOD_LOAD is another. */
enum { EXACT_TIMES = 64 };

struct packing {
	const struct nt_ranges *ranges;
	struct nt_plain_list *list;
	nt_time oldest;        /* earlier than that is not asked for */
	size_t group_limit;    /* for times that are kept exactly */
	struct nt_plain *next; /* the first plain range that ends behind the full one */
	size_t moving;         /* full ranges that become plain */
	bool emptied;          /* nothing is left of some plain range */
};

static struct nt_plain *end_of(const struct nt_plain_list *list)
{
	return list->items + list->settled_count;
}

/* Those that are used by nobody, or whose times have become the same. */
static void join_groups(const struct packing *packing)
{
	struct nt_plain_list *list = packing->list;
	if (!nt_groups_crowded(&list->groups))
		return;
	bool *used = nt_alloc(list->groups.count * sizeof(*used));
	for (struct nt_plain *plain = list->items; plain < end_of(list); plain++)
		used[nt_plain_group(plain)] = true;
	uint16_t *number = nt_groups_join(&list->groups, used, packing->oldest);
	for (struct nt_plain *plain = list->items; plain < end_of(list); plain++)
		plain->place = nt_plain_place(nt_plain_start(plain), number[nt_plain_group(plain)]);
	free(number);
	free(used);
}

/* The group of a range that is to become plain. */
static uint32_t group_of(const struct packing *packing, const struct nt_range *range)
{
	struct nt_groups *groups = &packing->list->groups;
	bool final = range->from <= packing->oldest;
	const struct nt_group group = { .from = nt_groups_time(groups, range->from, packing->oldest), .b = range->b, .c = range->c };
	return nt_groups_intern(groups, &group, final ? NT_GROUP_LIMIT : packing->group_limit);
}

/* Take [start, end) away from the plain ranges, none of which reaches beyond both ends. */
static void cut_out(struct packing *packing, uint64_t start, uint64_t end)
{
	for (struct nt_plain *plain = packing->next; plain < end_of(packing->list) && nt_plain_start(plain) < end; plain++) {
		uint64_t plain_start = nt_plain_start(plain), plain_end = nt_plain_end(plain);
		uint64_t kept_start = plain_start < start ? plain_start : end, kept_end = plain_start < start ? start : plain_end;
		plain->size = kept_end > kept_start ? (uint32_t)(kept_end - kept_start) : 0;
		if (plain->size)
			plain->place = nt_plain_place(kept_start, nt_plain_group(plain));
		else
			packing->emptied = true;
	}
}

/* Does it say what the plain range below it says? That one has its time, then. */
static bool repeats(const struct packing *packing, const struct nt_range *range)
{
	const struct nt_range below = nt_plain_range(packing->list, packing->next);
	return below.start == range->start && below.end == range->end && packing->ranges->same(&below, range, packing->ranges->context);
}

static enum fate fate_of(struct packing *packing, const struct nt_range *range)
{
	while (packing->next < end_of(packing->list) && nt_plain_end(packing->next) <= range->start)
		packing->next++;
	const struct nt_plain *below = packing->next;
	bool covers = below < end_of(packing->list) && nt_plain_start(below) < range->end;
	bool final = range->from <= packing->oldest, is_hole = nt_range_is_hole(range);
	if (!final && (covers || is_hole))
		return STAYS;
	if (covers && nt_plain_start(below) < range->start && nt_plain_end(below) > range->end)
		return STAYS; /* the plain one would be two */
	if (is_hole || (covers && repeats(packing, range)))
		return GOES;
	return range->end <= NT_PLAIN_ADDRESS_LIMIT && range->end - range->start <= UINT32_MAX ? BECOMES_PLAIN : STAYS;
}

/* Decide on each full range, and cut the plain ones that they replace. */
static void decide(struct packing *packing, struct nt_range_list *full)
{
	for (struct nt_range *range = full->items; range < full->items + full->count; range++) {
		enum fate fate = fate_of(packing, range);
		range->order = fate == BECOMES_PLAIN ? group_of(packing, range) : fate;
		packing->moving += range->order < STAYS;
		if (range->order < STAYS || (range->order == GOES && nt_range_is_hole(range)))
			cut_out(packing, range->start, range->end);
	}
}

static void drop_empty(struct nt_plain_list *list)
{
	size_t kept = 0;
	for (size_t i = 0; i < list->settled_count; i++)
		if (list->items[i].size)
			list->items[kept++] = list->items[i];
	list->settled_count = kept;
}

/* Merge those that become plain into the others, from the end, so that no second copy is needed. */
static void move_down(struct packing *packing, const struct nt_range_list *full)
{
	struct nt_plain_list *list = packing->list;
	size_t left = list->settled_count;
	list->count = list->settled_count = left + packing->moving;
	list->items = nt_range_list_grow(list->items, &list->capacity, list->count, sizeof(*list->items));
	struct nt_plain *out = end_of(list);
	for (const struct nt_range *range = full->items + full->count; range-- > full->items;) {
		if (range->order >= STAYS)
			continue;
		while (left && nt_plain_start(&list->items[left - 1]) > range->start)
			*--out = list->items[--left];
		*--out = (struct nt_plain){ nt_plain_place(range->start, range->order), (uint32_t)(range->end - range->start), range->a };
	}
	nt_plain_make_guide(list);
}

static void keep_the_rest(struct nt_range_list *full)
{
	size_t kept = 0;
	for (size_t i = 0; i < full->count; i++) {
		if (full->items[i].order != STAYS)
			continue;
		full->items[kept] = full->items[i];
		full->items[kept++].order = 0;
	}
	full->count = kept;
	if (kept) {
		full->items = nt_realloc(full->items, kept, sizeof(*full->items));
		full->capacity = kept;
	} else {
		free(full->items);
		*full = (struct nt_range_list){ 0 };
	}
}

void nt_ranges_pack(struct nt_ranges *ranges, nt_time now)
{
	struct packing packing = { .ranges = ranges,
				   .list = &ranges->plain,
				   .oldest = now > NT_RANGES_KEEP_NS ? now - NT_RANGES_KEEP_NS : 0 };
	join_groups(&packing);
	size_t groups = ranges->plain.groups.count + EXACT_TIMES;
	packing.group_limit = groups < NT_GROUP_LIMIT / 2 ? groups : NT_GROUP_LIMIT / 2;
	packing.next = ranges->plain.items;
	decide(&packing, &ranges->large);
	if (packing.emptied)
		drop_empty(&ranges->plain);
	move_down(&packing, &ranges->large);
	keep_the_rest(&ranges->large);
}
