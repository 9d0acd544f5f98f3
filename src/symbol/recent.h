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
 * hash the two newest are kept, because with a thousand hot methods one place for each would be contested by many. Both are in one line of the processor's cache.
 */
enum {
	NT_RECENT_FIRST = 1 << 13,
	NT_RECENT_MOST = 1 << 15,
	NT_RECENT_EVICTED = 4,
	NT_RECENT_PIECE = 8,
	NT_RECENT_WAYS = 2,
	NT_RECENT_IN_PIECE = (1 << NT_RECENT_PIECE) - 1
};

/* What else is said in the bits of an address that is a piece's. */
enum {
	NT_RECENT_KERNEL = 1,
	NT_RECENT_MAPPED = 2,
	NT_RECENT_REUSABLE = 4,
	NT_RECENT_TIER = 3 /* a number of 3 bits */,
	NT_RECENT_PROVISIONAL = 64
};

struct nt_recent_answer {
	uint64_t piece; /* its address, and the bits above */
	nt_time valid_from, valid_to;
	uint32_t key;
	uint16_t generation;
	uint8_t first, last; /* the addresses within the piece for which it is the answer */
};

struct nt_recent {
	struct nt_recent_answer *items; /* owned; by hash of the piece, NT_RECENT_WAYS of each hash, the newest first */
	size_t count;        /* a power of 2: FIRST to MOST. It grows where every so many (NT_RECENT_EVICTED) had to make room for others */
	size_t evicted;      /* how many had since it was made, or all were forgotten */
	uint16_t generation; /* those of another one mean nothing; never 0 */
	bool any;            /* there are some of this one */
};

void nt_recent_init(struct nt_recent *recent);
void nt_recent_fini(struct nt_recent *recent);

/* Forget all; those about [start, end). */
void nt_recent_forget(struct nt_recent *recent);
void nt_recent_forget_some(struct nt_recent *recent, uint64_t start, uint64_t end);

/* Keep the answer for `address`, for which nothing is awaited. */
void nt_recent_put(struct nt_recent *recent, uint64_t address, bool kernel, const struct nt_resolved *resolved);

/* Where the answers for the hash of `address` are. */
static inline struct nt_recent_answer *nt_recent_at(const struct nt_recent *recent, uint64_t address)
{
	return &recent->items[nt_hash_number(address >> NT_RECENT_PIECE) & (recent->count - NT_RECENT_WAYS)];
}

/* The answer for `address`; NULL = not known. Inlined: nearly all samples end here. */
static inline const struct nt_recent_answer *nt_recent_find(const struct nt_recent *recent, uint64_t address, bool kernel, nt_time time)
{
	const struct nt_recent_answer *answer = nt_recent_at(recent, address);
	uint64_t place = address & NT_RECENT_IN_PIECE, piece = address - place;
	for (const struct nt_recent_answer *end = answer + NT_RECENT_WAYS; answer < end; answer++)
		if (((answer->piece ^ (piece | kernel)) & ~(uint64_t)(NT_RECENT_IN_PIECE - NT_RECENT_KERNEL)) == 0 &&
		    answer->generation == recent->generation && place >= answer->first && place <= answer->last &&
		    time >= answer->valid_from && time < answer->valid_to)
			return answer;
	return NULL;
}

/* It in full; its extent is within the piece. */
static inline struct nt_resolved nt_recent_resolved(const struct nt_recent_answer *answer)
{
	uint64_t piece = answer->piece & ~(uint64_t)NT_RECENT_IN_PIECE;
	return (struct nt_resolved){ .key = answer->key,
				     .tier = answer->piece >> NT_RECENT_TIER & (NT_TIER_COUNT - 1),
				     .provisional = answer->piece & NT_RECENT_PROVISIONAL,
				     .reusable = answer->piece & NT_RECENT_REUSABLE,
				     .mapped = answer->piece & NT_RECENT_MAPPED,
				     .valid_from = answer->valid_from,
				     .valid_to = answer->valid_to,
				     .extent = { piece + answer->first, piece + answer->last + 1 } };
}

#endif
