// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/plain.h"

#include "base/alloc.h"
#include "symbol/ranges_internal.h"

#include <stdlib.h>
#include <string.h>

enum { BYTE_VALUES = 256 };

bool nt_plain_add(struct nt_plain_list *list, uint64_t start, uint64_t size, uint32_t a, uint32_t b)
{
	if (size > UINT32_MAX || a <= list->last_a || a >= NT_PLAIN_A_LIMIT || (list->last_a && list->b != b))
		return false;
	if (list->count == list->capacity)
		list->items = nt_ranges_grow(list->items, &list->capacity, sizeof(*list->items));
	list->items[list->count++] = (struct nt_plain){ .start = start, .size = (uint32_t)size, .a = a };
	list->last_a = a;
	list->b = b;
	return true;
}

/* ---- sorting ---- */

/* In the order of one byte of `start`; what was in order of lower bytes stays so. */
static void deal(const struct nt_plain *from, struct nt_plain *to, size_t count, unsigned shift)
{
	size_t next[BYTE_VALUES] = { 0 };
	for (size_t i = 0; i < count; i++)
		next[from[i].start >> shift & 0xff]++;
	for (size_t b = 0, sum = 0; b < BYTE_VALUES; b++) {
		size_t here = next[b];
		next[b] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		to[next[from[i].start >> shift & 0xff]++] = from[i];
}

/* By address. */
static void sort(struct nt_plain_list *list)
{
	uint64_t differing = 0;
	bool in_order = true;
	for (size_t i = 1; i < list->count; i++) {
		differing |= list->items[i].start ^ list->items[0].start;
		in_order = in_order && list->items[i - 1].start <= list->items[i].start;
	}
	if (in_order)
		return;
	struct nt_plain *other = nt_realloc(NULL, list->count, sizeof(*other));
	for (unsigned shift = 0; shift < 64; shift += 8) {
		if (!(differing >> shift & 0xff))
			continue;
		deal(list->items, other, list->count, shift);
		struct nt_plain *dealt = other;
		other = list->items;
		list->items = dealt;
		list->capacity = list->count;
	}
	free(other);
}

/* ---- settling ---- */

/* A sorted list, walked along with the plain ranges. */
struct walk {
	const struct nt_range_list *list;
	size_t count, next; /* of the list's items */
	uint64_t end;       /* of those before `next` */
};

/* Does anything of the list lie in [start, end)? `start` rises from call to call. Says yes in some cases of plain ranges that overlap each other. */
static bool meets(struct walk *walk, uint64_t start, uint64_t end)
{
	const struct nt_range *items = walk->list->items;
	for (; walk->next < walk->count && items[walk->next].start < end; walk->next++)
		if (items[walk->next].end > walk->end)
			walk->end = items[walk->next].end;
	return walk->end > start;
}

/* It becomes a full range, in the order in which it came. */
static void move_up(struct nt_ranges *ranges, const struct nt_plain *plain)
{
	struct nt_range *range = nt_range_list_push(&ranges->pending);
	*range = (struct nt_range){ .start = plain->start, .end = plain->start + plain->size, .a = plain->a, .b = ranges->plain.b };
	range->order = (uint32_t)ranges->before_plain + NT_ORDER_PENDING + plain->a;
}

void nt_ranges_settle_plain(struct nt_ranges *ranges)
{
	struct nt_plain_list *list = &ranges->plain;
	if (!nt_plain_has_new(list))
		return;
	sort(list);
	struct walk walks[] = { { .list = &ranges->large, .count = ranges->large.count },
				{ .list = &ranges->small, .count = ranges->small.count },
				{ .list = &ranges->pending, .count = ranges->pending.count } };
	size_t kept = 0, pending_count = ranges->pending.count;
	uint64_t end = 0; /* of all plain ones before this one */
	for (size_t i = 0; i < list->count; i++) {
		const struct nt_plain plain = list->items[i];
		uint64_t plain_end = plain.start + plain.size;
		bool overlaps = plain.start < end || (i + 1 < list->count && list->items[i + 1].start < plain_end);
		for (size_t w = 0; w < sizeof(walks) / sizeof(walks[0]); w++)
			overlaps |= meets(&walks[w], plain.start, plain_end);
		if (overlaps && plain.a > list->settled_a)
			move_up(ranges, &plain);
		else
			list->items[kept++] = plain;
		end = plain_end > end ? plain_end : end;
	}
	list->count = list->settled_count = kept;
	list->settled_a = list->last_a;
	nt_range_list_sort(&ranges->pending, pending_count);
}

const struct nt_plain *nt_plain_covering(const struct nt_plain_list *list, uint64_t address)
{
	size_t low = 0, high = list->settled_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list->items[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address - list->items[low - 1].start < list->items[low - 1].size ? &list->items[low - 1] : NULL;
}
