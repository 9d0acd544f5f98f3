// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/native_format.h"

#include <string.h>

enum {
	INTEGER_BYTES = 5, /* the longest */
	BLOCK = NT_NATIVE_BLOCK,
	TREE_BYTES = 256, /* those of a block seldom take half of it */
	BUCKET_BITS_MAX = 24,
};

uint32_t nt_native_bits_any(struct nt_reader *reader, unsigned *bits)
{
	uint32_t first = nt_reader_u8(reader);
	unsigned length = 1; /* one byte more for each 1 before the first 0 */
	while (length < INTEGER_BYTES && first >> (length - 1) & 1)
		length++;
	uint32_t value = first;
	if (length == INTEGER_BYTES)
		value = 0;
	for (unsigned i = 1; i < length; i++) {
		unsigned place = length == INTEGER_BYTES ? i - 1 : i;
		value |= (uint32_t)nt_reader_u8(reader) << (8 * place);
	}
	*bits = length == INTEGER_BYTES ? 32 : 7 * length;
	return length == INTEGER_BYTES ? value : value >> length;
}

/* A reader over at most `most` bytes from `offset` on. */
static struct nt_reader reader_at(struct nt_window *window, uint64_t offset, uint64_t end, size_t most)
{
	size_t size = offset >= end ? 0 : end - offset < most ? (size_t)(end - offset) : most;
	const uint8_t *bytes = size ? nt_window_at(window, offset, size) : NULL;
	return bytes ? nt_reader_of(bytes, size) : (struct nt_reader){ .bad = true };
}

/* One of the offsets that both containers begin with. */
static bool read_offset(struct nt_window *window, uint64_t place, uint64_t end, uint8_t width, uint32_t *value)
{
	struct nt_reader reader = reader_at(window, place, end, width);
	*value = width == 1 ? nt_reader_u8(&reader) : width == 2 ? nt_reader_u16(&reader) : nt_reader_u32(&reader);
	return !reader.bad;
}

static uint8_t width_of(uint32_t code)
{
	return code == 0 ? 1 : code == 1 ? 2 : 4;
}

/* ---- the array: a table of blocks, each a tree of its elements by the bits of their numbers ---- */

bool nt_native_array_read(struct nt_window *window, uint64_t offset, uint32_t size, struct nt_native_array *array)
{
	*array = (struct nt_native_array){ .window = window, .end = offset + size };
	struct nt_reader reader = reader_at(window, offset, array->end, INTEGER_BYTES);
	size_t had = nt_reader_left(&reader);
	uint32_t header = nt_native_unsigned(&reader);
	array->blocks = offset + (had - nt_reader_left(&reader));
	array->count = header >> 2;
	array->width = width_of(header & 3);
	uint64_t blocks = ((uint64_t)array->count + BLOCK - 1) / BLOCK;
	return !reader.bad && blocks * array->width <= array->end - array->blocks;
}

/* The node of the tree at `place`: whether the element is below it, and where to go on. */
enum step { ABSENT, FOUND, ON };

enum { LEFT = 1, RIGHT = 2 };

static enum step step(const struct nt_native_array *array, uint64_t *place, uint32_t index, unsigned bit)
{
	struct nt_reader reader = reader_at(array->window, *place, array->end, INTEGER_BYTES);
	size_t had = nt_reader_left(&reader);
	uint32_t node = nt_native_unsigned(&reader);
	if (reader.bad)
		return ABSENT;
	uint64_t behind = *place + (had - nt_reader_left(&reader));
	if (index & bit && node & RIGHT) {
		*place += node >> 2;
		return ON;
	}
	if (!(index & bit) && node & LEFT) {
		*place = behind;
		return ON;
	}
	/* A branch with one element only says which one. */
	if ((node & (LEFT | RIGHT)) == 0 && node >> 2 == (index & (BLOCK - 1))) {
		*place = behind;
		return FOUND;
	}
	return ABSENT;
}

bool nt_native_array_find(const struct nt_native_array *array, uint32_t index, uint64_t *offset)
{
	uint32_t block;
	if (index >= array->count ||
	    !read_offset(array->window, array->blocks + (uint64_t)(index / BLOCK) * array->width, array->end, array->width, &block))
		return false;
	uint64_t place = array->blocks + block;
	for (unsigned bit = BLOCK >> 1; bit; bit >>= 1) {
		enum step next = step(array, &place, index, bit);
		if (next == ABSENT)
			return false;
		if (next == FOUND)
			break;
	}
	*offset = place;
	return place < array->end;
}

