/* SPDX-License-Identifier: GPL-2.0-only */
/* The two containers of ReadyToRun images, as CoreCLR's NativeFormat reader has them: an array with holes, and a hash table. Offsets are those of the file. */
#ifndef NT_DECODE_NATIVE_FORMAT_H
#define NT_DECODE_NATIVE_FORMAT_H

#include "decode/common/reader.h"
#include "decode/common/window.h"

/* Integers whose lowest bits say how long they are. */
uint32_t nt_native_unsigned(struct nt_reader *reader);
int32_t nt_native_signed(struct nt_reader *reader);

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
