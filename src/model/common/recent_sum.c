// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/recent_sum.h"

#include "nettop/status.h"

#include <string.h>

void nt_recent_add(struct nt_recent *recent, nt_time span_ns, const uint64_t *values, size_t count)
{
	nt_assert(count <= NT_RECENT_VALUES);
	if (recent->steps[recent->newest].span_ns >= NT_RECENT_NS / NT_RECENT_STEPS) {
		recent->newest = (recent->newest + 1) % NT_RECENT_STEPS;
		memset(&recent->steps[recent->newest], 0, sizeof(recent->steps[0]));
	}
	recent->steps[recent->newest].span_ns += span_ns;
	for (size_t i = 0; i < count; i++)
		recent->steps[recent->newest].values[i] += values[i];
}

nt_time nt_recent_sum(const struct nt_recent *recent, uint64_t *sums, size_t count)
{
	nt_time span_ns = 0;
	memset(sums, 0, count * sizeof(*sums));
	for (size_t back = 0; back < NT_RECENT_STEPS; back++) {
		size_t step = (recent->newest + NT_RECENT_STEPS - back) % NT_RECENT_STEPS;
		if (back && span_ns + recent->steps[step].span_ns > NT_RECENT_NS)
			break;
		span_ns += recent->steps[step].span_ns;
		for (size_t i = 0; i < count; i++)
			sums[i] += recent->steps[step].values[i];
	}
	return span_ns;
}
