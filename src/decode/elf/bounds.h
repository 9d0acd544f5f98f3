/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where functions begin and end, when nobody says what they are called: add in any order, finish once, then look up by binary search. 8 bytes each, because a
 * library has tens of thousands. The unit of a place is the file offset.
 */
#ifndef NT_DECODE_BOUNDS_H
#define NT_DECODE_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_bound {
	uint32_t start, size;
};

/* All zero is an empty table. */
struct nt_bounds {
	struct nt_bound *items; /* owned */
	size_t count, capacity;
};

void nt_bounds_fini(struct nt_bounds *bounds);

/* Add [start, start + size). One that is empty or ends beyond 4 GB is passed over, and so is everything once the table holds 4 M. */
void nt_bounds_add(struct nt_bounds *bounds, uint64_t start, uint64_t size);

/* Sort and make the ranges disjoint: of two that overlap the one with the higher start begins there and the other ends. Call once, after the last add. */
void nt_bounds_finish(struct nt_bounds *bounds);

/*
 * Is `place` within a function? *start and *end are its bounds; else those of the gap around it (0 without a function before, UINT64_MAX without one behind).
 * finish() must have been called.
 */
bool nt_bounds_find(const struct nt_bounds *bounds, uint64_t place, uint64_t *start, uint64_t *end);

#endif
