// SPDX-License-Identifier: GPL-2.0-only
/*
 * A packed text is a row of words. One of the dictionary is its number, high byte first, and below NT_WORDS_MOST; any other is the byte WRITTEN_OUT, its length
 * in a byte, and its bytes. Words never leave the dictionary, and none joins a full one: so a text is always packed in the same way.
 */
#include "base/words.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "nettop/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Slots grow by so much, up to the last size: each time all words are looked at again, and most of them are in no cache. */
enum { WRITTEN_OUT = 0xff, FIRST_SIZE = 1 << 12, GROWTH = 4, LAST_SIZE = 1 << 17 };
_Static_assert(NT_WORDS_MOST < LAST_SIZE / 2, "there is room for all");
_Static_assert(NT_WORDS_MOST <= WRITTEN_OUT << 8, "the first byte tells");
_Static_assert(NT_WORDS_LONGEST <= UINT8_MAX, "a byte holds the length");

void nt_words_fini(struct nt_words *words)
{
	free(words->bytes);
	free(words->ends);
	free(words->after);
	free(words->slots);
	*words = (struct nt_words){ 0 };
}

size_t nt_words_bytes(const struct nt_words *words)
{
	return words->used + words->count * (sizeof(*words->ends) + sizeof(*words->after)) + words->size * sizeof(*words->slots);
}

static const bool ends_word[UINT8_MAX + 1] = {
	[' '] = true, [','] = true, [':'] = true, ['('] = true, [')'] = true, ['['] = true, [']'] = true,
};

/* Bytes of the word that text[0..length) begins with. */
static size_t word_at(const char *text, size_t length)
{
	size_t most = length < NT_WORDS_LONGEST ? length : NT_WORDS_LONGEST, end = 0;
	while (end < most && !ends_word[(unsigned char)text[end]])
		end++;
	while (end < most && ends_word[(unsigned char)text[end]])
		end++;
	return end;
}

static const char *word_of(const struct nt_words *words, size_t number, size_t *length)
{
	nt_assert(number < words->count);
	uint32_t start = number ? words->ends[number - 1] : 0;
	*length = words->ends[number] - start;
	return words->bytes + start;
}

/* Where the number of a word is, or would be. */
static uint16_t *slot_of(const struct nt_words *words, const char *text, size_t length)
{
	for (size_t i = nt_hash_bytes(text, length) & (words->size - 1);; i = (i + 1) & (words->size - 1)) {
		size_t known_length;
		if (!words->slots[i])
			return &words->slots[i];
		const char *known = word_of(words, words->slots[i] - 1u, &known_length);
		if (known_length == length && memcmp(known, text, length) == 0)
			return &words->slots[i];
	}
}

/* Room for one more in the slots, which are at most half full: a new word, and most are, is compared with all that stand in its way. */
static void make_slots(struct nt_words *words)
{
	if (words->count + 1 <= words->size / 2)
		return;
	words->size = words->size ? words->size * GROWTH : FIRST_SIZE;
	if (words->size > LAST_SIZE)
		words->size = LAST_SIZE;
	free(words->slots);
	words->slots = nt_alloc(words->size * sizeof(*words->slots));
	for (size_t i = 0; i < words->count; i++) {
		size_t length;
		const char *word = word_of(words, i, &length);
		*slot_of(words, word, length) = (uint16_t)(i + 1);
	}
}

static void join(struct nt_words *words, uint16_t *slot, const char *text, size_t length)
{
	words->bytes = nt_grow(words->bytes, &words->capacity, words->used + length, 1);
	words->ends = nt_grow(words->ends, &words->ends_capacity, words->count + 1, sizeof(*words->ends));
	words->after = nt_grow(words->after, &words->after_capacity, words->count + 2, sizeof(*words->after));
	memcpy(words->bytes + words->used, text, length);
	words->used += length;
	if (!words->count)
		words->after[0] = 0;
	words->ends[words->count++] = (uint32_t)words->used;
	words->after[words->count] = 0;
	*slot = (uint16_t)words->count;
}

/*
 * Is the word that came after `before` the last time the next one here, too? Names of methods that follow each other have most words in common, and to compare one costs
 * less than to find its end and its place. Returns its number + 1, 0 = no.
 */
static uint16_t guess(const struct nt_words *words, uint16_t before, const char *text, size_t left, size_t *length)
{
	uint16_t number = words->count ? words->after[before] : 0;
	if (!number)
		return 0;
	const char *word = word_of(words, number - 1u, length);
	if (*length > left || *length == NT_WORDS_LONGEST || memcmp(word, text, *length) != 0)
		return 0;
	/* It must end here as it did there. */
	bool ends = *length == left || (ends_word[(unsigned char)text[*length - 1]] && !ends_word[(unsigned char)text[*length]]);
	return ends ? number : 0;
}

/* The number + 1 of the word that the text begins with. 0: the dictionary is full, and it is not in it. */
static uint16_t find_or_join(struct nt_words *words, const char *text, size_t length)
{
	make_slots(words);
	uint16_t *slot = slot_of(words, text, length);
	if (!*slot && words->count < NT_WORDS_MOST)
		join(words, slot, text, length);
	return *slot;
}

/* Write a word: by its number + 1, or 0 = as it is. Returns the bytes. */
static size_t put_word(uint16_t number, const char *text, size_t length, char *out)
{
	if (!number) {
		out[0] = (char)WRITTEN_OUT;
		out[1] = (char)length;
		memcpy(out + 2, text, length);
		return length + 2;
	}
	out[0] = (char)((number - 1u) >> 8);
	out[1] = (char)((number - 1u) & UINT8_MAX);
	return 2;
}

size_t nt_words_pack(struct nt_words *words, const char *text, size_t length, char *out)
{
	size_t packed = 0, word;
	uint16_t before = 0;
	for (size_t at = 0; at < length; at += word) {
		uint16_t number = guess(words, before, text + at, length - at, &word);
		if (!number) {
			word = word_at(text + at, length - at);
			number = find_or_join(words, text + at, word);
			if (words->count)
				words->after[before] = number;
		}
		packed += put_word(number, text + at, word, out + packed);
		before = number;
	}
	return packed;
}

size_t nt_words_unpack(const struct nt_words *words, const char *packed, size_t length, char *out)
{
	const unsigned char *at = (const unsigned char *)packed, *end = at + length;
	size_t used = 0, word_length;
	while (at < end) {
		const char *word;
		if (at[0] == WRITTEN_OUT) {
			word_length = at[1];
			word = (const char *)at + 2;
			at += word_length;
		} else {
			word = word_of(words, (size_t)at[0] << 8 | at[1], &word_length);
		}
		at += 2;
		memcpy(out + used, word, word_length);
		used += word_length;
	}
	return used;
}
