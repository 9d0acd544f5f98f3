// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/recent.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(NT_RECENT_WAYS * sizeof(struct nt_recent_answer) == NT_CACHE_LINE, "two answers fill a line of the cache");
_Static_assert(1 << (NT_RECENT_TIER + 3) == (int)NT_RECENT_PROVISIONAL && (int)NT_RECENT_PROVISIONAL <= (int)NT_RECENT_IN_PIECE &&
		       NT_TIER_COUNT == 8,
	       "a tier fits beside a piece");

static void make(struct nt_recent *recent, size_t count)
{
	*recent = (struct nt_recent){ .items = nt_alloc_lines(count * sizeof(*recent->items)), .count = count, .generation = 1 };
}

void nt_recent_init(struct nt_recent *recent)
{
	make(recent, NT_RECENT_FIRST);
}

void nt_recent_fini(struct nt_recent *recent)
{
	free(recent->items);
}

void nt_recent_forget(struct nt_recent *recent)
{
	recent->any = false;
	recent->evicted = 0;
	if (++recent->generation)
		return;
	memset(recent->items, 0, recent->count * sizeof(*recent->items));
	recent->generation = 1;
}

/* As the newest one of its hash. */
static void put(struct nt_recent *recent, const struct nt_recent_answer *answer)
{
	struct nt_recent_answer *place = nt_recent_at(recent, answer->piece);
	place[1] = place[0];
	place[0] = *answer;
}

/* A program with many hot methods: what is found out anew takes ten times as long as what is found here. */
static void grow(struct nt_recent *recent)
{
	struct nt_recent old = *recent;
	make(recent, 2 * old.count);
	recent->generation = old.generation;
	recent->any = old.any;
	for (size_t i = old.count; i-- > 0;) /* the older one of a hash first */
		if (old.items[i].piece && old.items[i].generation == old.generation)
			put(recent, &old.items[i]);
	nt_recent_fini(&old);
}

void nt_recent_put(struct nt_recent *recent, uint64_t address, bool kernel, const struct nt_resolved *resolved)
{
	uint64_t piece = address & ~(uint64_t)NT_RECENT_IN_PIECE, last = piece + NT_RECENT_IN_PIECE;
	const struct nt_recent_answer *leaves = nt_recent_at(recent, piece) + NT_RECENT_WAYS - 1;
	recent->evicted += leaves->piece && leaves->generation == recent->generation;
	if (recent->evicted > recent->count / NT_RECENT_EVICTED && recent->count < NT_RECENT_MOST)
		grow(recent);
	recent->any = true;
	const struct nt_recent_answer answer = {
		.piece = piece | (kernel ? NT_RECENT_KERNEL : 0) | (resolved->mapped ? NT_RECENT_MAPPED : 0) |
			 (resolved->reusable ? NT_RECENT_REUSABLE : 0) | (resolved->provisional ? NT_RECENT_PROVISIONAL : 0) |
			 (uint64_t)resolved->tier << NT_RECENT_TIER,
		.valid_from = resolved->valid_from,
		.valid_to = resolved->valid_to,
		.key = resolved->key,
		.generation = recent->generation,
		.first = resolved->extent.low > piece ? (uint8_t)(resolved->extent.low - piece) : 0,
		.last = resolved->extent.high <= last ? (uint8_t)(resolved->extent.high - 1 - piece) : NT_RECENT_IN_PIECE,
	};
	put(recent, &answer);
}

void nt_recent_forget_some(struct nt_recent *recent, uint64_t start, uint64_t end)
{
	if (!recent->any)
		return; /* a map that is read at the start has thousands of methods */
	if ((end - start) >> NT_RECENT_PIECE >= recent->count) {
		nt_recent_forget(recent);
		return;
	}
	for (uint64_t piece = start >> NT_RECENT_PIECE; piece <= (end - 1) >> NT_RECENT_PIECE; piece++)
		memset(nt_recent_at(recent, piece << NT_RECENT_PIECE), 0, NT_CACHE_LINE); /* of others with the same hash, too */
}
