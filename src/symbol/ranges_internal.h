/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by ranges.c (what users call) and what it is made of: settle_plain.c, sweep.c (how lists are merged), pack.c, ranges_old.c. */
#ifndef NT_SYMBOL_RANGES_INTERNAL_H
#define NT_SYMBOL_RANGES_INTERNAL_H

#include "symbol/range_list.h"
#include "symbol/ranges.h"

enum {
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
