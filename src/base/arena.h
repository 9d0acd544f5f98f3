/* SPDX-License-Identifier: GPL-2.0-only */
/* A bump allocator: many small things that end together. Pointers stay valid until the arena is reset or freed. Not thread safe. */
#ifndef NT_BASE_ARENA_H
#define NT_BASE_ARENA_H

#include <stddef.h>

struct nt_arena;

struct nt_arena *nt_arena_new(void);
void nt_arena_free(struct nt_arena *arena); /* NULL is allowed */

/* `size` bytes aligned to 16, not zeroed; never NULL. */
void *nt_arena_alloc(struct nt_arena *arena, size_t size);

/* A NUL-terminated copy of text[0..length). */
const char *nt_arena_text(struct nt_arena *arena, const char *text, size_t length);

/* A copy of a text that ends with NUL; NULL gives NULL. */
const char *nt_arena_copy(struct nt_arena *arena, const char *text);

/* Bytes handed out, for limits and statistics. */
size_t nt_arena_bytes(const struct nt_arena *arena);

#endif
