/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/contract: the runtime's own description of its data, and what lies in its memory by that. */
/*
 * Memory of a process that somebody else reads: through a descriptor, by process_vm_readv, from a test's array. Whatever comes is a stranger's: it may lie, and may be
 * another thing at the next look.
 */
#ifndef NT_DECODE_CONTRACT_MEMORY_H
#define NT_DECODE_CONTRACT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"

enum { NT_PAGE_BYTES = 4096 };

/* Above it there is no memory of a program on x86-64 or arm64 with 48 bits. */
#define NT_ADDRESS_LIMIT (UINT64_C(1) << 47)

/* Reads the whole page at `address`, a multiple of NT_PAGE_BYTES. False: it cannot be read. */
typedef bool nt_page_read(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES]);

/*
 * Pages that were read are kept, because a look-up goes through the same few again and again, and a read costs as much for 8 bytes as for a page. What may have changed
 * since is read anew after nt_memory_forget(). A lie can lead through the same pages for ever, so what is looked at in them is counted, too.
 */
struct nt_memory {
	nt_page_read *read;
	void (*let_go)(void *context); /* of what `read` itself has kept; NULL = nothing */
	void *context;
	size_t page_limit; /* of kept pages; 0 = NT_MEMORY_PAGES. When it is reached all of them are forgotten */
	size_t budget; /* pages that may still be read; what goes beyond fails. nt_memory_allow() sets it before each piece of work, and */
	size_t steps;  /* how much may still be looked at, whether it was kept or not: a step is a look at a page, and some words of it */
	struct nt_index places; /* of pages, by their address; internal, as the following */
	uint8_t *pages;         /* owned */
	size_t page_count, page_capacity;
};

enum { NT_MEMORY_PAGES = 4096 /* 16 MB */, NT_MEMORY_STEPS_OF_PAGE = 200, NT_MEMORY_STEP_BYTES = 64 };

/* The memory holds nothing yet: read and context are set, all else is 0; nothing can be read before nt_memory_allow(). */
void nt_memory_allow(struct nt_memory *memory, size_t pages);

void nt_memory_fini(struct nt_memory *memory);
void nt_memory_forget(struct nt_memory *memory);

/* `length` bytes at `address`. False: not all of it can be read, or the budget is spent; `into` is then undefined. */
bool nt_memory_read(struct nt_memory *memory, uint64_t address, void *into, size_t length);

/* What lies at `address` and above it, as far as it can be read, at most `most` bytes; returns how many. */
size_t nt_memory_copy(struct nt_memory *memory, uint64_t address, uint8_t *into, size_t most);

/* A number there; 0 and *bad = true when it cannot be read. *bad stays true: who reads all that belongs together asks once. */
uint8_t nt_memory_u8(struct nt_memory *memory, uint64_t address, bool *bad);
uint16_t nt_memory_u16(struct nt_memory *memory, uint64_t address, bool *bad);
uint32_t nt_memory_u32(struct nt_memory *memory, uint64_t address, bool *bad);
uint64_t nt_memory_u64(struct nt_memory *memory, uint64_t address, bool *bad);

#endif
