// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

/* Of these two, as good as any other; the first is odd, because lengths are multiplied by it. */
uint64_t nt_hash_secret[2] = { UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xa0761d6478bd642f) };

void nt_hash_choose_secret(void)
{
	uint64_t secret[2];
	if (getrandom(secret, sizeof(secret), GRND_NONBLOCK) != (ssize_t)sizeof(secret)) {
		/* Early after the machine's start. The kernel gives each program as many bytes. */
		const void *given = (const void *)getauxval(AT_RANDOM);
		if (!given)
			return;
		memcpy(secret, given, sizeof(secret));
	}
	nt_hash_secret[0] = secret[0] | 1;
	nt_hash_secret[1] = secret[1];
}
