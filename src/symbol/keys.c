// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/keys.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>

void nt_keys_init(struct nt_keys *keys)
{
	*keys = (struct nt_keys){ .free = NT_INDEX_NONE };
	keys->items = nt_grow(NULL, &keys->capacity, 1, sizeof(*keys->items));
	keys->items[keys->count++] = (struct nt_key){
		.name = "(other methods)",
		.reason = nt_naming_entry(NT_NAMING_TOO_MANY)->words,
		.naming = NT_NAMING_TOO_MANY,
		.kind = NT_CODE_UNKNOWN,
		.id = ++keys->made,
		.next = NT_INDEX_NONE,
	};
	keys->used = 1;
}

void nt_keys_fini(struct nt_keys *keys)
{
	free(keys->items);
	nt_index_fini(&keys->index);
	*keys = (struct nt_keys){ 0 };
}

static uint64_t hash_of(const struct nt_key *key)
{
	/* Addresses only spread the keys; nothing that is shown depends on them. */
	uint64_t h = nt_hash_mix((uint64_t)(uintptr_t)key->name);
	h = nt_hash_mix(h ^ (uint64_t)(uintptr_t)key->module);
	h = nt_hash_mix(h ^ (uint64_t)(uintptr_t)key->reason);
	return nt_hash_mix(h ^ (uint64_t)key->kind ^ (uint64_t)key->naming << 8);
}

uint32_t nt_keys_intern(struct nt_keys *keys, const struct nt_key *key)
{
	uint64_t hash = hash_of(key);
	uint32_t first = nt_index_get(&keys->index, hash);
	for (uint32_t i = first; i != NT_INDEX_NONE; i = keys->items[i].next) {
		const struct nt_key *item = &keys->items[i];
		if (item->name == key->name && item->module == key->module && item->reason == key->reason && item->kind == key->kind &&
		    item->naming == key->naming)
			return i;
	}
	if (keys->used >= NT_KEY_LIMIT)
		return NT_KEY_OTHER;
	uint32_t number = keys->free;
	if (number != NT_INDEX_NONE) {
		keys->free = keys->items[number].next;
	} else {
		keys->items = nt_grow(keys->items, &keys->capacity, keys->count + 1, sizeof(*keys->items));
		number = (uint32_t)keys->count++;
	}
	keys->items[number] = *key;
	keys->items[number].id = ++keys->made;
	keys->items[number].next = first;
	nt_index_put(&keys->index, hash, number);
	keys->used++;
	return number;
}

bool nt_keys_valid(const struct nt_keys *keys, uint32_t number)
{
	return number < keys->count && keys->items[number].name;
}

void nt_keys_remove(struct nt_keys *keys, uint32_t number)
{
	if (number == NT_KEY_OTHER || !nt_keys_valid(keys, number))
		return;
	struct nt_key *key = &keys->items[number];
	uint64_t hash = hash_of(key);
	uint32_t first = nt_index_get(&keys->index, hash);
	if (first == number && key->next == NT_INDEX_NONE) {
		nt_index_remove(&keys->index, hash);
	} else if (first == number) {
		nt_index_put(&keys->index, hash, key->next);
	} else {
		while (keys->items[first].next != number)
			first = keys->items[first].next;
		keys->items[first].next = key->next;
	}
	*key = (struct nt_key){ .next = keys->free };
	keys->free = number;
	keys->used--;
}

void nt_keys_each_text(const struct nt_keys *keys, nt_text_visit *visit, void *context)
{
	for (const struct nt_key *key = keys->items; key < keys->items + keys->count; key++) {
		visit(key->name, context);
		visit(key->raw_name, context);
		visit(key->module, context);
		visit(key->reason, context);
	}
}
