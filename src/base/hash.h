/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hashing of bytes and words for the hot tables. Keys are a stranger's: who knew which ones fall together could make a table of a hundred thousand a list. So a secret is in it, which
 * main() chooses; tests and tools, which do not, have the same values each time. No hash leaves the process, and no order that is shown comes from one.
 */
#ifndef NT_BASE_HASH_H
#define NT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash_mix.h"

/* Before the first table is made. */
void nt_hash_choose_secret(void);

extern uint64_t nt_hash_secret[2];

static inline uint64_t nt_hash_word(const void *at, size_t size)
{
	uint64_t word = 0;
	memcpy(&word, at, size);
	return word;
}

/* Both halves of the product (as wyhash folds them, public domain). */
static inline uint64_t nt_hash_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Sixteen bytes at a time: texts of a hundred bytes and call chains are hashed for each event. */
static inline uint64_t nt_hash_bytes(const void *data, size_t length)
{
	const uint64_t one = nt_hash_secret[0], other = nt_hash_secret[1];
	const unsigned char *p = data;
	uint64_t h = length * one;
	for (; length > 16; p += 16, length -= 16)
		h = nt_hash_fold(nt_hash_word(p, 8) ^ one, nt_hash_word(p + 8, 8) ^ h);
	uint64_t low = length >= 8 ? nt_hash_word(p, 8) : nt_hash_word(p, length);
	uint64_t high = length >= 8 ? nt_hash_word(p + length - 8, 8) : 0;
	return nt_hash_mix(nt_hash_fold(low ^ one, high ^ other) ^ h);
}

/* Of a key that is a number. */
static inline uint64_t nt_hash_number(uint64_t key)
{
	return nt_hash_mix(key ^ nt_hash_secret[0]);
}

#endif
