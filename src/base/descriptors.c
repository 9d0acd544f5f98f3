// SPDX-License-Identifier: GPL-2.0-only
#include "base/descriptors.h"

#include <sys/resource.h>

void nt_descriptors_allow(size_t wanted)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
	setrlimit(RLIMIT_NOFILE, &limit);
}
