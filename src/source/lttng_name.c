// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void nt_lttng_name_make(const struct nt_lttng_owner *owner, unsigned number, char name[NT_LTTNG_NAME_BYTES])
{
	snprintf(name, NT_LTTNG_NAME_BYTES, "nettop-%" PRIu64 "-%" PRIu32 "-%" PRIu64 "-%u", owner->pid_ns, owner->pid, owner->start_ticks,
		 number);
}

bool nt_lttng_name_parse(const char *name, struct nt_lttng_owner *owner, unsigned *number)
{
	if (sscanf(name, "nettop-%" SCNu64 "-%" SCNu32 "-%" SCNu64 "-%u", &owner->pid_ns, &owner->pid, &owner->start_ticks, number) != 4)
		return false;
	/* sscanf() forgives signs, zeros and a tail; only what we write is ours. */
	char again[NT_LTTNG_NAME_BYTES];
	nt_lttng_name_make(owner, *number, again);
	return strcmp(name, again) == 0;
}
