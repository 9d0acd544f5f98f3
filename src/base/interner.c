// SPDX-License-Identifier: GPL-2.0-only
#include "base/interner.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 * 1024, STACK_MAX = 1024, DEFAULT_LIMIT = 256 * 1024 };

struct item {
	const void *data;
	uint32_t length; /* bytes */
	uint32_t kernel_count;
	uint32_t id; /* 0 in a key */
};

/* Small, because what a look-up costs is mainly its slot, which lies anywhere in memory; the items are mostly asked for in the order in which they came. */
struct slot {
	uint32_t hash;  /* its lower half */
	uint32_t place; /* of items[place - 1]; 0 = empty slot */
};

/* Open addressing, linear probing, at most half full. */
struct table {
	struct slot *slots;
	size_t size; /* power of two, or 0 */
	struct item *items;
	size_t used, capacity;
};

/* Found by its place, without a search: a newer one takes the place of an older one. */
enum { RECENT_COUNT = 128, RECENT_BYTES = 248 };
struct recent {
	uint32_t length;
	nt_str id; /* 0 = none */
	uint8_t bytes[RECENT_BYTES];
};

struct nt_interner {
	struct table texts, stacks, aliases;
	struct nt_arena *arena;
	size_t limit_bytes;
	uint32_t epoch;
	struct recent *recent; /* owned; RECENT_COUNT, NULL = nothing was noted */
};

struct nt_interner *nt_interner_new(size_t limit_bytes)
{
	struct nt_interner *interner = nt_alloc(sizeof(*interner));
	interner->arena = nt_arena_new();
	interner->limit_bytes = limit_bytes ? limit_bytes : DEFAULT_LIMIT;
	interner->epoch = 1;
	return interner;
}

static void table_fini(struct table *table)
{
	free(table->slots);
	free(table->items);
}

void nt_interner_free(struct nt_interner *interner)
{
	if (!interner)
		return;
	table_fini(&interner->texts);
	table_fini(&interner->stacks);
	table_fini(&interner->aliases);
	free(interner->recent);
	nt_arena_free(interner->arena);
	free(interner);
}

/* Its memory stays: the next epoch needs as much. */
static void empty(struct table *table)
{
	if (table->used)
		memset(table->slots, 0, table->size * sizeof(*table->slots));
	table->used = 0;
}

void nt_interner_begin(struct nt_interner *interner, struct nt_batch *batch)
{
	nt_assert(batch->event_count == 0 && batch->str_count == 0);
	if (nt_arena_bytes(interner->arena) > interner->limit_bytes) {
		empty(&interner->texts);
		empty(&interner->stacks);
		empty(&interner->aliases);
		if (interner->recent)
			memset(interner->recent, 0, RECENT_COUNT * sizeof(*interner->recent));
		nt_arena_free(interner->arena);
		interner->arena = nt_arena_new();
		interner->epoch++;
	}
	batch->epoch = interner->epoch;
}

static bool is_same(const struct item *item, const struct item *key)
{
	return item->length == key->length && item->kernel_count == key->kernel_count && memcmp(item->data, key->data, key->length) == 0;
}

/* Where `key` is, or an empty slot where it would be. */
static struct slot *slot_of(const struct table *table, uint32_t hash, const struct item *key)
{
	for (size_t i = hash & (table->size - 1);; i = (i + 1) & (table->size - 1)) {
		struct slot *slot = &table->slots[i];
		if (!slot->place || (slot->hash == hash && is_same(&table->items[slot->place - 1], key)))
			return slot;
	}
}

/* As slot_of(), of one that the table does not have. */
static struct slot *empty_slot(const struct table *table, uint32_t hash)
{
	size_t i = hash & (table->size - 1);
	while (table->slots[i].place)
		i = (i + 1) & (table->size - 1);
	return &table->slots[i];
}

static void make_room(struct table *table)
{
	table->items = nt_grow(table->items, &table->capacity, table->used + 1, sizeof(*table->items));
	if (table->used * 2 < table->size)
		return;
	struct table grown = *table;
	grown.size = table->size ? table->size * 2 : 256;
	grown.slots = nt_alloc(grown.size * sizeof(*grown.slots));
	for (size_t i = 0; i < table->size; i++)
		if (table->slots[i].place)
			*empty_slot(&grown, table->slots[i].hash) = table->slots[i];
	free(table->slots);
	*table = grown;
}

