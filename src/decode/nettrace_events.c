// SPDX-License-Identifier: GPL-2.0-only
/* "EventBlock Object" and "compressed event blobs" of NetTraceFormat_v5.md. */
#include "decode/nettrace_events.h"

enum { BLOCK_COMPRESSED = 1, HEAD_MIN = 20 };

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
	if (!(flags & BLOCK_COMPRESSED) || size < HEAD_MIN)
		return false;
	nt_reader_bytes(block, size - sizeof(size) - sizeof(flags));
	return !block->bad;
}

const uint8_t *nt_nettrace_events_next(struct nt_reader *block, struct nt_nettrace_head *head)
{
	if (!nt_reader_left(block) || block->bad)
		return NULL;
	uint8_t flags = nt_reader_u8(block);
	if (flags & HAS_METADATA)
		head->metadata = (uint32_t)nt_reader_varuint(block);
	if (flags & HAS_CAPTURE_THREAD) {
		head->sequence += (uint32_t)nt_reader_varuint(block);
		head->capture_thread = nt_reader_varuint(block);
		nt_reader_varuint(block); /* processor: never known */
	}
	head->sequence += head->metadata != 0;
	if (flags & HAS_THREAD)
		head->thread = nt_reader_varuint(block);
	if (flags & HAS_STACK)
		head->stack = (uint32_t)nt_reader_varuint(block);
	head->ticks += nt_reader_varuint(block); /* wraps: a run of another thread may begin earlier */
	if (flags & HAS_ACTIVITY)
		nt_reader_bytes(block, GUID_BYTES);
	if (flags & HAS_RELATED_ACTIVITY)
		nt_reader_bytes(block, GUID_BYTES);
	head->oldest = flags & IS_SORTED;
	if (flags & HAS_PAYLOAD_LENGTH)
		head->payload_length = (uint32_t)nt_reader_varuint(block);
	return nt_reader_bytes(block, head->payload_length);
}
