/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory for the blocks of a nettrace stream. A flood is a block of 100 KB every few hundred events, each kept until its events have been delivered:
 * memory that is used again costs a fraction of memory that the kernel must give and clear.
 */
#ifndef NT_DECODE_NETTRACE_BLOCKS_H
#define NT_DECODE_NETTRACE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

struct nt_nettrace_block {
	struct nt_nettrace_block *next; /* of whoever keeps it */
	size_t size;                    /* bytes of the stream */
	size_t capacity;                /* bytes of memory: a power of two */
	uint8_t bytes[];
};

/* Sizes from 256 bytes to 1 MB: ten times what a runtime writes, whose blocks end at 100 KB. */
enum { NT_NETTRACE_BLOCK_MAX = 1 << 20, NT_NETTRACE_BLOCK_SIZES = 13 };

/* All zero is an empty one. */
struct nt_nettrace_blocks {
	struct nt_nettrace_block *spare[NT_NETTRACE_BLOCK_SIZES]; /* owned; by capacity */
	size_t spare_bytes;
};

/* Memory for `size` bytes, at most NT_NETTRACE_BLOCK_MAX; the caller's until it gives it back. */
struct nt_nettrace_block *nt_nettrace_blocks_take(struct nt_nettrace_blocks *blocks, size_t size);

/* One, or a list of them, that nobody needs any more. NULL is allowed. */
void nt_nettrace_blocks_give(struct nt_nettrace_blocks *blocks, struct nt_nettrace_block *take);

/* Return to the system what a flood has left behind, but for so many bytes at most. */
void nt_nettrace_blocks_trim(struct nt_nettrace_blocks *blocks, size_t keep_bytes);

#endif
