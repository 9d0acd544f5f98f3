// SPDX-License-Identifier: GPL-2.0-only
#include "decode/nettrace_stacks.h"

#include "base/alloc.h"
#include "decode/reader.h"

#include <stdlib.h>

/* Between two sequence points; the runtime sends one for every 10 MB of its buffers. */
#define BYTES_MAX ((size_t)64 << 20)

void nt_nettrace_stacks_fini(struct nt_nettrace_stacks *stacks)
{
	while (stacks->blocks) {
		struct nt_nettrace_block *block = stacks->blocks;
		stacks->blocks = block->next;
		free(block);
	}
	free(stacks->items);
	*stacks = (struct nt_nettrace_stacks){ 0 };
}

bool nt_nettrace_stacks_full(const struct nt_nettrace_stacks *stacks)
{
	return stacks->block_bytes > BYTES_MAX;
}

static void add(struct nt_nettrace_stacks *stacks, const uint8_t *addresses, uint32_t bytes)
{
	stacks->items = nt_grow(stacks->items, &stacks->capacity, stacks->count + 1, sizeof(*stacks->items));
	stacks->items[stacks->count++] = (struct nt_nettrace_stack){ addresses, bytes / (uint32_t)sizeof(uint64_t) };
}

enum nt_status nt_nettrace_stacks_add(struct nt_nettrace_stacks *stacks, struct nt_nettrace_block *take)
{
	take->next = stacks->blocks;
	stacks->blocks = take;
	stacks->block_bytes += take->size;
	struct nt_reader reader = nt_reader_of(take->bytes, take->size);
	uint32_t first = nt_reader_u32(&reader);
	if (first != stacks->first + stacks->count) {
		stacks->first = first;
		stacks->count = 0;
	}
	for (uint32_t left = nt_reader_u32(&reader); left && !reader.bad; left--) {
		uint32_t bytes = nt_reader_u32(&reader);
		const uint8_t *addresses = nt_reader_bytes(&reader, bytes);
		if (addresses)
			add(stacks, addresses, bytes);
	}
	return reader.bad ? NT_ERR_MALFORMED : NT_OK;
}

struct nt_nettrace_stack nt_nettrace_stacks_get(const struct nt_nettrace_stacks *stacks, uint32_t number)
{
	uint32_t index = number - stacks->first;
	return index < stacks->count ? stacks->items[index] : (struct nt_nettrace_stack){ 0 };
}
