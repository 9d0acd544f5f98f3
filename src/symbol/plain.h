/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plain ranges: the lines of a large perf map as it is found at the start, all of one file and valid since ever. Of half a million of them few are ever
 * looked up, and memory is what they cost most: 16 bytes each, where a full range has 40.
 */
#ifndef NT_SYMBOL_PLAIN_H
#define NT_SYMBOL_PLAIN_H

#include "nettop/event.h"
#include "symbol/addresses.h"

/* The offset of a plain range, its `a`, is between 0 and this, so that an order of arrival can be made of it. */
enum { NT_PLAIN_OFFSET_LIMIT = 1 << 30, NT_PLAIN_STRIDE = 16 };

struct nt_plain_list {
	struct nt_batch_place *items; /* owned; settled ones sorted by start and disjoint, new ones behind them as they came */
	size_t count, capacity, settled_count;
	/*
	 * Starts of each NT_PLAIN_STRIDE-th settled one, owned: a look-up begins in this little memory, which stays in the cache, and only its last steps are in
	 * the items.
	 */
	uint64_t *guide;
	size_t guide_count, guide_capacity;
	bool unsorted;                        /* the new ones came in another order */
	uint32_t b;                           /* of all of them */
	uint32_t last_offset, settled_offset; /* of the last one that was added, and that was settled */
};

void nt_plain_fini(struct nt_plain_list *list);

/* Add the first of `places` that can be plain: rising offsets, the same `b`, an end that does not wrap. Returns how many. */
size_t nt_plain_add(struct nt_plain_list *list, const struct nt_batch_place *places, size_t count, uint32_t b);

/* Are there some that are not settled? */
static inline bool nt_plain_has_new(const struct nt_plain_list *list)
{
	return list->last_offset != list->settled_offset;
}

/* The one that covers `address`; NULL: none, or it is not settled. `extent` is cut to where that is so. */
const struct nt_batch_place *nt_plain_covering(const struct nt_plain_list *list, uint64_t address, struct nt_extent *extent);

#endif
