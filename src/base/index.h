/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash index: from 64-bit keys to 32-bit values (indices into somebody's array). Open addressing, at most three quarters full. Its order is never shown:
 * whoever needs an order sorts. Not thread safe.
 */
#ifndef NT_BASE_INDEX_H
#define NT_BASE_INDEX_H

#include <stddef.h>
#include <stdint.h>

#define NT_INDEX_NONE UINT32_MAX /* no such key; not allowed as a value */

/* Packed: tables of some ten thousand are many, and a quarter of each would be padding. */
struct __attribute__((packed, aligned(4))) nt_index_slot {
	uint64_t key;
	uint32_t value; /* NT_INDEX_NONE = empty */
};

/* All zero is an empty index. */
struct nt_index {
	struct nt_index_slot *slots; /* owned */
	size_t size;                 /* power of two, or 0 */
	size_t used;
};

void nt_index_fini(struct nt_index *index); /* leaves an empty index */

/* The value of `key`, or NT_INDEX_NONE. */
uint32_t nt_index_get(const struct nt_index *index, uint64_t key);

/* Set the value of `key`, new or not. */
void nt_index_put(struct nt_index *index, uint64_t key, uint32_t value);

/* Forget `key`; nothing happens when it is not there. */
void nt_index_remove(struct nt_index *index, uint64_t key);

#endif
