// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record is [u16 head][bytes, at least 4], because most texts are names of methods and there may be half a million of them. Thirteen bits of the head are
 * the length; of a longer text all of them are set, and [u32 length] comes between. The other three are flags. MOVED: the record has moved, its bytes hold the
 * new reference. MARK: equal to the heap's own mark when the record was added or marked since the last measure began. PACKED: the bytes, whose length it is,
 * are those of base/words.h.
 */
#include "base/heap.h"

#include "base/alloc.h"
#include "base/words.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

enum { MOVED = 0x8000, MARK = 0x4000, PACKED = 0x2000, LONG = 0x1fff };
enum { HEAD = sizeof(uint16_t), LONG_HEAD = HEAD + sizeof(uint32_t), LIMIT_BYTES = 1 << 29, SLACK_BYTES = 1 << 20 };
enum { PACKED_TEXT_MAX = 1 << 16 };

struct nt_heap {
	char *bytes;
	size_t used, capacity;
	size_t settled; /* bytes that were there when it was last measured or made */
	size_t marked;  /* bytes found in use */
	uint16_t mark;  /* MARK or 0 */
	struct nt_words words;
	char *unpacked; /* owned; room for the longest of the packed texts */
	size_t unpacked_capacity;
};

struct nt_heap *nt_heap_new(void)
{
	struct nt_heap *heap = nt_alloc(sizeof(*heap));
	heap->bytes = nt_grow(heap->bytes, &heap->capacity, 4096, 1);
	heap->used = HEAD; /* reference 0 is none */
	return heap;
}

void nt_heap_free(struct nt_heap *heap)
{
	if (!heap)
		return;
	nt_words_fini(&heap->words);
	free(heap->unpacked);
	free(heap->bytes);
	free(heap);
}

static uint16_t head_at(const struct nt_heap *heap, nt_text_ref ref)
{
	uint16_t head;
	nt_assert(ref < heap->used);
	memcpy(&head, heap->bytes + ref, sizeof(head));
	return head;
}

static void set_head(struct nt_heap *heap, nt_text_ref ref, unsigned head)
{
	memcpy(heap->bytes + ref, &(uint16_t){ (uint16_t)head }, sizeof(uint16_t));
}

static size_t head_bytes(size_t length)
{
	return length < LONG ? HEAD : LONG_HEAD;
}

/* With room for the reference of one that has moved. */
static size_t body_bytes(size_t length)
{
	return length < sizeof(nt_text_ref) ? sizeof(nt_text_ref) : length;
}

static size_t length_at(const struct nt_heap *heap, nt_text_ref ref)
{
	unsigned length = head_at(heap, ref) & LONG;
	uint32_t long_length;
	if (length < LONG)
		return length;
	memcpy(&long_length, heap->bytes + ref + HEAD, sizeof(long_length));
	return long_length;
}

nt_text_ref nt_heap_add(struct nt_heap *heap, const char *text, size_t length)
{
	size_t head = head_bytes(length), body = body_bytes(length);
	if (!length || length > LIMIT_BYTES || heap->used + head + body > LIMIT_BYTES)
		return 0;
	heap->bytes = nt_grow(heap->bytes, &heap->capacity, heap->used + head + body, 1);
	nt_text_ref ref = (nt_text_ref)heap->used;
	set_head(heap, ref, (length < LONG ? (unsigned)length : LONG) | heap->mark);
	if (head == LONG_HEAD)
		memcpy(heap->bytes + ref + HEAD, &(uint32_t){ (uint32_t)length }, sizeof(uint32_t));
	memcpy(heap->bytes + ref + head, text, length);
	heap->used += head + body;
	return ref;
}

