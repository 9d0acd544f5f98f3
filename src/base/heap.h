/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A compacting heap of texts: for the many names that live as long as somebody refers to them (code ranges, announced ids). A text is a 32-bit
 * reference. When much of the heap is garbage its user moves everything that it still refers to into a new heap.
 */
#ifndef NT_BASE_HEAP_H
#define NT_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_heap;
typedef uint32_t nt_text_ref; /* 0 = none */

struct nt_heap *nt_heap_new(void);
void nt_heap_free(struct nt_heap *heap); /* NULL is allowed */

/* Keep a copy of text[0..length). Length 0, or a heap that has reached its limit of 512 MB, gives 0. */
nt_text_ref nt_heap_add(struct nt_heap *heap, const char *text, size_t length);

/* The same for one of many texts that are much alike (names of code as the runtime writes them), in less room: base/words.h. Asking for it takes longer. */
nt_text_ref nt_heap_add_packed(struct nt_heap *heap, const char *text, size_t length);

/* The text of `ref` and its length; not NUL-terminated, valid until the next add, of a packed one also only until the next get. `ref` 0 gives "" and 0. */
const char *nt_heap_get(const struct nt_heap *heap, nt_text_ref ref, size_t *length);

/* Same bytes? */
bool nt_heap_same(const struct nt_heap *heap, nt_text_ref a, nt_text_ref b);

/*
 * Has it grown so much that it may be worth compacting? Then its user says what it still refers to: nt_heap_measure(), nt_heap_mark() for every
 * reference in use, and compacts when nt_heap_wasteful(): less than half of it is in use.
 */
bool nt_heap_grown(const struct nt_heap *heap);
void nt_heap_measure(struct nt_heap *heap);
void nt_heap_mark(struct nt_heap *heap, nt_text_ref ref);
bool nt_heap_wasteful(struct nt_heap *heap);

/*
 * Compaction: to = nt_heap_new(); every reference in use becomes nt_heap_move(from, to, ref), in any order, several references to one text
 * stay shared; nt_heap_free(from). Nothing may be read from `from` once moving has begun.
 */
nt_text_ref nt_heap_move(struct nt_heap *from, struct nt_heap *to, nt_text_ref ref);

/* Bytes in use. */
size_t nt_heap_bytes(const struct nt_heap *heap);

#endif
