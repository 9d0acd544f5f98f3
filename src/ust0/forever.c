// SPDX-License-Identifier: MIT
#include "forever.h"

#include <stdint.h>
#include <sys/mman.h>

enum { CHUNK_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct chunk {
	_Alignas(ALIGNMENT) size_t used;
	_Alignas(ALIGNMENT) char bytes[CHUNK_BYTES - ALIGNMENT];
};

static struct chunk *current;

static void *map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

void *ust0_forever(size_t size)
{
	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (size > sizeof(current->bytes) / 4)
		return map(size);
	for (;;) {
		struct chunk *chunk = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
		if (chunk) {
			const size_t offset = __atomic_fetch_add(&chunk->used, size, __ATOMIC_RELAXED);
			if (offset + size <= sizeof(chunk->bytes))
				return chunk->bytes + offset;
		}
		struct chunk *fresh = map(sizeof(*fresh));
		if (!fresh)
			return NULL;
		if (!__atomic_compare_exchange_n(&current, &chunk, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			munmap(fresh, sizeof(*fresh));
	}
}
