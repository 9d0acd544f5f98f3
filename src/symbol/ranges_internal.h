/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by ranges.c (what users call) and sweep.c (how lists are merged). */
#ifndef NT_SYMBOL_RANGES_INTERNAL_H
#define NT_SYMBOL_RANGES_INTERNAL_H

#include "symbol/ranges.h"

enum {
	NT_RANGES_LIMIT = 4 << 20,     /* entries of a table */
	NT_RANGES_OLD_LIMIT = 1 << 13, /* replaced ones that are kept, where its user says nothing else */
};

/* `c` of an entry that says "nothing here any more". */
#define NT_RANGE_HOLE UINT32_MAX

/* `order` of what a settle lays over each other: the lists, then what is pending as it came. */
enum { NT_ORDER_LARGE, NT_ORDER_SMALL, NT_ORDER_PENDING };

struct nt_range_old {
	struct nt_range range;
	nt_time to;
	uint64_t rank; /* of arrival: of two that began at the same time the one of higher rank holds; above 0 */
};

static inline bool nt_range_is_hole(const struct nt_range *range)
{
	return range->c == NT_RANGE_HOLE;
}

/* Sort by (start, order). From index `ascending` on it is in order already. */
void nt_range_list_sort(struct nt_range_list *list, size_t ascending);

/* Make room for `need` items of `size` bytes. */
void *nt_ranges_grow(void *items, size_t *capacity, size_t need, size_t size);

/* Append without any check: the new item, to be filled in place, because a map has so many that copying them shows. */
static inline struct nt_range *nt_range_list_push(struct nt_range_list *list)
{
	if (list->count == list->capacity)
		list->items = nt_ranges_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	return &list->items[list->count++];
}

/*
 * Make new plain ranges findable. Those that overlap anything become full ranges and pending: what replaces what is decided there. `pending` is sorted, and
 * is so again.
 */
void nt_ranges_settle_plain(struct nt_ranges *ranges);

/*
 * Lay `later` (sorted, may overlap itself, each item with an order above that of `base`) over `base` (sorted, disjoint). `base` becomes the result; `later` is
 * emptied. What is covered goes to ranges->old. Holes stay in the result only when keep_holes.
 */
void nt_ranges_sweep(struct nt_ranges *ranges, struct nt_range_list *base, struct nt_range_list *later, bool keep_holes);

/* Let settled entries of the large list become plain ones. */
void nt_ranges_pack(struct nt_ranges *ranges, nt_time now);

/* Forget what was replaced before `now` - 30 s, sooner where there are more than NT_RANGES_OLD_LIMIT, and put the rest in order: the first `sorted` of them are, and the others came since. */
void nt_ranges_forget_old(struct nt_ranges *ranges, nt_time now, size_t sorted);

#endif