nt_text_ref nt_heap_add_packed(struct nt_heap *heap, const char *text, size_t length)
{
	if (length > PACKED_TEXT_MAX || heap->used + HEAD + NT_WORDS_PACKED_MAX(length) > LIMIT_BYTES)
		return nt_heap_add(heap, text, length);
	heap->bytes = nt_grow(heap->bytes, &heap->capacity, heap->used + HEAD + NT_WORDS_PACKED_MAX(length), 1);
	size_t packed = nt_words_pack(&heap->words, text, length, heap->bytes + heap->used + HEAD);
	if (packed >= LONG || body_bytes(packed) >= length)
		return nt_heap_add(heap, text, length);
	heap->unpacked = nt_grow(heap->unpacked, &heap->unpacked_capacity, length, 1);
	nt_text_ref ref = (nt_text_ref)heap->used;
	set_head(heap, ref, (unsigned)packed | PACKED | heap->mark);
	heap->used += HEAD + body_bytes(packed);
	return ref;
}

/* The bytes of a record as they are. */
static const char *bytes_at(const struct nt_heap *heap, nt_text_ref ref, size_t *length)
{
	*length = length_at(heap, ref);
	return heap->bytes + ref + head_bytes(*length);
}

static bool is_packed(const struct nt_heap *heap, nt_text_ref ref)
{
	return head_at(heap, ref) & PACKED;
}

const char *nt_heap_get(const struct nt_heap *heap, nt_text_ref ref, size_t *length)
{
	if (!ref) {
		*length = 0;
		return "";
	}
	const char *bytes = bytes_at(heap, ref, length);
	if (!is_packed(heap, ref))
		return bytes;
	*length = nt_words_unpack(&heap->words, bytes, *length, heap->unpacked);
	return heap->unpacked;
}

bool nt_heap_same(const struct nt_heap *heap, nt_text_ref a, nt_text_ref b)
{
	if (a == b)
		return true;
	/* Of one text or of equal ones the packed bytes are equal; a packed one and one as it is need one buffer. */
	bool as_they_are = a && b && is_packed(heap, a) && is_packed(heap, b);
	size_t a_length, b_length;
	const char *a_text = as_they_are ? bytes_at(heap, a, &a_length) : nt_heap_get(heap, a, &a_length);
	const char *b_text = as_they_are ? bytes_at(heap, b, &b_length) : nt_heap_get(heap, b, &b_length);
	return a_length == b_length && memcmp(a_text, b_text, a_length) == 0;
}

bool nt_heap_grown(const struct nt_heap *heap)
{
	return nt_heap_bytes(heap) > 2 * heap->settled + SLACK_BYTES;
}

void nt_heap_measure(struct nt_heap *heap)
{
	heap->mark ^= MARK;
	heap->marked = 0;
}

void nt_heap_mark(struct nt_heap *heap, nt_text_ref ref)
{
	if (!ref || (head_at(heap, ref) & MARK) == heap->mark)
		return;
	size_t length = length_at(heap, ref);
	heap->marked += head_bytes(length) + body_bytes(length);
	set_head(heap, ref, head_at(heap, ref) ^ MARK);
}

bool nt_heap_wasteful(struct nt_heap *heap)
{
	heap->settled = nt_heap_bytes(heap);
	return heap->marked < heap->used / 2;
}

nt_text_ref nt_heap_move(struct nt_heap *from, struct nt_heap *to, nt_text_ref ref)
{
	if (!ref)
		return 0;
	size_t length = length_at(from, ref);
	char *body = from->bytes + ref + head_bytes(length);
	nt_text_ref moved;
	if (head_at(from, ref) & MOVED) {
		memcpy(&moved, body, sizeof(moved));
		return moved;
	}
	const char *text = nt_heap_get(from, ref, &length);
	moved = is_packed(from, ref) ? nt_heap_add_packed(to, text, length) : nt_heap_add(to, text, length);
	set_head(from, ref, head_at(from, ref) | MOVED);
	memcpy(body, &moved, sizeof(moved));
	return moved;
}

size_t nt_heap_bytes(const struct nt_heap *heap)
{
	return heap->used + nt_words_bytes(&heap->words);
}
