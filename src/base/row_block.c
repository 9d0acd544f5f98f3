// SPDX-License-Identifier: GPL-2.0-only
#include "base/row_block.h"

#include "base/alloc.h"

#include <stdlib.h>

struct nt_row_block *nt_row_block_new(size_t bytes)
{
	struct nt_row_block *block = nt_alloc(sizeof(*block) + bytes);
	block->refs = 1;
	block->bytes = bytes;
	return block;
}

struct nt_row_block *nt_row_block_retain(struct nt_row_block *block)
{
	block->refs++;
	return block;
}

void nt_row_block_release(struct nt_row_block *block)
{
	if (block && --block->refs == 0)
		free(block);
}
