/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plain ranges: the lines of a large perf map as it is found at the start, all of one file and valid since ever. Of half a million of them few are ever
 * looked up, and memory is what they cost most: 16 bytes each, where a full range has 40.
 */
#ifndef NT_SYMBOL_PLAIN_H
#define NT_SYMBOL_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `a` of a plain range is between 0 and this, so that an order of arrival can be made of it. */
enum { NT_PLAIN_A_LIMIT = 1 << 30 };

struct nt_plain {
	uint64_t start;
	uint32_t size, a;
};

struct nt_plain_list {
	struct nt_plain *items; /* owned; settled ones sorted by start and disjoint, new ones behind them as they came */
	size_t count, capacity, settled_count;
	uint32_t b;                 /* of all of them */
	uint32_t last_a, settled_a; /* of the last one that was added, and that was settled */
};

/* Add one, if it can be plain: rising `a`, the same `b`, a size of 32 bits. */
bool nt_plain_add(struct nt_plain_list *list, uint64_t start, uint64_t size, uint32_t a, uint32_t b);

/* Are there some that are not settled? */
static inline bool nt_plain_has_new(const struct nt_plain_list *list)
{
	return list->last_a != list->settled_a;
}

/* The one that covers `address`; NULL: none, or it is not settled. */
const struct nt_plain *nt_plain_covering(const struct nt_plain_list *list, uint64_t address);

#endif
