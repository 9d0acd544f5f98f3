// SPDX-License-Identifier: GPL-2.0-only
#include "base/texts.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LIMIT = 64 << 20, DEFAULT_SLACK = 256 << 10, FIRST_SIZE = 1024, LENGTH_LIMIT = 1 << 20 };

struct slot {
	char *text; /* owned; NULL = empty */
	uint32_t hash;
	uint32_t length;
	uint32_t born;   /* generation in which it came */
	uint32_t marked; /* generation in which it was last found in use */
};

struct key {
	const char *text;
	uint32_t hash;
	uint32_t length;
};

/* A forgotten text that was there in a pinned generation. */
struct grave {
	char *text; /* owned */
	uint32_t length;
	uint32_t born, died; /* generations */
};

struct nt_texts_pin {
	struct nt_texts *texts;
	struct nt_texts_pin *next;
	uint32_t generation;
	unsigned count;
};

struct nt_texts {
	struct slot *slots; /* open addressing, at most three quarters full */
	size_t size, used;
	size_t bytes;   /* of the texts in the slots */
	size_t settled; /* bytes that were left by the last sweep */
	struct nt_texts_config config;
	uint32_t generation;
	struct nt_texts_pin *pins; /* those in use, newest first */
	struct grave *graves;      /* owned */
	size_t grave_count, grave_capacity, grave_bytes;
	bool freed; /* and kept by pins only */
};

struct nt_texts *nt_texts_new(const struct nt_texts_config *config)
{
	struct nt_texts *texts = nt_alloc(sizeof(*texts));
	texts->config = *config;
	if (!texts->config.limit_bytes)
		texts->config.limit_bytes = DEFAULT_LIMIT;
	texts->size = FIRST_SIZE;
	texts->slots = nt_alloc(texts->size * sizeof(*texts->slots));
	texts->generation = 1;
	return texts;
}

void nt_texts_free(struct nt_texts *texts)
{
	if (!texts)
		return;
	texts->freed = true;
	if (texts->pins)
		return;
	for (size_t i = 0; i < texts->size; i++)
		free(texts->slots[i].text);
	for (size_t i = 0; i < texts->grave_count; i++)
		free(texts->graves[i].text);
	free(texts->graves);
	free(texts->slots);
	free(texts);
}

/* ---- the table ---- */

static struct slot *slot_of(struct slot *slots, size_t size, const struct key *key)
{
	for (size_t i = key->hash & (size - 1);; i = (i + 1) & (size - 1)) {
		struct slot *slot = &slots[i];
		if (!slot->text ||
		    (slot->hash == key->hash && slot->length == key->length && memcmp(slot->text, key->text, key->length) == 0))
			return slot;
	}
}

static void resize(struct nt_texts *texts, size_t size)
{
	struct slot *slots = nt_alloc(size * sizeof(*slots));
	for (size_t i = 0; i < texts->size; i++)
		if (texts->slots[i].text)
			*slot_of(slots, size, &(struct key){ texts->slots[i].text, texts->slots[i].hash, texts->slots[i].length }) =
				texts->slots[i];
	free(texts->slots);
	texts->slots = slots;
	texts->size = size;
}

static size_t cost(uint32_t length)
{
	return (length + 1 + (size_t)15) & ~(size_t)15; /* as malloc() rounds */
}

static struct key key_of(const char *text, size_t length)
{
	if (length > LENGTH_LIMIT)
		length = LENGTH_LIMIT;
	return (struct key){ .text = text, .hash = (uint32_t)nt_hash_bytes(text, length), .length = (uint32_t)length };
}

const char *nt_texts_intern(struct nt_texts *texts, const char *text, size_t length)
{
	/* Else nt_texts_mark(), which has no length, would not find it, and it would be forgotten while it is in use. */
	if (length)
		length = strnlen(text, length);
	if (!length)
		return "";
	struct key key = key_of(text, length);
	struct slot *slot = slot_of(texts->slots, texts->size, &key);
	if (slot->text)
		return slot->text;
	if (texts->bytes + texts->grave_bytes + cost(key.length) > texts->config.limit_bytes)
		return "(too many names)";
	char *copy = nt_realloc(NULL, 1, (size_t)key.length + 1);
	memcpy(copy, text, key.length);
	copy[key.length] = '\0';
	*slot = (struct slot){ .text = copy, .hash = key.hash, .length = key.length, .born = texts->generation };
	texts->bytes += cost(key.length);
	if (++texts->used * 4 > texts->size * 3)
		resize(texts, texts->size * 2);
	return copy;
}

