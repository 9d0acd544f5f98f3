/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by ranges.c (what users call) and sweep.c (how lists are merged). */
#ifndef NT_SYMBOL_RANGES_INTERNAL_H
#define NT_SYMBOL_RANGES_INTERNAL_H

#include "symbol/ranges.h"

enum { NT_RANGES_LIMIT = 4 << 20 }; /* entries of a table */

/* `c` of an entry that says "nothing here any more". */
#define NT_RANGE_HOLE UINT32_MAX

struct nt_range_old {
	struct nt_range range;
	nt_time to;
};

static inline bool nt_range_is_hole(const struct nt_range *range)
{
	return range->c == NT_RANGE_HOLE;
}

/* Sort by (start, order). From index `ascending` on it is in order already. */
void nt_range_list_sort(struct nt_range_list *list, size_t ascending);

/* Make room for at least one more. */
void nt_range_list_grow(struct nt_range_list *list);

/* Append without any check: the new item, to be filled in place, because a map has so many that copying them shows. */
static inline struct nt_range *nt_range_list_push(struct nt_range_list *list)
{
	if (list->count == list->capacity)
		nt_range_list_grow(list);
	return &list->items[list->count++];
}

/*
 * Lay `later` (sorted, may overlap itself, each item with an order > 0) over `base` (sorted, disjoint). `base` becomes the result; `later` is
 * emptied. What is covered goes to ranges->old. Holes stay in the result only when keep_holes.
 */
void nt_ranges_sweep(struct nt_ranges *ranges, struct nt_range_list *base, struct nt_range_list *later, bool keep_holes);

#endif
