// SPDX-License-Identifier: GPL-2.0-only
#include "base/arena.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Many hold little, some much: each chunk is twice the one before, up to the largest. */
enum { FIRST_BYTES = 4 * 1024, LARGEST_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct chunk {
	struct chunk *next;
	size_t used, size;
	_Alignas(ALIGNMENT) char data[];
};

struct nt_arena {
	struct chunk *chunks; /* newest first */
	size_t bytes;
};

struct nt_arena *nt_arena_new(void)
{
	return nt_alloc(sizeof(struct nt_arena));
}

void nt_arena_free(struct nt_arena *arena)
{
	if (!arena)
		return;
	for (struct chunk *chunk = arena->chunks; chunk;) {
		struct chunk *next = chunk->next;
		free(chunk);
		chunk = next;
	}
	free(arena);
}

static struct chunk *chunk_for(struct nt_arena *arena, size_t size)
{
	struct chunk *newest = arena->chunks;
	if (newest && newest->size - newest->used >= size)
		return newest;
	size_t room = newest ? newest->size * 2 : FIRST_BYTES;
	if (room > LARGEST_BYTES)
		room = LARGEST_BYTES;
	if (room < size)
		room = size;
	struct chunk *chunk = nt_realloc(NULL, 1, sizeof(*chunk) + room);
	*chunk = (struct chunk){ .next = newest, .size = room };
	arena->chunks = chunk;
	return chunk;
}

void *nt_arena_alloc(struct nt_arena *arena, size_t size)
{
	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	struct chunk *chunk = chunk_for(arena, size);
	void *memory = chunk->data + chunk->used;
	chunk->used += size;
	arena->bytes += size;
	return memory;
}

const char *nt_arena_text(struct nt_arena *arena, const char *text, size_t length)
{
	char *copy = nt_arena_alloc(arena, length + 1);
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

const char *nt_arena_copy(struct nt_arena *arena, const char *text)
{
	return text ? nt_arena_text(arena, text, strlen(text)) : NULL;
}

size_t nt_arena_bytes(const struct nt_arena *arena)
{
	return arena->bytes;
}
