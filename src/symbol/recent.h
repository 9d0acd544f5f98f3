/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was found lately around which addresses: samples come back to the same few hundred methods, and a table of this size stays in the processor's
 * cache, where the tables of half a million symbols do not.
 */
#ifndef NT_SYMBOL_RECENT_H
#define NT_SYMBOL_RECENT_H

#include "base/hash.h"
#include "symbol/resolver.h"

/* An answer is found again for addresses of the same piece of 256 bytes: so methods of the usual size share none, and few have many. */
enum { NT_RECENT_COUNT = 1 << 13, NT_RECENT_PIECE = 8 };

struct nt_recent_answer {
	struct nt_resolved resolved;
	uint32_t generation;
	bool kernel;
};

struct nt_recent {
	struct nt_recent_answer *items; /* owned; NT_RECENT_COUNT, by hash of the piece */
	uint32_t generation;            /* those of another one mean nothing */
};

/* Where the answer for `address` is, if there is one. */
static inline struct nt_recent_answer *nt_recent_at(const struct nt_recent *recent, uint64_t address)
{
	return &recent->items[nt_hash_mix(address >> NT_RECENT_PIECE) & (NT_RECENT_COUNT - 1)];
}

static inline bool nt_recent_holds(const struct nt_recent *recent, const struct nt_recent_answer *answer, uint64_t address, bool kernel,
				   nt_time time)
{
	const struct nt_resolved *resolved = &answer->resolved;
	return answer->generation == recent->generation && answer->kernel == kernel && address >= resolved->extent.low &&
	       address < resolved->extent.high && time >= resolved->valid_from && time < resolved->valid_to;
}

#endif
