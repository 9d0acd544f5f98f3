// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void nt_lttng_name_make(const struct nt_lttng_owner *owner, unsigned number, uint64_t secret, char name[NT_LTTNG_NAME_BYTES])
{
	snprintf(name, NT_LTTNG_NAME_BYTES, "nettop-%" PRIu64 "-%" PRIu32 "-%" PRIu64 "-%u-%016" PRIx64, owner->pid_ns, owner->pid,
		 owner->start_ticks, number, secret);
}

bool nt_lttng_name_parse(const char *name, struct nt_lttng_owner *owner, unsigned *number)
{
	uint64_t secret;
	if (sscanf(name, "nettop-%" SCNu64 "-%" SCNu32 "-%" SCNu64 "-%u-%" SCNx64, &owner->pid_ns, &owner->pid, &owner->start_ticks, number,
		   &secret) != 5)
		return false;
	/* sscanf() forgives signs, zeros and a tail; only what we write is ours. */
	char again[NT_LTTNG_NAME_BYTES];
	nt_lttng_name_make(owner, *number, secret, again);
	return strcmp(name, again) == 0;
}
