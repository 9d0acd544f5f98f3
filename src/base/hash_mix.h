/* SPDX-License-Identifier: GPL-2.0-only */
/* The mixing that hashes and secrets are made with. No secret is in it: whoever wants a hash of what a stranger says takes base/hash.h. */
#ifndef NT_BASE_HASH_MIX_H
#define NT_BASE_HASH_MIX_H

#include <stdint.h>

static inline uint64_t nt_hash_mix(uint64_t h)
{
	/* Finaliser of MurmurHash3 (public domain): every input bit reaches every output bit. */
	h ^= h >> 33;
	h *= UINT64_C(0xff51afd7ed558ccd);
	h ^= h >> 33;
	h *= UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ (h >> 33);
}

#endif
