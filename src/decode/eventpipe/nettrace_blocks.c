// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/nettrace_blocks.h"

#include "base/alloc.h"

#include <stdlib.h>

/* Spare memory at most: as much as waits in a flood of one thread. */
enum { LEAST_CAPACITY = 256, SPARE_MAX = 4 << 20 };

/* Index of the least size that is large enough. */
static size_t index_of(size_t size)
{
	size_t index = 0;
	while ((size_t)LEAST_CAPACITY << index < size)
		index++;
	return index;
}

struct nt_nettrace_block *nt_nettrace_blocks_take(struct nt_nettrace_blocks *blocks, size_t size)
{
	size_t index = index_of(size);
	struct nt_nettrace_block *block = blocks->spare[index];
	if (block) {
		blocks->spare[index] = block->next;
		blocks->spare_bytes -= block->capacity;
	} else {
		size_t capacity = (size_t)LEAST_CAPACITY << index;
		block = nt_realloc(NULL, 1, sizeof(*block) + capacity);
		block->capacity = capacity;
	}
	block->next = NULL;
	block->size = size;
	return block;
}

static void give_one(struct nt_nettrace_blocks *blocks, struct nt_nettrace_block *block)
{
	if (blocks->spare_bytes + block->capacity > SPARE_MAX) {
		free(block);
		return;
	}
	size_t index = index_of(block->capacity);
	block->next = blocks->spare[index];
	blocks->spare[index] = block;
	blocks->spare_bytes += block->capacity;
}

void nt_nettrace_blocks_give(struct nt_nettrace_blocks *blocks, struct nt_nettrace_block *take)
{
	while (take) {
		struct nt_nettrace_block *next = take->next;
		give_one(blocks, take);
		take = next;
	}
}

void nt_nettrace_blocks_trim(struct nt_nettrace_blocks *blocks, size_t keep_bytes)
{
	for (size_t i = NT_NETTRACE_BLOCK_SIZES; i--;)
		while (blocks->spare[i] && blocks->spare_bytes > keep_bytes) {
			struct nt_nettrace_block *block = blocks->spare[i];
			blocks->spare[i] = block->next;
			blocks->spare_bytes -= block->capacity;
			free(block);
		}
}
