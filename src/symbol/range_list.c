// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/range_list.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_ENTRIES = 1 << 14 };

/*
 * A list that has become large gets room for all that there may be, once: address space, which becomes memory as it is filled. In pages of the usual
 * size: large ones cost a tenth of that or five times as much, as the machine happens to have some at hand.
 */
void *nt_range_list_grow(void *items, size_t *capacity, size_t need, size_t size)
{
	bool large = need > LARGE_ENTRIES && need <= NT_RANGES_LIMIT;
	return nt_grow(items, capacity, large ? NT_RANGES_LIMIT : need, size);
}

/* ---- sorting ---- */

/*
 * In place, because a second copy of a large map's entries is not worth its memory: by the highest byte in which entries differ ("American flag"
 * sort), then each part by the bytes below. The last bytes are those of the order of arrival, so no two entries are equal.
 */
enum { KEY_BYTES = sizeof(uint64_t) + sizeof(uint32_t), BYTE_VALUES = 256, FEW = 24, ASCENDING_PART = 8 };

static bool comes_before(const struct nt_range *a, const struct nt_range *b)
{
	return a->start != b->start ? a->start < b->start : a->order < b->order;
}

/* Byte `level` of (start, order), the highest first. */
static unsigned key_byte(const struct nt_range *range, unsigned level)
{
	return level < sizeof(range->start) ? range->start >> (56 - 8 * level) & 0xff
					    : range->order >> (8 * (KEY_BYTES - 1 - level)) & 0xff;
}

static void sort_few(struct nt_range *items, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct nt_range item = items[i];
		size_t place = i;
		for (; place && comes_before(&item, &items[place - 1]); place--)
			items[place] = items[place - 1];
		items[place] = item;
	}
}

/* Bring the items into the order of one byte; ends[b] becomes the end of those with byte b. */
static void deal(struct nt_range *items, size_t count, unsigned level, size_t ends[BYTE_VALUES])
{
	size_t next[BYTE_VALUES];
	memset(ends, 0, BYTE_VALUES * sizeof(*ends));
	for (size_t i = 0; i < count; i++)
		ends[key_byte(&items[i], level)]++;
	for (size_t b = 0, sum = 0; b < BYTE_VALUES; b++) {
		next[b] = sum;
		sum += ends[b];
		ends[b] = sum;
	}
	for (size_t b = 0; b < BYTE_VALUES; b++) {
		while (next[b] < ends[b]) {
			if (key_byte(&items[next[b]], level) == b) {
				next[b]++;
				continue;
			}
			struct nt_range item = items[next[b]];
			for (unsigned home; (home = key_byte(&item, level)) != b;) {
				struct nt_range other = items[next[home]];
				items[next[home]++] = item;
				item = other;
			}
			items[next[b]++] = item;
		}
	}
}

/* Are they in order? If not, *level becomes the first byte from there on in which not all are the same. */
static bool is_sorted(const struct nt_range *items, size_t count, unsigned *level)
{
	uint64_t differing = 0;
	bool sorted = true;
	for (size_t i = 1; i < count; i++) {
		differing |= items[i].start ^ items[0].start;
		sorted = sorted && !comes_before(&items[i], &items[i - 1]);
	}
	if (differing)
		*level = (unsigned)__builtin_clzll(differing) / 8;
	else if (*level < sizeof(differing))
		*level = sizeof(differing);
	return sorted;
}

static void sort(struct nt_range *items, size_t count, unsigned level)
{
	if (count <= FEW) {
		sort_few(items, count);
		return;
	}
	if (is_sorted(items, count, &level))
		return;
	size_t ends[BYTE_VALUES];
	deal(items, count, level, ends);
	for (size_t b = 0, start = 0; b < BYTE_VALUES; start = ends[b++])
		if (ends[b] - start > 1)
			sort(items + start, ends[b] - start, level + 1);
}

/* Merge two sorted parts; the first one is copied. */
static void merge(struct nt_range *items, size_t first_count, size_t count)
{
	struct nt_range *first = nt_realloc(NULL, first_count, sizeof(*first));
	memcpy(first, items, first_count * sizeof(*first));
	size_t f = 0, rest = first_count;
	for (struct nt_range *out = items; f < first_count; out++)
		*out = rest < count && comes_before(&items[rest], &first[f]) ? items[rest++] : first[f++];
	free(first);
}

void nt_range_list_sort(struct nt_range_list *list, size_t ascending)
{
	if (ascending > list->count / ASCENDING_PART) {
		sort(list->items, list->count, 0);
	} else if (ascending) { /* a JIT hands out addresses upwards, for a while */
		sort(list->items, ascending, 0);
		merge(list->items, ascending, list->count);
	}
}
