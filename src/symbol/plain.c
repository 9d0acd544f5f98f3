// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/plain.h"

#include "base/alloc.h"
#include "base/starts.h"
#include "symbol/range_list.h"

#include <stdlib.h>

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
	list->items = nt_range_list_grow(list->items, &list->capacity, list->count + count, sizeof(*list->items));
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

void nt_plain_make_guide(struct nt_plain_list *list)
{
	list->guide_count = (list->settled_count + NT_PLAIN_STRIDE - 1) / NT_PLAIN_STRIDE;
	list->guide = nt_grow(list->guide, &list->guide_capacity, list->guide_count, sizeof(*list->guide));
	for (size_t i = 0; i < list->guide_count; i++)
		list->guide[i] = list->items[i * NT_PLAIN_STRIDE].place;
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
