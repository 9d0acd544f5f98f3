// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/groups.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>

#define FIRST_GRAIN NT_NS_PER_S
enum { FIRST_CROWDED = 256, MANY = NT_GROUP_LIMIT / 2 };

void nt_groups_fini(struct nt_groups *groups)
{
	free(groups->items);
	nt_index_fini(&groups->index);
	*groups = (struct nt_groups){ 0 };
}

static uint64_t hash_of(const struct nt_group *group)
{
	return nt_hash_mix(nt_hash_number(group->from) ^ ((uint64_t)group->b << 32 | group->c));
}

uint32_t nt_groups_intern(struct nt_groups *groups, const struct nt_group *group, size_t limit)
{
	uint64_t hash = hash_of(group);
	uint32_t number = nt_index_get(&groups->index, hash);
	if (number != NT_INDEX_NONE) {
		const struct nt_group *found = &groups->items[number];
		if (found->from == group->from && found->b == group->b && found->c == group->c)
			return number;
	}
	if (groups->count >= limit)
		return NT_GROUP_NONE;
	number = (uint32_t)groups->count++;
	groups->items = nt_grow(groups->items, &groups->capacity, groups->count, sizeof(*groups->items));
	groups->items[number] = *group;
	nt_index_put(&groups->index, hash, number); /* of two with one hash the newer is found: the other stays as it is */
	return number;
}

nt_time nt_groups_time(const struct nt_groups *groups, nt_time from, nt_time oldest)
{
	nt_time grain = groups->grain ? groups->grain : FIRST_GRAIN;
	return from > oldest ? from : from - from % grain;
}

bool nt_groups_crowded(const struct nt_groups *groups)
{
	return groups->count >= (groups->crowded ? groups->crowded : FIRST_CROWDED);
}

uint16_t *nt_groups_join(struct nt_groups *groups, const bool *used, nt_time oldest)
{
	struct nt_groups joined = { .grain = groups->grain };
	uint16_t *number = nt_realloc(NULL, groups->count, sizeof(*number));
	for (size_t i = 0; i < groups->count; i++) {
		struct nt_group group = groups->items[i];
		group.from = nt_groups_time(groups, group.from, oldest);
		number[i] = used[i] ? (uint16_t)nt_groups_intern(&joined, &group, NT_GROUP_LIMIT) : NT_GROUP_NONE;
	}
	joined.crowded = joined.count * 2 > FIRST_CROWDED ? joined.count * 2 : FIRST_CROWDED;
	if (joined.count > MANY) { /* hours of compilations without a pause */
		joined.grain = (groups->grain ? groups->grain : FIRST_GRAIN) * 2;
		joined.crowded = (joined.count + NT_GROUP_LIMIT) / 2;
	}
	nt_groups_fini(groups);
	*groups = joined;
	return number;
}
