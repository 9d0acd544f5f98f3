/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plain ranges: the bulk of the generated code, 16 bytes each, where a full range has 40. Of half a million of them few are ever looked up, and memory is what
 * they cost most. What they share with others is in a table of groups.
 */
#ifndef NT_SYMBOL_PLAIN_H
#define NT_SYMBOL_PLAIN_H

#include "nettop/event.h"
#include "symbol/addresses.h"
#include "symbol/groups.h"

/* The offset of a new plain range, its `a`, is between 0 and this, so that an order of arrival can be made of it. */
enum { NT_PLAIN_OFFSET_LIMIT = 1 << 30, NT_PLAIN_STRIDE = 16, NT_PLAIN_GROUP_BITS = 16 };

/* Code of a user's program lies below. */
#define NT_PLAIN_ADDRESS_LIMIT (UINT64_C(1) << (64 - NT_PLAIN_GROUP_BITS))

struct nt_plain {
	uint64_t place; /* start << 16 | number of its group; NT_GROUP_NONE: it is new */
	uint32_t size, a;
};

struct nt_plain_list {
	struct nt_plain *items; /* owned; settled ones sorted by start and disjoint, new ones behind them as they came */
	size_t count, capacity, settled_count;
	struct nt_groups groups; /* of the settled ones */
	/*
	 * Places of each NT_PLAIN_STRIDE-th settled one, owned: a look-up begins in this little memory, which stays in the cache, and only its last steps are in
	 * the items.
	 */
	uint64_t *guide;
	size_t guide_count, guide_capacity;
	bool unsorted;                        /* the new ones came in another order */
	uint32_t b;                           /* of all new ones */
	uint32_t last_offset, settled_offset; /* of the last one that was added, and that was settled */
};

void nt_plain_fini(struct nt_plain_list *list);

/* Add the first of `places` that can be plain: rising offsets, the same `b`, an end below the limit. Returns how many. */
size_t nt_plain_add(struct nt_plain_list *list, const struct nt_batch_place *places, size_t count, uint32_t b);

/* Are there some that are not settled? */
static inline bool nt_plain_has_new(const struct nt_plain_list *list)
{
	return list->last_offset != list->settled_offset;
}

static inline uint64_t nt_plain_start(const struct nt_plain *plain)
{
	return plain->place >> NT_PLAIN_GROUP_BITS;
}

static inline uint64_t nt_plain_end(const struct nt_plain *plain)
{
	return nt_plain_start(plain) + plain->size;
}

static inline uint32_t nt_plain_group(const struct nt_plain *plain)
{
	return plain->place & NT_GROUP_NONE;
}

static inline uint64_t nt_plain_place(uint64_t start, uint32_t group)
{
	return start << NT_PLAIN_GROUP_BITS | group;
}

/* A settled one as a full range. */
struct nt_range nt_plain_range(const struct nt_plain_list *list, const struct nt_plain *plain);

/* The one that covers `address`; NULL: none, or it is not settled. `extent` is cut to where that is so. */
const struct nt_plain *nt_plain_covering(const struct nt_plain_list *list, uint64_t address, struct nt_extent *extent);

/* The settled items have changed. */
void nt_plain_make_guide(struct nt_plain_list *list);

#endif