/* A whole tree: the bytes in hand of it, from `at` on, and what was found there. */
struct tree {
	const uint8_t *bytes;
	size_t size;
	uint64_t at, end; /* `end`: of the array */
	uint64_t *offsets;
	unsigned found; /* a bit for each element */
};

static void find_in(struct tree *tree, unsigned element, uint64_t place)
{
	tree->offsets[element] = tree->at + place;
	if (tree->offsets[element] < tree->end)
		tree->found |= 1u << element;
}

/* The node at `place`, below which those elements are that begin with the bits of `first` above `bit`. False: not all of it is in hand. */
static bool go_through(struct tree *tree, uint64_t place, unsigned first, unsigned bit)
{
	if (!bit) {
		find_in(tree, first, place);
		return true;
	}
	if (place >= tree->size)
		return false;
	struct nt_reader reader = nt_reader_of(tree->bytes + place, tree->size - (size_t)place);
	uint32_t node = nt_native_unsigned(&reader), element = node >> 2;
	uint64_t behind = tree->size - nt_reader_left(&reader);
	if (reader.bad)
		return false;
	if (!(node & (LEFT | RIGHT))) {
		if (element < BLOCK && (element & ~(2 * bit - 1)) == first)
			find_in(tree, element, behind);
		return true;
	}
	return (!(node & LEFT) || go_through(tree, behind, first, bit >> 1)) &&
	       (!(node & RIGHT) || go_through(tree, place + (node >> 2), first | bit, bit >> 1));
}

unsigned nt_native_array_block(const struct nt_native_array *array, uint32_t block, uint64_t offsets[NT_NATIVE_BLOCK])
{
	uint32_t first = block * BLOCK, distance, count = first < array->count ? array->count - first : 0;
	if (!count || !read_offset(array->window, array->blocks + (uint64_t)block * array->width, array->end, array->width, &distance))
		return 0;
	struct tree tree = { .at = array->blocks + distance, .end = array->end, .offsets = offsets };
	if (tree.at >= tree.end)
		return 0;
	tree.size = tree.end - tree.at < TREE_BYTES ? (size_t)(tree.end - tree.at) : TREE_BYTES;
	tree.bytes = nt_window_at(array->window, tree.at, tree.size);
	if (!tree.bytes || !go_through(&tree, 0, 0, BLOCK >> 1)) {
		tree.found = 0;
		for (unsigned i = 0; i < BLOCK; i++)
			if (nt_native_array_find(array, first + i, &offsets[i]))
				tree.found |= 1u << i;
	}
	return count < BLOCK ? tree.found & ((1u << count) - 1) : tree.found;
}

/* ---- the hash table: entries of a bucket lie together, each one byte of hash and the distance to what it refers to ---- */

bool nt_native_table_read(struct nt_window *window, uint64_t offset, uint32_t size, struct nt_native_table *table)
{
	*table = (struct nt_native_table){ .window = window, .buckets = offset + 1, .end = offset + size };
	struct nt_reader reader = reader_at(window, offset, table->end, 1);
	unsigned header = nt_reader_u8(&reader), bits = header >> 2;
	if (reader.bad || bits > BUCKET_BITS_MAX)
		return false;
	table->width = width_of(header & 3);
	table->bucket_count = UINT32_C(1) << bits;
	return ((uint64_t)table->bucket_count + 1) * table->width <= size - 1;
}

/* False: there is no further one, or it begins before the one before ends, so that walking through them might take for ever. */
static bool next_bucket(struct nt_native_table *table)
{
	if (table->bucket == table->bucket_count)
		return false;
	uint32_t start, stop;
	uint64_t place = table->buckets + (uint64_t)table->bucket * table->width;
	if (!read_offset(table->window, place, table->end, table->width, &start) ||
	    !read_offset(table->window, place + table->width, table->end, table->width, &stop) || stop < start)
		return false;
	if (table->bucket && table->buckets + start < table->stop)
		return false;
	table->bucket++;
	table->at = table->buckets + start;
	table->stop = table->buckets + stop;
	return table->stop <= table->end;
}

bool nt_native_table_next(struct nt_native_table *table, uint64_t *offset)
{
	while (table->at >= table->stop)
		if (!next_bucket(table))
			return false;
	struct nt_reader reader = reader_at(table->window, table->at, table->end, 1 + INTEGER_BYTES);
	size_t had = nt_reader_left(&reader);
	nt_reader_u8(&reader); /* hash */
	int32_t distance = nt_native_signed(&reader);
	if (reader.bad)
		return false;
	*offset = table->at + 1 + (uint64_t)(int64_t)distance;
	table->at += had - nt_reader_left(&reader);
	return *offset < table->end;
}
