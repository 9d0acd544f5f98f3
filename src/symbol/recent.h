/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was found lately around which addresses: samples come back to the same few hundred methods, and a table of this size stays in the processor's
 * cache, where the tables of half a million symbols do not.
 */
#ifndef NT_SYMBOL_RECENT_H
#define NT_SYMBOL_RECENT_H

#include "base/hash.h"
#include "symbol/resolver.h"

/*
 * An answer is found again for addresses of the same piece of 256 bytes: so methods of the usual size share none, and few have many. Of the pieces with the same
 * hash the two newest are kept, because with a thousand hot methods one place for each would be contested by many.
 */
enum { NT_RECENT_COUNT = 1 << 13, NT_RECENT_PIECE = 8, NT_RECENT_WAYS = 2 };

struct nt_recent_answer {
	struct nt_resolved resolved; /* its extent is within the piece: so what is known of a piece is in one place only */
	uint32_t generation;
	bool kernel;
};

struct nt_recent {
	struct nt_recent_answer *items; /* owned; NT_RECENT_COUNT, by hash of the piece, NT_RECENT_WAYS of each hash, the newest first */
	uint32_t generation;            /* those of another one mean nothing */
	bool any;                       /* there are some of this one */
};

/* Forget all; those about [start, end). */
static inline void nt_recent_forget(struct nt_recent *recent)
{
	recent->generation++;
	recent->any = false;
}

void nt_recent_forget_some(struct nt_recent *recent, uint64_t start, uint64_t end);

/* Keep the answer for `address`. */
void nt_recent_put(struct nt_recent *recent, uint64_t address, bool kernel, const struct nt_resolved *resolved);

/* Where the answers for the hash of `address` are. */
static inline struct nt_recent_answer *nt_recent_at(const struct nt_recent *recent, uint64_t address)
{
	return &recent->items[nt_hash_number(address >> NT_RECENT_PIECE) & (NT_RECENT_COUNT - NT_RECENT_WAYS)];
}

/* The answer for `address`; NULL = not known. Inlined: nearly all samples end here. */
static inline const struct nt_resolved *nt_recent_find(const struct nt_recent *recent, uint64_t address, bool kernel, nt_time time)
{
	const struct nt_recent_answer *answer = nt_recent_at(recent, address);
	for (const struct nt_recent_answer *end = answer + NT_RECENT_WAYS; answer < end; answer++) {
		const struct nt_resolved *resolved = &answer->resolved;
		if (answer->generation == recent->generation && answer->kernel == kernel && address >= resolved->extent.low &&
		    address < resolved->extent.high && time >= resolved->valid_from && time < resolved->valid_to)
			return resolved;
	}
	return NULL;
}

#endif
