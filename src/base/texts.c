// SPDX-License-Identifier: GPL-2.0-only
#include "base/texts.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LIMIT = 64 << 20, FIRST_SIZE = 1024, LENGTH_LIMIT = 1 << 20 };

struct slot {
	const char *text; /* NULL = empty */
	uint32_t hash;
	uint32_t length;
};

struct nt_texts {
	struct nt_arena *arena;
	struct slot *slots; /* open addressing, at most three quarters full */
	size_t size, used;
	size_t limit_bytes;
};

struct nt_texts *nt_texts_new(size_t limit_bytes)
{
	struct nt_texts *texts = nt_alloc(sizeof(*texts));
	texts->arena = nt_arena_new();
	texts->limit_bytes = limit_bytes ? limit_bytes : DEFAULT_LIMIT;
	texts->size = FIRST_SIZE;
	texts->slots = nt_alloc(texts->size * sizeof(*texts->slots));
	return texts;
}

void nt_texts_free(struct nt_texts *texts)
{
	if (!texts)
		return;
	nt_arena_free(texts->arena);
	free(texts->slots);
	free(texts);
}

static struct slot *slot_of(struct slot *slots, size_t size, const struct slot *key)
{
	for (size_t i = key->hash & (size - 1);; i = (i + 1) & (size - 1)) {
		struct slot *slot = &slots[i];
		if (!slot->text ||
		    (slot->hash == key->hash && slot->length == key->length && memcmp(slot->text, key->text, key->length) == 0))
			return slot;
	}
}

static void grow(struct nt_texts *texts)
{
	size_t size = texts->size * 2;
	struct slot *slots = nt_alloc(size * sizeof(*slots));
	for (size_t i = 0; i < texts->size; i++)
		if (texts->slots[i].text)
			*slot_of(slots, size, &texts->slots[i]) = texts->slots[i];
	free(texts->slots);
	texts->slots = slots;
	texts->size = size;
}

const char *nt_texts_intern(struct nt_texts *texts, const char *text, size_t length)
{
	if (!length)
		return "";
	if (length > LENGTH_LIMIT)
		length = LENGTH_LIMIT;
	struct slot key = { .text = text, .hash = (uint32_t)nt_hash_bytes(text, length), .length = (uint32_t)length };
	struct slot *slot = slot_of(texts->slots, texts->size, &key);
	if (slot->text)
		return slot->text;
	if (nt_arena_bytes(texts->arena) + length > texts->limit_bytes)
		return "(too many names)";
	key.text = nt_arena_text(texts->arena, text, length);
	*slot = key;
	if (++texts->used * 4 > texts->size * 3)
		grow(texts);
	return key.text;
}

const char *nt_texts_intern_cstr(struct nt_texts *texts, const char *text)
{
	return text ? nt_texts_intern(texts, text, strlen(text)) : NULL;
}

size_t nt_texts_bytes(const struct nt_texts *texts)
{
	return nt_arena_bytes(texts->arena);
}
