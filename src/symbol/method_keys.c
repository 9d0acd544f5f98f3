// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/method_keys.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "decode/names/dynamic_name.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CHAINS = 64 };

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
	free(keys->chains);
	*keys = (struct nt_keys){ 0 };
}

bool nt_keys_valid(const struct nt_keys *keys, uint32_t number)
{
	return number < keys->count && keys->items[number].name;
}

/* ---- the chains of the same hash ---- */

static uint64_t hash_of(const struct nt_key *key)
{
	/* Addresses only spread the keys; nothing that is shown depends on them. */
	uint64_t h = nt_hash_mix((uint64_t)(uintptr_t)key->name);
	h = nt_hash_mix(h ^ (uint64_t)(uintptr_t)key->module);
	h = nt_hash_mix(h ^ (uint64_t)(uintptr_t)key->reason);
	return nt_hash_mix(h ^ (uint64_t)key->kind ^ (uint64_t)key->naming << 8);
}

static uint32_t *chain_of(const struct nt_keys *keys, const struct nt_key *key)
{
	return &keys->chains[hash_of(key) & (keys->chain_count - 1)];
}

static void link_in(struct nt_keys *keys, uint32_t number)
{
	uint32_t *chain = chain_of(keys, &keys->items[number]);
	keys->items[number].next = *chain;
	*chain = number;
}

static void grow_chains(struct nt_keys *keys)
{
	keys->chain_count = keys->chain_count ? keys->chain_count * 2 : FIRST_CHAINS;
	keys->chains = nt_realloc(keys->chains, keys->chain_count, sizeof(*keys->chains));
	memset(keys->chains, 0xff, keys->chain_count * sizeof(*keys->chains)); /* NT_INDEX_NONE */
	for (uint32_t i = NT_KEY_OTHER + 1; i < keys->count; i++)
		if (nt_keys_valid(keys, i))
			link_in(keys, i);
}

/* ---- keys ---- */

static bool same(const struct nt_key *a, const struct nt_key *b)
{
	return a->name == b->name && a->module == b->module && a->reason == b->reason && a->kind == b->kind && a->naming == b->naming;
}

static uint32_t new_number(struct nt_keys *keys)
{
	uint32_t number = keys->free;
	if (number != NT_INDEX_NONE) {
		keys->free = keys->items[number].next;
		return number;
	}
	keys->items = nt_grow(keys->items, &keys->capacity, keys->count + 1, sizeof(*keys->items));
	return (uint32_t)keys->count++;
}

uint32_t nt_keys_intern(struct nt_keys *keys, const struct nt_key *key)
{
	if (keys->used >= keys->chain_count)
		grow_chains(keys);
	for (uint32_t i = *chain_of(keys, key); i != NT_INDEX_NONE; i = keys->items[i].next)
		if (same(&keys->items[i], key))
			return i;
	if (keys->used >= NT_KEY_LIMIT)
		return NT_KEY_OTHER;
	uint32_t number = new_number(keys);
	keys->items[number] = *key;
	keys->items[number].id = ++keys->made;
	link_in(keys, number);
	keys->used++;
	return number;
}

void nt_keys_remove(struct nt_keys *keys, uint32_t number)
{
	if (number == NT_KEY_OTHER || !nt_keys_valid(keys, number))
		return;
	struct nt_key *key = &keys->items[number];
	uint32_t *link = chain_of(keys, key);
	while (*link != number)
		link = &keys->items[*link].next;
	*link = key->next;
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

bool nt_key_is_between(const struct nt_key *key)
{
	return key->kind == NT_CODE_STUB || !nt_dynamic_name_is_own(key->name);
}
