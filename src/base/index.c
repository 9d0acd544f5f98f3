// SPDX-License-Identifier: GPL-2.0-only
#include "base/index.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "nettop/status.h"

#include <stdlib.h>

enum { FIRST_SIZE = 64 };

void nt_index_fini(struct nt_index *index)
{
	free(index->slots);
	*index = (struct nt_index){ 0 };
}

static size_t home_of(const struct nt_index *index, uint64_t key)
{
	return nt_hash_number(key) & (index->size - 1);
}

static struct nt_index_slot *slot_of(const struct nt_index *index, uint64_t key)
{
	for (size_t i = home_of(index, key);; i = (i + 1) & (index->size - 1)) {
		struct nt_index_slot *slot = &index->slots[i];
		if (slot->value == NT_INDEX_NONE || slot->key == key)
			return slot;
	}
}

uint32_t nt_index_get(const struct nt_index *index, uint64_t key)
{
	return index->size ? slot_of(index, key)->value : NT_INDEX_NONE;
}

static void grow(struct nt_index *index)
{
	struct nt_index grown = { .size = index->size ? index->size * 2 : FIRST_SIZE, .used = index->used };
	grown.slots = nt_realloc(NULL, grown.size, sizeof(*grown.slots));
	for (size_t i = 0; i < grown.size; i++)
		grown.slots[i] = (struct nt_index_slot){ .value = NT_INDEX_NONE };
	for (size_t i = 0; i < index->size; i++)
		if (index->slots[i].value != NT_INDEX_NONE)
			*slot_of(&grown, index->slots[i].key) = index->slots[i];
	free(index->slots);
	*index = grown;
}

void nt_index_put(struct nt_index *index, uint64_t key, uint32_t value)
{
	nt_assert(value != NT_INDEX_NONE);
	if (index->used * 4 >= index->size * 3)
		grow(index);
	struct nt_index_slot *slot = slot_of(index, key);
	if (slot->value == NT_INDEX_NONE)
		index->used++;
	*slot = (struct nt_index_slot){ .key = key, .value = value };
}

void nt_index_remove(struct nt_index *index, uint64_t key)
{
	if (!index->size)
		return;
	struct nt_index_slot *hole = slot_of(index, key);
	if (hole->value == NT_INDEX_NONE)
		return;
	index->used--;
	/* Close the gap: a later slot of the same run moves up unless its home lies behind the hole. */
	size_t mask = index->size - 1;
	size_t gap = (size_t)(hole - index->slots);
	for (size_t i = (gap + 1) & mask; index->slots[i].value != NT_INDEX_NONE; i = (i + 1) & mask) {
		size_t home = home_of(index, index->slots[i].key);
		if (((i - home) & mask) >= ((i - gap) & mask)) {
			index->slots[gap] = index->slots[i];
			gap = i;
		}
	}
	index->slots[gap] = (struct nt_index_slot){ .value = NT_INDEX_NONE };
}
