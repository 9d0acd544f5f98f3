/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/common: readers of bytes, and formats that several others are in. */
/*
 * Reading little-endian values one after the other from bytes that may end anywhere. What goes beyond the end gives 0 and marks the reader as bad:
 * a parser reads all that belongs together and asks once.
 */
#ifndef NT_DECODE_READER_H
#define NT_DECODE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

struct nt_reader {
	const uint8_t *at, *end; /* borrowed */
	bool bad;                /* something did not fit; stays so */
};

static inline struct nt_reader nt_reader_of(const void *bytes, size_t length)
{
	const uint8_t *at = bytes;
	return (struct nt_reader){ .at = at, .end = length ? at + length : at }; /* no bytes may be NULL */
}

static inline size_t nt_reader_left(const struct nt_reader *reader)
{
	return (size_t)(reader->end - reader->at);
}

/* `size` bytes, borrowed; NULL when they do not fit. */
static inline const uint8_t *nt_reader_bytes(struct nt_reader *reader, size_t size)
{
	if (reader->bad || size > nt_reader_left(reader)) {
		reader->bad = true;
		return NULL;
	}
	const uint8_t *bytes = reader->at;
	reader->at += size;
	return bytes;
}

#define NT_READER_INTEGER(name_, type_)                                                                                                    \
	static inline type_ nt_reader_##name_(struct nt_reader *reader)                                                                    \
	{                                                                                                                                  \
		type_ value = 0;                                                                                                           \
		const uint8_t *bytes = nt_reader_bytes(reader, sizeof(value));                                                             \
		if (bytes)                                                                                                                 \
			memcpy(&value, bytes, sizeof(value)); /* nettop runs on little-endian machines only */                             \
		return value;                                                                                                              \
	}
NT_READER_INTEGER(u8, uint8_t)
NT_READER_INTEGER(u16, uint16_t)
NT_READER_INTEGER(u32, uint32_t)
NT_READER_INTEGER(u64, uint64_t)
NT_READER_INTEGER(i32, int32_t)
#undef NT_READER_INTEGER

/* 7 bits per byte, least significant first, the highest bit says that more follows. At most ten bytes. */
static inline uint64_t nt_reader_varuint(struct nt_reader *reader)
{
	if (!reader->bad && reader->at < reader->end && *reader->at < 0x80)
		return *reader->at++;
	uint64_t value = 0;
	for (unsigned shift = 0; shift < 70; shift += 7) {
		uint8_t byte = nt_reader_u8(reader);
		value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
		if (!(byte & 0x80))
			return value;
	}
	reader->bad = true;
	return 0;
}

/* UTF-16LE up to its NUL, which is taken too: borrowed; *units is its length without the NUL. NULL when there is no NUL. */
static inline const uint8_t *nt_reader_utf16(struct nt_reader *reader, size_t *units)
{
	size_t bytes = reader->bad ? SIZE_MAX : nt_utf16_length(reader->at, nt_reader_left(reader));
	*units = 0;
	if (bytes == SIZE_MAX) {
		reader->bad = true;
		return NULL;
	}
	*units = bytes / 2;
	return nt_reader_bytes(reader, bytes + 2);
}

#endif
