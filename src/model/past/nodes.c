// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/nodes.h"

#include "base/alloc.h"
#include "nettop/status.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The largest struct that has a shape is a process, with 16 KB. */
enum { STRUCT_BYTES = 24 * 1024 };

void nt_nodes_fini(struct nt_nodes *nodes)
{
	free(nodes->bytes);
	free(nodes->ends);
	nt_index_fini(&nodes->by_bytes);
	*nodes = (struct nt_nodes){ 0 };
}

static size_t start_of(const struct nt_nodes *nodes, uint32_t number)
{
	return number > 1 ? nodes->ends[number - 2] : 0;
}

static bool is_equal(const struct nt_nodes *nodes, uint32_t number, const void *bytes, size_t size)
{
	size_t start = start_of(nodes, number);
	return nodes->ends[number - 1] - start == size && memcmp(nodes->bytes + start, bytes, size) == 0;
}

static uint32_t put_bytes(struct nt_nodes *nodes, const void *bytes, size_t size)
{
	uint64_t hash = nt_hash_bytes(bytes, size);
	uint32_t number = nt_index_get(&nodes->by_bytes, hash);
	if (number != NT_INDEX_NONE && is_equal(nodes, number, bytes, size))
		return number;
	nodes->bytes = nt_grow(nodes->bytes, &nodes->capacity, nodes->used + size, 1);
	memcpy(nodes->bytes + nodes->used, bytes, size);
	nodes->used += size;
	nodes->ends = nt_grow(nodes->ends, &nodes->end_capacity, nodes->count + 1, sizeof(*nodes->ends));
	nodes->ends[nodes->count++] = nodes->used;
	nt_index_put(&nodes->by_bytes, hash, (uint32_t)nodes->count);
	return (uint32_t)nodes->count;
}

static uint32_t put_text(struct nt_nodes *nodes, const char *text)
{
	return text ? put_bytes(nodes, text, strlen(text) + 1) : 0;
}

/* One that has no pointers is its bytes; else it is the numbers of its rows. */
static uint32_t put_rows(struct nt_nodes *nodes, const struct nt_shape *shape, const unsigned char *rows, size_t count)
{
	if (!rows || !count)
		return 0;
	if (!shape->part_count)
		return put_bytes(nodes, rows, count * shape->size);
	uint32_t *numbers = nt_realloc(NULL, count, sizeof(*numbers));
	for (size_t i = 0; i < count; i++)
		numbers[i] = nt_nodes_put(nodes, shape, rows + i * shape->size);
	uint32_t number = put_bytes(nodes, numbers, count * sizeof(*numbers));
	free(numbers);
	return number;
}

static uint32_t put_refs(struct nt_nodes *nodes, const struct nt_shape *shape, const void *const *refs, size_t count)
{
	if (!refs || !count)
		return 0;
	uint32_t *numbers = nt_realloc(NULL, count, sizeof(*numbers));
	for (size_t i = 0; i < count; i++)
		numbers[i] = nt_nodes_put(nodes, shape, refs[i]);
	uint32_t number = put_bytes(nodes, numbers, count * sizeof(*numbers));
	free(numbers);
	return number;
}

static const void *pointer_at(const unsigned char *at)
{
	const void *pointer;
	memcpy(&pointer, at, sizeof(pointer));
	return pointer;
}

static void set_number(unsigned char *at, uint64_t number)
{
	memcpy(at, &number, sizeof(number));
}

static void put_parts(struct nt_nodes *nodes, const struct nt_shape *shape, unsigned char *copy);

static void put_part(struct nt_nodes *nodes, const struct nt_part *part, unsigned char *copy)
{
	unsigned char *at = copy + part->at;
	switch (part->kind) {
	case NT_PART_TEXT:
		for (size_t i = 0; i < part->count; i++, at += sizeof(char *))
			set_number(at, put_text(nodes, pointer_at(at)));
		break;
	case NT_PART_ROWS:
		set_number(at, put_rows(nodes, part->of, pointer_at(at), nt_part_count(part, copy)));
		break;
	case NT_PART_REFS:
		set_number(at, put_refs(nodes, part->of, pointer_at(at), nt_part_count(part, copy)));
		break;
	case NT_PART_FIXED:
		set_number(at, put_rows(nodes, part->of, pointer_at(at), part->count));
		break;
	case NT_PART_INSIDE:
		for (size_t i = 0; i < part->count; i++)
			put_parts(nodes, part->of, at + i * part->of->size);
		break;
	case NT_PART_LEFT:
		set_number(at, 0);
		memset(copy + part->count_at, 0, part->count_size);
		break;
	}
}

static void put_parts(struct nt_nodes *nodes, const struct nt_shape *shape, unsigned char *copy)
{
	for (size_t i = 0; i < shape->part_count; i++)
		put_part(nodes, &shape->parts[i], copy);
}

uint32_t nt_nodes_put(struct nt_nodes *nodes, const struct nt_shape *shape, const void *from)
{
	unsigned char copy[STRUCT_BYTES];
	nt_assert(shape->size <= sizeof(copy));
	memcpy(copy, from, shape->size);
	put_parts(nodes, shape, copy);
	return put_bytes(nodes, copy, shape->size);
}
