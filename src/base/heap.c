// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record is [u32 length][bytes, at least 4, padded to 4]. Two bits of the length are flags. MOVED: the record has moved, its bytes hold the
 * new reference. MARK: equal to the heap's own mark when the record was added or marked since the last measure began.
 */
#include "base/heap.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

#define MOVED UINT32_C(0x80000000)
#define MARK  UINT32_C(0x40000000)
enum { HEADER = 4, LIMIT_BYTES = 1 << 29, SLACK_BYTES = 8 << 20 };

struct nt_heap {
	char *bytes;
	size_t used, capacity;
	size_t settled; /* bytes that were there when it was last measured or made */
	size_t marked;  /* bytes found in use */
	uint32_t mark;  /* MARK or 0 */
};

struct nt_heap *nt_heap_new(void)
{
	struct nt_heap *heap = nt_alloc(sizeof(*heap));
	heap->bytes = nt_grow(heap->bytes, &heap->capacity, 4096, 1);
	heap->used = HEADER; /* reference 0 is none */
	return heap;
}

void nt_heap_free(struct nt_heap *heap)
{
	if (!heap)
		return;
	free(heap->bytes);
	free(heap);
}

static uint32_t word_at(const struct nt_heap *heap, size_t offset)
{
	uint32_t word;
	memcpy(&word, heap->bytes + offset, sizeof(word));
	return word;
}

static size_t body_bytes(size_t length)
{
	return length < HEADER ? HEADER : (length + 3) & ~(size_t)3;
}

nt_text_ref nt_heap_add(struct nt_heap *heap, const char *text, size_t length)
{
	size_t body = body_bytes(length);
	if (!length || length > LIMIT_BYTES || heap->used + HEADER + body > LIMIT_BYTES)
		return 0;
	if (heap->used + HEADER + body > heap->capacity)
		heap->bytes = nt_grow(heap->bytes, &heap->capacity, heap->used + HEADER + body, 1);
	nt_text_ref ref = (nt_text_ref)heap->used;
	uint32_t word = (uint32_t)length | heap->mark;
	memcpy(heap->bytes + ref, &word, sizeof(word));
	memcpy(heap->bytes + ref + HEADER, text, length);
	heap->used += HEADER + body;
	return ref;
}

const char *nt_heap_get(const struct nt_heap *heap, nt_text_ref ref, size_t *length)
{
	if (!ref) {
		*length = 0;
		return "";
	}
	nt_assert(ref < heap->used);
	*length = word_at(heap, ref) & ~MARK;
	return heap->bytes + ref + HEADER;
}

bool nt_heap_same(const struct nt_heap *heap, nt_text_ref a, nt_text_ref b)
{
	if (a == b)
		return true;
	size_t a_length, b_length;
	const char *a_text = nt_heap_get(heap, a, &a_length);
	const char *b_text = nt_heap_get(heap, b, &b_length);
	return a_length == b_length && memcmp(a_text, b_text, a_length) == 0;
}

bool nt_heap_grown(const struct nt_heap *heap)
{
	return heap->used > 2 * heap->settled + SLACK_BYTES;
}

void nt_heap_measure(struct nt_heap *heap)
{
	heap->mark ^= MARK;
	heap->marked = 0;
}

void nt_heap_mark(struct nt_heap *heap, nt_text_ref ref)
{
	if (!ref)
		return;
	uint32_t word = word_at(heap, ref);
	if ((word & MARK) == heap->mark)
		return;
	heap->marked += HEADER + body_bytes(word & ~MARK);
	word ^= MARK;
	memcpy(heap->bytes + ref, &word, sizeof(word));
}

bool nt_heap_wasteful(struct nt_heap *heap)
{
	heap->settled = heap->used;
	return heap->marked < heap->used / 2;
}

nt_text_ref nt_heap_move(struct nt_heap *from, struct nt_heap *to, nt_text_ref ref)
{
	if (!ref)
		return 0;
	nt_assert(ref < from->used);
	uint32_t length = word_at(from, ref) & ~MARK;
	if (length & MOVED)
		return word_at(from, ref + HEADER);
	nt_text_ref moved = nt_heap_add(to, from->bytes + ref + HEADER, length);
	length |= MOVED;
	memcpy(from->bytes + ref, &length, sizeof(length));
	memcpy(from->bytes + ref + HEADER, &moved, sizeof(moved));
	return moved;
}

size_t nt_heap_bytes(const struct nt_heap *heap)
{
	return heap->used;
}
