// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/nettrace_stacks.h"

#include "base/alloc.h"
#include "decode/common/reader.h"

#include <stdlib.h>

/* Between two sequence points; the runtime sends one for every 10 MB of its buffers. */
#define BYTES_MAX ((size_t)64 << 20)
enum { STACKS_MAX = 1 << 20, PAGE = 256 };

void nt_nettrace_stacks_init(struct nt_nettrace_stacks *stacks, struct nt_nettrace_blocks *memory)
{
	*stacks = (struct nt_nettrace_stacks){ .memory = memory };
}

void nt_nettrace_stacks_forget(struct nt_nettrace_stacks *stacks)
{
	nt_nettrace_blocks_give(stacks->memory, stacks->blocks);
	stacks->blocks = NULL;
	stacks->block_bytes = 0;
	stacks->count = 0;
}

void nt_nettrace_stacks_fini(struct nt_nettrace_stacks *stacks)
{
	nt_nettrace_stacks_forget(stacks);
	nt_nettrace_stacks_trim(stacks);
	free(stacks->pages);
}

void nt_nettrace_stacks_trim(struct nt_nettrace_stacks *stacks)
{
	while (stacks->page_count * PAGE >= stacks->count + PAGE)
		free(stacks->pages[--stacks->page_count]);
}

bool nt_nettrace_stacks_full(const struct nt_nettrace_stacks *stacks)
{
	return stacks->block_bytes > BYTES_MAX || stacks->count > STACKS_MAX;
}

size_t nt_nettrace_stacks_bytes(const struct nt_nettrace_stacks *stacks)
{
	return stacks->block_bytes + stacks->page_count * PAGE * sizeof(struct nt_nettrace_stack);
}

static void add(struct nt_nettrace_stacks *stacks, const uint8_t *addresses, uint32_t bytes)
{
	size_t page = stacks->count / PAGE;
	if (page == stacks->page_count) {
		stacks->pages = nt_grow(stacks->pages, &stacks->page_capacity, page + 1, sizeof(struct nt_nettrace_stack *));
		stacks->pages[stacks->page_count++] = nt_realloc(NULL, PAGE, sizeof(struct nt_nettrace_stack));
	}
	stacks->pages[page][stacks->count++ % PAGE] =
		(struct nt_nettrace_stack){ .addresses = addresses, .count = bytes / (uint32_t)sizeof(uint64_t) };
}

enum nt_status nt_nettrace_stacks_add(struct nt_nettrace_stacks *stacks, struct nt_nettrace_block *take)
{
	take->next = stacks->blocks;
	stacks->blocks = take;
	stacks->block_bytes += take->capacity;
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

struct nt_nettrace_stack *nt_nettrace_stacks_get(const struct nt_nettrace_stacks *stacks, uint32_t number)
{
	uint32_t index = number - stacks->first;
	struct nt_nettrace_stack *stack = index < stacks->count ? &stacks->pages[index / PAGE][index % PAGE] : NULL;
	return stack && stack->count ? stack : NULL;
}
