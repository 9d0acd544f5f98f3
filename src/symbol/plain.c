// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/plain.h"

#include "base/alloc.h"
#include "base/starts.h"
#include "symbol/ranges_internal.h"

#include <stdlib.h>
#include <string.h>

enum { BYTE_VALUES = 256 };

void nt_plain_fini(struct nt_plain_list *list)
{
	free(list->items);
	free(list->guide);
	nt_groups_fini(&list->groups);
}

static bool can_be_plain(const struct nt_batch_place *place, uint32_t last_offset)
{
	return place->offset > last_offset && place->offset < NT_PLAIN_OFFSET_LIMIT && place->size &&
	       place->start < NT_PLAIN_ADDRESS_LIMIT && place->size <= NT_PLAIN_ADDRESS_LIMIT - place->start;
}

size_t nt_plain_add(struct nt_plain_list *list, const struct nt_batch_place *places, size_t count, uint32_t b)
{
	if (nt_plain_has_new(list) ? list->b != b
				   : nt_groups_intern(&list->groups, &(struct nt_group){ .b = b }, NT_GROUP_LIMIT) == NT_GROUP_NONE)
		return 0;
	uint64_t last_place = list->count ? list->items[list->count - 1].place : 0;
	size_t taken = 0;
	list->items = nt_ranges_grow(list->items, &list->capacity, list->count + count, sizeof(*list->items));
	struct nt_plain *items = list->items + list->count;
	nt_touch(items, count * sizeof(*items));
	for (; taken < count && can_be_plain(&places[taken], list->last_offset); taken++) {
		const struct nt_batch_place *place = &places[taken];
		items[taken] = (struct nt_plain){ nt_plain_place(place->start, NT_GROUP_NONE), place->size, place->offset };
		list->unsorted |= items[taken].place < last_place;
		last_place = items[taken].place;
		list->last_offset = place->offset;
	}
	list->count += taken;
	list->b = b;
	return taken;
}

/* ---- sorting ---- */

/* In the order of one byte of `place`; what was in order of lower bytes stays so. */
static void deal(const struct nt_plain *from, struct nt_plain *to, size_t count, unsigned shift)
{
	size_t next[BYTE_VALUES] = { 0 };
	for (size_t i = 0; i < count; i++)
		next[from[i].place >> shift & 0xff]++;
	for (size_t b = 0, sum = 0; b < BYTE_VALUES; b++) {
		size_t here = next[b];
		next[b] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		to[next[from[i].place >> shift & 0xff]++] = from[i];
}

/* By address. */
static void sort(struct nt_plain_list *list)
{
	if (!list->unsorted)
		return;
	list->unsorted = false;
	uint64_t differing = 0;
	for (size_t i = 1; i < list->count; i++)
		differing |= list->items[i].place ^ list->items[0].place;
	struct nt_plain *other = nt_realloc(NULL, list->count, sizeof(*other));
	for (unsigned shift = NT_PLAIN_GROUP_BITS; shift < 64; shift += 8) {
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

void nt_plain_make_guide(struct nt_plain_list *list)
{
	list->guide_count = (list->settled_count + NT_PLAIN_STRIDE - 1) / NT_PLAIN_STRIDE;
	list->guide = nt_grow(list->guide, &list->guide_capacity, list->guide_count, sizeof(*list->guide));
	for (size_t i = 0; i < list->guide_count; i++)
		list->guide[i] = list->items[i * NT_PLAIN_STRIDE].place;
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

struct nt_range nt_plain_range(const struct nt_plain_list *list, const struct nt_plain *plain)
{
	const struct nt_group *group = &list->groups.items[nt_plain_group(plain)];
	return (struct nt_range){
		.start = nt_plain_start(plain), .end = nt_plain_end(plain), .from = group->from, .a = plain->a, .b = group->b, .c = group->c
	};
}

const struct nt_plain *nt_plain_covering(const struct nt_plain_list *list, uint64_t address, struct nt_extent *extent)
{
	const uint64_t key = address < NT_PLAIN_ADDRESS_LIMIT ? nt_plain_place(address, NT_GROUP_NONE) : UINT64_MAX;
	size_t part = nt_starts_up_to(list->guide, list->guide_count, sizeof(*list->guide), key);
	if (!part) {
		if (list->guide_count)
			nt_extent_cut(extent, address, list->guide[0] >> NT_PLAIN_GROUP_BITS, UINT64_MAX);
		return NULL;
	}
	size_t first = (part - 1) * NT_PLAIN_STRIDE, left = list->settled_count - first;
	const struct nt_plain *items = list->items + first;
	size_t next = nt_starts_up_to(items, left < NT_PLAIN_STRIDE ? left : NT_PLAIN_STRIDE, sizeof(*items), key);
	const struct nt_plain *last = &items[next - 1];
	uint64_t start = nt_plain_start(last), end = nt_plain_end(last);
	if (next < left)
		nt_extent_cut(extent, address, nt_plain_start(last + 1), UINT64_MAX);
	nt_extent_cut(extent, address, start, end);
	return address < end ? last : NULL;
}
