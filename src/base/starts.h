/* SPDX-License-Identifier: GPL-2.0-only */
/* The search in a table of address ranges. */
#ifndef NT_BASE_STARTS_H
#define NT_BASE_STARTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * How many of `count` items of `size` bytes start at or below `address`. The first member of an item is its start, a uint64_t, by which the items are sorted.
 * So the item before the result is the last that may cover the address. Inlined: with a size that is known it is a few instructions a step.
 */
static inline size_t nt_starts_up_to(const void *items, size_t count, size_t size, uint64_t address)
{
	size_t low = 0;
	while (count) {
		size_t half = count / 2;
		uint64_t start;
		memcpy(&start, (const char *)items + (low + half) * size, sizeof(start));
		low = start <= address ? low + half + 1 : low;
		count = start <= address ? count - half - 1 : half;
	}
	return low;
}

/* The same for items whose first member is a uint32_t. */
static inline size_t nt_starts32_up_to(const void *items, size_t count, size_t size, uint64_t address)
{
	size_t low = 0;
	while (count) {
		size_t half = count / 2;
		uint32_t start;
		memcpy(&start, (const char *)items + (low + half) * size, sizeof(start));
		low = start <= address ? low + half + 1 : low;
		count = start <= address ? count - half - 1 : half;
	}
	return low;
}

#endif
