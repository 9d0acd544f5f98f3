// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/target.h"

#include <stdlib.h>

unsigned nt_target_runtime_major(const struct nt_target *target)
{
	enum { OLDEST_SUPPORTED = 8, LIMIT = 1000 };
	unsigned long major = target->runtime ? strtoul(target->runtime, NULL, 10) : 0;
	return major > 0 && major < LIMIT ? (unsigned)major : OLDEST_SUPPORTED;
}
