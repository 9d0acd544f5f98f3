/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A dictionary of the words of many texts that are much alike, and those texts written with it: two bytes for a word. Names of methods are made of few words (types,
 * assemblies, tiers): those of a perf map take a fifth of their room, the dictionary included. A word is what stands between two of the characters ` ,:()[]`,
 * with those that follow it. Any bytes come back as they were. Zero it to start.
 */
#ifndef NT_BASE_WORDS_H
#define NT_BASE_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* So many words are in the dictionary at most, and bytes in each; what is beyond is written out in each text. */
enum { NT_WORDS_MOST = 0xff00, NT_WORDS_LONGEST = 255 };

struct nt_words {
	char *bytes; /* owned; of all words, one behind the other */
	size_t used, capacity;
	uint32_t *ends; /* owned; of each word in `bytes` */
	size_t count, ends_capacity;
	uint16_t *after; /* owned; which word came after each the last time, after the begin of a text first: its number + 1; 0 = none */
	size_t after_capacity;
	uint16_t *slots; /* owned; number of a word + 1, by its hash; 0 = empty */
	size_t size;     /* a power of two */
};

void nt_words_fini(struct nt_words *words);

/* What a text of `length` bytes takes at most when it is packed. */
#define NT_WORDS_PACKED_MAX(length) (3 * (length))

/* Write text[0..length) to `out`, which has room for NT_WORDS_PACKED_MAX(length); new words join the dictionary. Returns the bytes. Equal texts give equal bytes. */
size_t nt_words_pack(struct nt_words *words, const char *text, size_t length, char *out);

/* The text that was packed as packed[0..length) with this dictionary, to `out`, which has room for it. Returns its bytes. */
size_t nt_words_unpack(const struct nt_words *words, const char *packed, size_t length, char *out);

/* Bytes in use. */
size_t nt_words_bytes(const struct nt_words *words);

#endif
