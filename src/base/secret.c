// SPDX-License-Identifier: GPL-2.0-only
#include "base/secret.h"

#include "base/hash_mix.h"
#include "nettop/clock.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

uint64_t nt_secret(void)
{
	uint64_t secret;
	if (getrandom(&secret, sizeof(secret), GRND_NONBLOCK) == (ssize_t)sizeof(secret))
		return secret;
	const void *given = (const void *)getauxval(AT_RANDOM);
	uint64_t start = 0;
	if (given)
		memcpy(&start, given, sizeof(start));
	return nt_hash_mix(start ^ nt_hash_mix(nt_clock_now()));
}
