// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"

#include "base/secret.h"

/* These two are as good as any others; the first is odd, because lengths are multiplied by it. */
uint64_t nt_hash_secret[2] = { UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xa0761d6478bd642f) };

void nt_hash_choose_secret(void)
{
	nt_hash_secret[0] = nt_secret() | 1;
	nt_hash_secret[1] = nt_secret();
}
