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

static inline uint64_t nt_hash_bytes(const void *data, size_t length)
{
	const unsigned char *p = data;
	uint64_t h = length * UINT64_C(0x9e3779b97f4a7c15);
	for (; length >= 8; p += 8, length -= 8) {
		uint64_t word;
		memcpy(&word, p, 8);
		h = nt_hash_mix(h ^ word);
	}
	uint64_t tail = 0;
	memcpy(&tail, p, length);
	return nt_hash_mix(h ^ tail);
}

#endif
