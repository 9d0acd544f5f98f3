// SPDX-License-Identifier: GPL-2.0-only
/* New plain ranges become findable: they are sorted in among the others, and those that overlap anything become full ones. */
#include "base/alloc.h"
#include "base/radix_sort.h"
#include "symbol/ranges_internal.h"

/* By address; of two with the same the one that came first stays first. */
static void sort(struct nt_plain_list *list)
{
	if (!list->unsorted)
		return;
	void *items = list->items;
	list->unsorted = false;
	nt_radix_sort(&items, list->count, sizeof(*list->items), NT_PLAIN_GROUP_BITS);
	if (items != list->items)
		list->capacity = list->count;
	list->items = items;
}

/* A sorted list, walked along with the plain ranges. */
struct walk {
	const struct nt_range_list *list;
	size_t count, next; /* of the list's items */
	uint64_t end;       /* of those before `next` */
};

/* All lists above the plain ranges. */
struct above {
	struct walk walks[3];
	uint64_t free_until; /* nothing lies from the last start on up to here */
};

static struct above lists_above(const struct nt_ranges *ranges)
{
	return (struct above){ .walks = { { .list = &ranges->large, .count = ranges->large.count },
					  { .list = &ranges->small, .count = ranges->small.count },
					  { .list = &ranges->pending, .count = ranges->pending.count } } };
}

/* Does anything lie in [start, end)? `start` rises from call to call. Says yes in some cases of plain ranges that overlap each other. */
static bool meets(struct above *above, uint64_t start, uint64_t end)
{
	if (end <= above->free_until)
		return false;
	bool met = false;
	uint64_t next = UINT64_MAX;
	for (struct walk *walk = above->walks; walk < above->walks + sizeof(above->walks) / sizeof(*walk); walk++) {
		const struct nt_range *items = walk->list->items;
		for (; walk->next < walk->count && items[walk->next].start < end; walk->next++)
			if (items[walk->next].end > walk->end)
				walk->end = items[walk->next].end;
		met |= walk->end > start;
		if (walk->next < walk->count && items[walk->next].start < next)
			next = items[walk->next].start;
	}
	above->free_until = met ? 0 : next;
	return met;
}

/* It becomes a full range, in the order in which it came. */
static void move_up(struct nt_ranges *ranges, const struct nt_plain *plain)
{
	struct nt_range *range = nt_range_list_push(&ranges->pending);
	*range = (struct nt_range){ .start = nt_plain_start(plain), .end = nt_plain_end(plain), .a = plain->a, .b = ranges->plain.b };
	range->order = (uint32_t)ranges->before_plain + NT_ORDER_PENDING + plain->a;
}

void nt_ranges_settle_plain(struct nt_ranges *ranges)
{
	struct nt_plain_list *list = &ranges->plain;
	if (!nt_plain_has_new(list))
		return;
	sort(list);
	struct above above = lists_above(ranges);
	size_t kept = 0, pending_count = ranges->pending.count;
	uint32_t group = nt_groups_intern(&list->groups, &(struct nt_group){ .b = list->b }, NT_GROUP_LIMIT);
	uint64_t end = 0; /* of all plain ones before this one */
	for (size_t i = 0; i < list->count; i++) {
		const struct nt_plain plain = list->items[i];
		uint64_t start = nt_plain_start(&plain), plain_end = nt_plain_end(&plain);
		bool is_new = nt_plain_group(&plain) == NT_GROUP_NONE;
		bool overlaps = start < end || (i + 1 < list->count && nt_plain_start(&list->items[i + 1]) < plain_end);
		overlaps |= meets(&above, start, plain_end);
		if (overlaps && is_new)
			move_up(ranges, &plain);
		else
			list->items[kept++] = (struct nt_plain){ is_new ? nt_plain_place(start, group) : plain.place, plain.size, plain.a };
		end = plain_end > end ? plain_end : end;
	}
	list->count = list->settled_count = kept;
	list->settled_offset = list->last_offset;
	nt_plain_make_guide(list);
	nt_range_list_sort(&ranges->pending, pending_count);
}
