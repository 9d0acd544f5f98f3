// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/recent.h"

#include <string.h>

enum { PIECE_BYTES = 1 << NT_RECENT_PIECE };

void nt_recent_put(struct nt_recent *recent, uint64_t address, bool kernel, const struct nt_resolved *resolved)
{
	struct nt_recent_answer *answer = nt_recent_at(recent, address);
	answer[1] = answer[0];
	recent->any = true;
	*answer = (struct nt_recent_answer){ .resolved = *resolved, .generation = recent->generation, .kernel = kernel };
	uint64_t first = address & ~(uint64_t)(PIECE_BYTES - 1), last = first + (PIECE_BYTES - 1);
	if (answer->resolved.extent.low < first)
		answer->resolved.extent.low = first;
	if (answer->resolved.extent.high > last)
		answer->resolved.extent.high = last + 1 ? last + 1 : last;
}

void nt_recent_forget_some(struct nt_recent *recent, uint64_t start, uint64_t end)
{
	if (!recent->any)
		return; /* a map that is read at the start has thousands of methods */
	if ((end - start) >> NT_RECENT_PIECE >= NT_RECENT_COUNT) {
		nt_recent_forget(recent);
		return;
	}
	size_t bytes = NT_RECENT_WAYS * sizeof(*recent->items); /* of others with the same hash, too */
	for (uint64_t piece = start >> NT_RECENT_PIECE; piece <= (end - 1) >> NT_RECENT_PIECE; piece++)
		memset(nt_recent_at(recent, piece << NT_RECENT_PIECE), 0, bytes);
}
