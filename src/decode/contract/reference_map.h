/* SPDX-License-Identifier: GPL-2.0-only */
/* Where an object has references to others: what stands in front of its MethodTable for the collector (the runtime's GCDesc, gcdesc.h). */
#ifndef NT_DECODE_CONTRACT_REFERENCE_MAP_H
#define NT_DECODE_CONTRACT_REFERENCE_MAP_H

#include "decode/contract/memory.h"

/* Of a type that says more, or of types that say more together, nothing is believed. */
enum { NT_REFERENCE_RUNS = 4096, NT_REFERENCE_RUNS_OF_ALL = 1 << 20 };

/* References side by side. */
struct nt_reference_run {
	uint64_t offset; /* of the object; of one that repeats: bytes between its end and the next one */
	uint64_t bytes;  /* to be added to the bytes of the object, as a number without sign; of one that repeats: as they are */
};

struct nt_reference_map {
	struct nt_reference_run *runs; /* owned */
	uint32_t count;                /* 0 = such an object has no references */
	bool repeats;                  /* an array of structures: the runs are those of an element */
	uint64_t begin;                /* of one that repeats: where the first element is */
};

/* Of a type that has references. `left`: runs that all types may have still; those are taken off. False: it cannot be read, or says what no runtime says. */
bool nt_reference_map_read(struct nt_memory *memory, uint64_t table, size_t *left, struct nt_reference_map *out);
void nt_reference_map_fini(struct nt_reference_map *map);

/*
 * Calls `take` for each run of an object of so many bytes, as its type and its number of elements say them: `count` references, the first one `offset` bytes from the object's address. They are within the object, and no more than it has
 * words. False: that is not so, or `take` said so.
 */
typedef bool nt_reference_take(void *context, uint64_t offset, uint64_t count);
bool nt_reference_map_each(const struct nt_reference_map *map, uint64_t bytes, nt_reference_take *take, void *context);

#endif