const char *nt_texts_intern_cstr(struct nt_texts *texts, const char *text)
{
	return text ? nt_texts_intern(texts, text, strlen(text)) : NULL;
}

/* ---- generations ---- */

bool nt_texts_grown(const struct nt_texts *texts)
{
	size_t slack = texts->settled > DEFAULT_SLACK ? texts->settled : DEFAULT_SLACK;
	return texts->bytes > texts->settled + (texts->config.slack_bytes ? texts->config.slack_bytes : slack);
}

void nt_texts_mark(struct nt_texts *texts, const char *text)
{
	if (!text || !*text)
		return;
	struct key key = key_of(text, strlen(text));
	slot_of(texts->slots, texts->size, &key)->marked = texts->generation;
}

static bool is_pinned(const struct nt_texts *texts, uint32_t born, uint32_t died)
{
	for (const struct nt_texts_pin *pin = texts->pins; pin && pin->generation >= born; pin = pin->next)
		if (pin->generation <= died)
			return true;
	return false;
}

static void bury(struct nt_texts *texts, const struct slot *slot)
{
	texts->bytes -= cost(slot->length);
	if (!is_pinned(texts, slot->born, texts->generation)) {
		free(slot->text);
		return;
	}
	texts->grave_bytes += cost(slot->length);
	texts->graves = nt_grow(texts->graves, &texts->grave_capacity, texts->grave_count + 1, sizeof(*texts->graves));
	texts->graves[texts->grave_count++] =
		(struct grave){ .text = slot->text, .length = slot->length, .born = slot->born, .died = texts->generation };
}

void nt_texts_sweep(struct nt_texts *texts)
{
	for (size_t i = 0; i < texts->size; i++) {
		struct slot *slot = &texts->slots[i];
		bool used = slot->marked == texts->generation;
		slot->marked = 0; /* also of an empty one, which a text that is not the table's has marked */
		if (!slot->text || used)
			continue;
		bury(texts, slot);
		*slot = (struct slot){ 0 };
		texts->used--;
	}
	texts->generation++;
	texts->settled = texts->bytes;
	size_t size = FIRST_SIZE;
	while (texts->used * 2 > size)
		size *= 2;
	resize(texts, size); /* none is where a search would end before it any more */
}

/* ---- pins ---- */

struct nt_texts_pin *nt_texts_pin(struct nt_texts *texts)
{
	if (!texts->pins || texts->pins->generation != texts->generation) {
		struct nt_texts_pin *pin = nt_alloc(sizeof(*pin));
		*pin = (struct nt_texts_pin){ .texts = texts, .next = texts->pins, .generation = texts->generation };
		texts->pins = pin;
	}
	texts->pins->count++;
	return texts->pins;
}

static void open_graves(struct nt_texts *texts)
{
	size_t kept = 0;
	for (size_t i = 0; i < texts->grave_count; i++) {
		struct grave grave = texts->graves[i];
		if (is_pinned(texts, grave.born, grave.died)) {
			texts->graves[kept++] = grave;
			continue;
		}
		texts->grave_bytes -= cost(grave.length);
		free(grave.text);
	}
	texts->grave_count = kept;
	if (!kept) {
		free(texts->graves);
		texts->graves = NULL;
		texts->grave_capacity = 0;
	}
}

void nt_texts_unpin(struct nt_texts_pin *pin)
{
	if (!pin || --pin->count)
		return;
	struct nt_texts *texts = pin->texts;
	struct nt_texts_pin **link = &texts->pins;
	while (*link != pin)
		link = &(*link)->next;
	*link = pin->next;
	free(pin);
	if (texts->freed)
		nt_texts_free(texts);
	else
		open_graves(texts);
}

size_t nt_texts_bytes(const struct nt_texts *texts)
{
	return texts->bytes + texts->grave_bytes;
}
