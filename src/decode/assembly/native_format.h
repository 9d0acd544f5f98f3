/* SPDX-License-Identifier: GPL-2.0-only */
/* The two containers of ReadyToRun images, as CoreCLR's NativeFormat reader has them: an array with holes, and a hash table. Offsets are those of the file. */
#ifndef NT_DECODE_NATIVE_FORMAT_H
#define NT_DECODE_NATIVE_FORMAT_H

#include "decode/common/reader.h"
#include "decode/common/window.h"

/* Integers whose lowest bits say how long they are, up to five bytes. How many bits count is in *bits. */
uint32_t nt_native_bits_any(struct nt_reader *reader, unsigned *bits);

/* Inlined: an image has some hundred thousand, nearly all of which have up to four bytes and some more behind them. */
static inline uint32_t nt_native_bits(struct nt_reader *reader, unsigned *bits)
{
	uint32_t word;
	if (reader->bad || nt_reader_left(reader) < sizeof(word))
		return nt_native_bits_any(reader, bits);
	memcpy(&word, reader->at, sizeof(word));
	unsigned bytes = (unsigned)__builtin_ctz(~word | 1 << sizeof(word)) + 1;
	if (bytes > sizeof(word))
		return nt_native_bits_any(reader, bits);
	reader->at += bytes;
	*bits = 7 * bytes;
	return (word & UINT32_MAX >> (32 - 8 * bytes)) >> bytes;
}

static inline uint32_t nt_native_unsigned(struct nt_reader *reader)
{
	unsigned bits;
	return nt_native_bits(reader, &bits);
}

static inline int32_t nt_native_signed(struct nt_reader *reader)
{
	unsigned bits;
	uint32_t value = nt_native_bits(reader, &bits), sign = UINT32_C(1) << (bits - 1);
	return (int32_t)((value ^ sign) - sign);
}

struct nt_native_array {
	struct nt_window *window; /* borrowed */
	uint64_t blocks, end;     /* where the offsets of its blocks begin; where it ends */
	uint32_t count;
	uint8_t width; /* of a block's offset: 1, 2 or 4 */
};

/* The array in [offset, offset + size). False: broken. */
bool nt_native_array_read(struct nt_window *window, uint64_t offset, uint32_t size, struct nt_native_array *array);

/* Where element `index` lies. False: there is none. */
bool nt_native_array_find(const struct nt_native_array *array, uint32_t index, uint64_t *offset);

/* All elements of a block at once: bit i says that element `block` * NT_NATIVE_BLOCK + i is there, at offsets[i]. */
enum { NT_NATIVE_BLOCK = 16 };
unsigned nt_native_array_block(const struct nt_native_array *array, uint32_t block, uint64_t offsets[NT_NATIVE_BLOCK]);

struct nt_native_table {
	struct nt_window *window; /* borrowed */
	uint64_t buckets, end;    /* as above */
	uint32_t bucket_count;
	uint8_t width;
	uint32_t bucket;   /* the one that `at` is in, + 1; 0 = at the start */
	uint64_t at, stop; /* the next entry, the end of its bucket */
};

bool nt_native_table_read(struct nt_window *window, uint64_t offset, uint32_t size, struct nt_native_table *table);

/* The next entry: where the thing lies that it refers to. False: that was the last one, or the table is broken there. */
bool nt_native_table_next(struct nt_native_table *table, uint64_t *offset);

#endif
