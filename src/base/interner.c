// SPDX-License-Identifier: GPL-2.0-only
#include "base/interner.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 * 1024, STACK_MAX = 1024, DEFAULT_LIMIT = 512 * 1024 };

struct item {
	uint64_t hash;
	const void *data;
	uint32_t length; /* bytes */
	uint32_t id;     /* 0 = empty slot */
	uint32_t kernel_count;
};

/* Open addressing, linear probing, at most half full. */
struct table {
	struct item *slots;
	size_t size; /* power of two, or 0 */
	size_t used;
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
	uint64_t sequence;
	struct recent recent[RECENT_COUNT];
};

struct nt_interner *nt_interner_new(size_t limit_bytes)
{
	struct nt_interner *interner = nt_alloc(sizeof(*interner));
	interner->arena = nt_arena_new();
	interner->limit_bytes = limit_bytes ? limit_bytes : DEFAULT_LIMIT;
	interner->epoch = 1;
	return interner;
}

void nt_interner_free(struct nt_interner *interner)
{
	if (!interner)
		return;
	free(interner->texts.slots);
	free(interner->stacks.slots);
	free(interner->aliases.slots);
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
		memset(interner->recent, 0, sizeof(interner->recent));
		nt_arena_free(interner->arena);
		interner->arena = nt_arena_new();
		interner->epoch++;
	}
	batch->epoch = interner->epoch;
	batch->sequence = ++interner->sequence;
}

static struct item *slot_of(const struct table *table, const struct item *key)
{
	for (size_t i = key->hash & (table->size - 1);; i = (i + 1) & (table->size - 1)) {
		struct item *slot = &table->slots[i];
		if (!slot->id)
			return slot;
		if (slot->hash == key->hash && slot->length == key->length && slot->kernel_count == key->kernel_count &&
		    memcmp(slot->data, key->data, key->length) == 0)
			return slot;
	}
}

static void make_room(struct table *table)
{
	if (table->used * 2 < table->size)
		return;
	struct table grown = { .size = table->size ? table->size * 2 : 256, .used = table->used };
	grown.slots = nt_alloc(grown.size * sizeof(*grown.slots));
	for (size_t i = 0; i < table->size; i++)
		if (table->slots[i].id)
			*slot_of(&grown, &table->slots[i]) = table->slots[i];
	free(table->slots);
	*table = grown;
}

/* The slot of `key`, filled when it was empty; *fresh tells which. */
static struct item *intern(struct nt_interner *interner, struct table *table, struct item key, bool *fresh)
{
	make_room(table);
	struct item *slot = slot_of(table, &key);
	*fresh = slot->id == 0;
	if (*fresh) {
		void *copy = nt_arena_alloc(interner->arena, key.length);
		memcpy(copy, key.data, key.length);
		*slot = key;
		slot->data = copy;
		slot->id = (uint32_t)++table->used;
	}
	return slot;
}

nt_str nt_interner_str(struct nt_interner *interner, struct nt_batch *batch, const char *text, size_t length)
{
	if (!text || !length)
		return 0;
	if (length > TEXT_MAX)
		length = TEXT_MAX;
	bool fresh;
	struct item key = { .hash = nt_hash_bytes(text, length), .data = text, .length = (uint32_t)length };
	struct item *slot = intern(interner, &interner->texts, key, &fresh);
	if (fresh)
		nt_batch_announce_str(batch, slot->id, text, length);
	return slot->id;
}

nt_str nt_interner_alias(const struct nt_interner *interner, const void *raw, size_t length)
{
	struct item key = { .hash = nt_hash_bytes(raw, length), .data = raw, .length = (uint32_t)length };
	return interner->aliases.size ? slot_of(&interner->aliases, &key)->id : 0;
}

void nt_interner_note_alias(struct nt_interner *interner, const void *raw, size_t length, nt_str id)
{
	bool fresh;
	struct item key = { .hash = nt_hash_bytes(raw, length), .data = raw, .length = (uint32_t)length };
	intern(interner, &interner->aliases, key, &fresh)->id = id;
}

nt_str nt_interner_recent(const struct nt_interner *interner, uint64_t hint, const uint8_t *bytes, size_t left, size_t *length)
{
	const struct recent *recent = &interner->recent[hint % RECENT_COUNT];
	*length = recent->length;
	return recent->length <= left && memcmp(recent->bytes, bytes, recent->length) == 0 ? recent->id : 0;
}

void nt_interner_note_recent(struct nt_interner *interner, uint64_t hint, const uint8_t *bytes, size_t length, nt_str id)
{
	if (length > RECENT_BYTES)
		return;
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
	struct item key = { .hash = nt_hash_bytes(addresses, count * sizeof(*addresses)) + kernel_count,
			    .data = addresses,
			    .length = (uint32_t)(count * sizeof(*addresses)),
			    .kernel_count = kernel_count };
	struct item *slot = intern(interner, &interner->stacks, key, &fresh);
	if (fresh)
		nt_batch_announce_stack(batch, slot->id, addresses, kernel_count, count);
	return slot->id;
}
