// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/memory.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void nt_memory_allow(struct nt_memory *memory, size_t pages)
{
	memory->budget = pages;
	memory->steps = pages * NT_MEMORY_STEPS_OF_PAGE;
}

void nt_memory_fini(struct nt_memory *memory)
{
	nt_index_fini(&memory->places);
	free(memory->pages);
	memory->pages = NULL;
	memory->page_count = memory->page_capacity = 0;
}

void nt_memory_forget(struct nt_memory *memory)
{
	nt_index_fini(&memory->places);
	memory->page_count = 0;
	if (memory->let_go)
		memory->let_go(memory->context);
}

static bool may_look(struct nt_memory *memory, size_t bytes)
{
	size_t steps = 1 + bytes / NT_MEMORY_STEP_BYTES;
	if (memory->steps < steps)
		return false;
	memory->steps -= steps;
	return true;
}

/* NULL: it cannot be had. Borrowed until the next page is read. */
static const uint8_t *page_at(struct nt_memory *memory, uint64_t address)
{
	uint32_t place = nt_index_get(&memory->places, address);
	if (place != NT_INDEX_NONE)
		return memory->pages + (size_t)place * NT_PAGE_BYTES;
	if (!memory->budget)
		return NULL;
	memory->budget--;
	if (memory->page_count >= (memory->page_limit ? memory->page_limit : NT_MEMORY_PAGES))
		nt_memory_forget(memory);
	memory->pages = nt_grow(memory->pages, &memory->page_capacity, memory->page_count + 1, NT_PAGE_BYTES);
	uint8_t *page = memory->pages + memory->page_count * NT_PAGE_BYTES;
	if (!memory->read(memory->context, address, page))
		return NULL;
	nt_index_put(&memory->places, address, (uint32_t)memory->page_count++);
	return page;
}

bool nt_memory_read(struct nt_memory *memory, uint64_t address, void *into, size_t length)
{
	if (address >= NT_ADDRESS_LIMIT || length > NT_ADDRESS_LIMIT - address)
		return false;
	uint8_t *out = into;
	while (length) {
		size_t offset = address % NT_PAGE_BYTES, part = NT_PAGE_BYTES - offset;
		if (part > length)
			part = length;
		const uint8_t *page = may_look(memory, part) ? page_at(memory, address - offset) : NULL;
		if (!page)
			return false;
		memcpy(out, page + offset, part);
		out += part;
		address += part;
		length -= part;
	}
	return true;
}

size_t nt_memory_copy(struct nt_memory *memory, uint64_t address, uint8_t *into, size_t most)
{
	size_t count = 0;
	while (count < most) {
		size_t part = NT_PAGE_BYTES - (address + count) % NT_PAGE_BYTES;
		part = part < most - count ? part : most - count;
		if (!nt_memory_read(memory, address + count, into + count, part))
			break;
		count += part;
	}
	return count;
}

#define MEMORY_INTEGER(name_, type_)                                                                                                       \
	type_ nt_memory_##name_(struct nt_memory *memory, uint64_t address, bool *bad)                                                     \
	{                                                                                                                                  \
		type_ value = 0;                                                                                                           \
		if (nt_memory_read(memory, address, &value, sizeof(value)))                                                                \
			return value;                                                                                                      \
		*bad = true;                                                                                                               \
		return 0;                                                                                                                  \
	}
MEMORY_INTEGER(u8, uint8_t)
MEMORY_INTEGER(u16, uint16_t)
MEMORY_INTEGER(u32, uint32_t)
MEMORY_INTEGER(u64, uint64_t)
