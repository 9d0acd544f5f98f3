// SPDX-License-Identifier: GPL-2.0-only
/* "EventBlock Object" and "compressed event blobs" of NetTraceFormat_v5.md. */
#include "decode/eventpipe/nettrace_events.h"

enum {
	BLOCK_COMPRESSED = 1,
	BLOCK_HEAD_MIN = 20,
	VARUINT_MAX = 10,  /* bytes */
	HEAD_MAX = 8 * 16, /* bytes: flags, eight numbers, two GUIDs */
};

enum head_flag {
	HAS_METADATA = 1,
	HAS_CAPTURE_THREAD = 2,
	HAS_THREAD = 4,
	HAS_STACK = 8,
	HAS_ACTIVITY = 16,
	HAS_RELATED_ACTIVITY = 32,
	IS_SORTED = 64,
	HAS_PAYLOAD_LENGTH = 128,
	GUID_BYTES = 16,
};

bool nt_nettrace_events_begin(struct nt_reader *block)
{
	uint16_t size = nt_reader_u16(block), flags = nt_reader_u16(block);
	/* No runtime sends uncompressed ones. The rest is the least and the greatest time: the events say it themselves. */
	if (!(flags & BLOCK_COMPRESSED) || size < BLOCK_HEAD_MIN)
		return false;
	nt_reader_bytes(block, size - sizeof(size) - sizeof(flags));
	return !block->bad;
}

/*
 * As nt_reader_varuint(), of bytes that are there for certain: what the header of an event consists of, and half of what decoding one costs. At most
 * VARUINT_MAX are taken.
 */
static inline uint64_t take_number(struct nt_reader *reader)
{
	const uint8_t *bytes = reader->at;
	uint64_t value = bytes[0] & 0x7f;
	unsigned used = 1;
	for (; bytes[used - 1] & 0x80 && used < VARUINT_MAX; used++)
		value |= (uint64_t)(bytes[used] & 0x7f) << (7 * used);
	reader->bad |= bytes[used - 1] & 0x80;
	reader->at += used;
	return value;
}

/* The header that begins at `bytes`, of which HEAD_MAX can be read. Returns its length; 0 = malformed. Inlined, because it comes before each event. */
static inline __attribute__((always_inline)) size_t read_head(const uint8_t *bytes, struct nt_nettrace_head *head)
{
	struct nt_reader reader = { .at = bytes };
	uint8_t flags = *reader.at++;
	if (flags & HAS_METADATA)
		head->metadata = (uint32_t)take_number(&reader);
	if (flags & HAS_CAPTURE_THREAD) {
		head->sequence += (uint32_t)take_number(&reader);
		head->capture_thread = take_number(&reader);
		take_number(&reader); /* processor: never known */
	}
	head->sequence += head->metadata != 0;
	if (flags & HAS_THREAD)
		head->thread = take_number(&reader);
	if (flags & HAS_STACK)
		head->stack = (uint32_t)take_number(&reader);
	head->ticks += take_number(&reader); /* wraps: a run of another thread may begin earlier */
	if (flags & HAS_ACTIVITY) {
		memcpy(head->activity, reader.at, sizeof(head->activity));
		reader.at += sizeof(head->activity);
	}
	reader.at += flags & HAS_RELATED_ACTIVITY ? GUID_BYTES : 0;
	head->oldest = flags & IS_SORTED;
	if (flags & HAS_PAYLOAD_LENGTH)
		head->payload_length = (uint32_t)take_number(&reader);
	return reader.bad ? 0 : (size_t)(reader.at - bytes);
}

/* The same near the end of a block: as if zeros followed. Not inlined: other events need no buffer. */
static __attribute__((noinline)) size_t read_last_head(const uint8_t *bytes, size_t length, struct nt_nettrace_head *head)
{
	uint8_t padded[HEAD_MAX] = { 0 };
	memcpy(padded, bytes, length);
	return read_head(padded, head);
}

const uint8_t *nt_nettrace_events_next(struct nt_reader *block, struct nt_nettrace_head *head)
{
	size_t left = nt_reader_left(block);
	if (!left || block->bad)
		return NULL;
	size_t used = left < HEAD_MAX ? read_last_head(block->at, left, head) : read_head(block->at, head);
	block->bad = !used;
	nt_reader_bytes(block, used);
	return nt_reader_bytes(block, head->payload_length);
}
