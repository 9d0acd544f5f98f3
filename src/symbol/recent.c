// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/recent.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(NT_RECENT_WAYS * sizeof(struct nt_recent_answer) == NT_CACHE_LINE, "two answers fill a line of the cache");
_Static_assert(NT_RECENT_TIER + 3 <= NT_RECENT_PIECE && NT_TIER_COUNT == 8, "a tier fits beside a piece");

void nt_recent_init(struct nt_recent *recent)
{
	*recent = (struct nt_recent){ .items = nt_alloc_lines(NT_RECENT_COUNT * sizeof(*recent->items)), .generation = 1 };
}

void nt_recent_fini(struct nt_recent *recent)
{
	free(recent->items);
}

void nt_recent_forget(struct nt_recent *recent)
{
	recent->any = false;
	if (++recent->generation)
		return;
	memset(recent->items, 0, NT_RECENT_COUNT * sizeof(*recent->items));
	recent->generation = 1;
}

void nt_recent_put(struct nt_recent *recent, uint64_t address, bool kernel, const struct nt_resolved *resolved)
{
	struct nt_recent_answer *answer = nt_recent_at(recent, address);
	uint64_t piece = address & ~(uint64_t)NT_RECENT_IN_PIECE, last = piece + NT_RECENT_IN_PIECE;
	answer[1] = answer[0];
	recent->any = true;
	*answer = (struct nt_recent_answer){
		.piece = piece | (kernel ? NT_RECENT_KERNEL : 0) | (resolved->mapped ? NT_RECENT_MAPPED : 0) |
			 (resolved->reusable ? NT_RECENT_REUSABLE : 0) | (uint64_t)resolved->tier << NT_RECENT_TIER,
		.valid_from = resolved->valid_from,
		.valid_to = resolved->valid_to,
		.key = resolved->key,
		.generation = recent->generation,
		.first = resolved->extent.low > piece ? (uint8_t)(resolved->extent.low - piece) : 0,
		.last = resolved->extent.high <= last ? (uint8_t)(resolved->extent.high - 1 - piece) : NT_RECENT_IN_PIECE,
	};
}

void nt_recent_forget_some(struct nt_recent *recent, uint64_t start, uint64_t end)
{
	if (!recent->any)
		return; /* a map that is read at the start has thousands of methods */
	if ((end - start) >> NT_RECENT_PIECE >= NT_RECENT_COUNT) {
		nt_recent_forget(recent);
		return;
	}
	for (uint64_t piece = start >> NT_RECENT_PIECE; piece <= (end - 1) >> NT_RECENT_PIECE; piece++)
		memset(nt_recent_at(recent, piece << NT_RECENT_PIECE), 0, NT_CACHE_LINE); /* of others with the same hash, too */
}