/* The item of `key`, made when there was none; *fresh tells which. */
static struct item *intern(struct nt_interner *interner, struct table *table, uint32_t hash, const struct item *key, bool *fresh)
{
	make_room(table);
	struct slot *slot = slot_of(table, hash, key);
	*fresh = !slot->place;
	if (*fresh) {
		void *copy = nt_arena_alloc(interner->arena, key->length);
		memcpy(copy, key->data, key->length);
		*slot = (struct slot){ .hash = hash, .place = (uint32_t)++table->used };
		table->items[slot->place - 1] =
			(struct item){ .data = copy, .length = key->length, .kernel_count = key->kernel_count, .id = slot->place };
	}
	return &table->items[slot->place - 1];
}

nt_str nt_interner_str(struct nt_interner *interner, struct nt_batch *batch, const char *text, size_t length)
{
	if (!text || !length)
		return 0;
	if (length > TEXT_MAX)
		length = TEXT_MAX;
	bool fresh;
	struct item key = { .data = text, .length = (uint32_t)length };
	const struct item *item = intern(interner, &interner->texts, (uint32_t)nt_hash_bytes(text, length), &key, &fresh);
	if (fresh)
		nt_batch_announce_str(batch, item->id, text, length);
	return item->id;
}

nt_str nt_interner_alias(const struct nt_interner *interner, const void *raw, size_t length)
{
	struct item key = { .data = raw, .length = (uint32_t)length };
	const struct table *table = &interner->aliases;
	const struct slot *slot = table->size ? slot_of(table, (uint32_t)nt_hash_bytes(raw, length), &key) : NULL;
	return slot && slot->place ? table->items[slot->place - 1].id : 0;
}

void nt_interner_note_alias(struct nt_interner *interner, const void *raw, size_t length, nt_str id)
{
	bool fresh;
	struct item key = { .data = raw, .length = (uint32_t)length };
	intern(interner, &interner->aliases, (uint32_t)nt_hash_bytes(raw, length), &key, &fresh)->id = id;
}

nt_str nt_interner_recent(const struct nt_interner *interner, uint64_t hint, const uint8_t *bytes, size_t left, size_t *length)
{
	*length = 0;
	if (!interner->recent)
		return 0;
	const struct recent *recent = &interner->recent[hint % RECENT_COUNT];
	*length = recent->length;
	return recent->length <= left && memcmp(recent->bytes, bytes, recent->length) == 0 ? recent->id : 0;
}

void nt_interner_note_recent(struct nt_interner *interner, uint64_t hint, const uint8_t *bytes, size_t length, nt_str id)
{
	if (length > RECENT_BYTES)
		return;
	if (!interner->recent)
		interner->recent = nt_alloc(RECENT_COUNT * sizeof(*interner->recent));
	struct recent *recent = &interner->recent[hint % RECENT_COUNT];
	recent->id = id;
	recent->length = (uint32_t)length;
	memcpy(recent->bytes, bytes, length);
}

nt_str nt_interner_cstr(struct nt_interner *interner, struct nt_batch *batch, const char *text)
{
	return text ? nt_interner_str(interner, batch, text, strlen(text)) : 0;
}

nt_stack nt_interner_stack(struct nt_interner *interner, struct nt_batch *batch, const uint64_t *addresses, unsigned kernel_count,
			   unsigned count)
{
	if (!count)
		return 0;
	if (count > STACK_MAX)
		count = STACK_MAX;
	if (kernel_count > count)
		kernel_count = count;
	bool fresh;
	struct item key = { .data = addresses, .length = (uint32_t)(count * sizeof(*addresses)), .kernel_count = kernel_count };
	uint32_t hash = (uint32_t)nt_hash_bytes(addresses, key.length) + kernel_count;
	const struct item *item = intern(interner, &interner->stacks, hash, &key, &fresh);
	if (fresh)
		nt_batch_announce_stack(batch, item->id, addresses, kernel_count, count);
	return item->id;
}
