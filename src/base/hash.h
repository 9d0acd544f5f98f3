/* SPDX-License-Identifier: GPL-2.0-only */
/* Hashing of bytes and words for the hot tables. Not against an attacker who chooses the keys: tables are bounded. */
#ifndef NT_BASE_HASH_H
#define NT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t nt_hash_mix(uint64_t h)
{
	/* Finaliser of MurmurHash3 (public domain): every input bit reaches every output bit. */
	h ^= h >> 33;
	h *= UINT64_C(0xff51afd7ed558ccd);
	h ^= h >> 33;
	h *= UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ (h >> 33);
}

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
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15), other = UINT64_C(0xa0761d6478bd642f);
	const unsigned char *p = data;
	uint64_t h = length * odd;
	for (; length > 16; p += 16, length -= 16)
		h = nt_hash_fold(nt_hash_word(p, 8) ^ odd, nt_hash_word(p + 8, 8) ^ h);
	uint64_t low = length >= 8 ? nt_hash_word(p, 8) : nt_hash_word(p, length);
	uint64_t high = length >= 8 ? nt_hash_word(p + length - 8, 8) : 0;
	return nt_hash_mix(nt_hash_fold(low ^ odd, high ^ other) ^ h);
}

#endif
