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

void nt_node_kinds_fini(struct nt_node_kinds *kinds)
{
	free(kinds->items);
	nt_index_fini(&kinds->by_shape);
	*kinds = (struct nt_node_kinds){ 0 };
}

/* A shape is an object of more than four bytes: the form can be added to where it is. */
size_t nt_node_kind(struct nt_node_kinds *kinds, const struct nt_shape *shape, enum nt_node_form form)
{
	uint64_t key = (uint64_t)(uintptr_t)shape + form;
	uint32_t kind = nt_index_get(&kinds->by_shape, key);
	if (kind != NT_INDEX_NONE)
		return kind;
	kinds->items = nt_grow(kinds->items, &kinds->capacity, kinds->count + 1, sizeof(*kinds->items));
	kinds->items[kinds->count] = (struct nt_node_kind){ .shape = shape, .form = form };
	nt_index_put(&kinds->by_shape, key, (uint32_t)kinds->count);
	return kinds->count++;
}

size_t nt_node_unit(const struct nt_node_kind *kind)
{
	return kind->form == NT_NODE_TEXT ? 1 : kind->form == NT_NODE_NUMBERS ? sizeof(uint32_t) : kind->shape->size;
}

void nt_nodes_fini(struct nt_nodes *nodes)
{
	for (size_t i = 0; i < nodes->list_count; i++) {
		free(nodes->lists[i].bytes);
		free(nodes->lists[i].ends);
	}
	free(nodes->lists);
	nt_index_fini(&nodes->by_bytes);
	*nodes = (struct nt_nodes){ .kinds = nodes->kinds, .elsewhere = nodes->elsewhere };
}

size_t nt_nodes_bytes(const struct nt_nodes *nodes)
{
	size_t bytes = nodes->list_capacity * sizeof(*nodes->lists) + nodes->by_bytes.size * sizeof(*nodes->by_bytes.slots);
	for (size_t i = 0; i < nodes->list_count; i++)
		bytes += nodes->lists[i].capacity + nodes->lists[i].end_capacity * sizeof(*nodes->lists->ends);
	return bytes;
}

struct nt_node_list *nt_nodes_of(struct nt_nodes *nodes, size_t kind)
{
	nodes->lists = nt_grow(nodes->lists, &nodes->list_capacity, kind + 1, sizeof(*nodes->lists));
	while (nodes->list_count <= kind)
		nodes->lists[nodes->list_count++] = (struct nt_node_list){ 0 };
	return &nodes->lists[kind];
}

unsigned char *nt_node_add(struct nt_nodes *nodes, size_t kind, size_t size)
{
	struct nt_node_list *list = nt_nodes_of(nodes, kind);
	list->bytes = nt_grow(list->bytes, &list->capacity, list->used + size, 1);
	unsigned char *at = list->bytes + list->used;
	list->used += size;
	nt_assert(list->used <= UINT32_MAX);
	nodes->used += size;
	if (nodes->kinds->items[kind].form != NT_NODE_ROW) {
		list->ends = nt_grow(list->ends, &list->end_capacity, list->count + 1, sizeof(*list->ends));
		list->ends[list->count] = (uint32_t)list->used;
	}
	list->count++;
	return at;
}

const unsigned char *nt_node_at(const struct nt_nodes *nodes, size_t kind, uint64_t number, size_t *size)
{
	nt_assert(kind < nodes->list_count);
	const struct nt_node_list *list = &nodes->lists[kind];
	nt_assert(number && number <= list->count);
	if (!list->ends) {
		*size = nodes->kinds->items[kind].shape->size;
		return list->bytes + (number - 1) * *size;
	}
	size_t start = number > 1 ? list->ends[number - 2] : 0;
	*size = list->ends[number - 1] - start;
	return list->bytes + start;
}

static bool is_equal(const struct nt_nodes *nodes, size_t kind, uint32_t number, const void *bytes, size_t size)
{
	if (kind >= nodes->list_count || number > nodes->lists[kind].count)
		return false;
	size_t its;
	const unsigned char *at = nt_node_at(nodes, kind, number, &its);
	return its == size && memcmp(at, bytes, size) == 0;
}

static uint32_t put_bytes(struct nt_nodes *nodes, size_t kind, const void *bytes, size_t size)
{
	uint64_t hash = nt_hash_bytes(bytes, size) + kind;
	uint32_t number = nt_index_get(&nodes->by_bytes, hash);
	if (number != NT_INDEX_NONE && is_equal(nodes, kind, number, bytes, size))
		return number;
	memcpy(nt_node_add(nodes, kind, size), bytes, size);
	number = (uint32_t)nodes->lists[kind].count;
	nt_index_put(&nodes->by_bytes, hash, number);
	return number;
}

static uint32_t put_struct(struct nt_nodes *nodes, size_t kind, const void *from);

static uint32_t put_text(struct nt_nodes *nodes, const char *text)
{
	return text ? put_bytes(nodes, nt_node_kind(nodes->kinds, NULL, NT_NODE_TEXT), text, strlen(text) + 1) : 0;
}

/* Of a list. */
static uint32_t put_row(struct nt_nodes *nodes, size_t kind, const void *from)
{
	const struct nt_shape *shape = nodes->kinds->items[kind].shape;
	if (!nodes->elsewhere || !shape->is_logged)
		return put_struct(nodes, kind, from);
	uint32_t number = nodes->elsewhere->put(nodes->elsewhere, shape, from);
	if (!nodes->oldest_elsewhere || number < nodes->oldest_elsewhere)
		nodes->oldest_elsewhere = number;
	return number;
}

/* One that has no pointers is its bytes; else it is the numbers of its rows. */
static uint32_t put_rows(struct nt_nodes *nodes, const struct nt_shape *shape, const unsigned char *rows, size_t count)
{
	if (!rows || !count)
		return 0;
	if (!shape->part_count)
		return put_bytes(nodes, nt_node_kind(nodes->kinds, shape, NT_NODE_ROWS), rows, count * shape->size);
	size_t kind = nt_node_kind(nodes->kinds, shape, NT_NODE_ROW);
	uint32_t *numbers = nt_realloc(NULL, count, sizeof(*numbers));
	for (size_t i = 0; i < count; i++)
		numbers[i] = put_row(nodes, kind, rows + i * shape->size);
	uint32_t number = put_bytes(nodes, nt_node_kind(nodes->kinds, shape, NT_NODE_NUMBERS), numbers, count * sizeof(*numbers));
	free(numbers);
	return number;
}

static uint32_t put_refs(struct nt_nodes *nodes, const struct nt_shape *shape, const void *const *refs, size_t count)
{
	if (!refs || !count)
		return 0;
	size_t kind = nt_node_kind(nodes->kinds, shape, NT_NODE_ROW);
	uint32_t *numbers = nt_realloc(NULL, count, sizeof(*numbers));
	for (size_t i = 0; i < count; i++)
		numbers[i] = put_row(nodes, kind, refs[i]);
	uint32_t number = put_bytes(nodes, nt_node_kind(nodes->kinds, shape, NT_NODE_NUMBERS), numbers, count * sizeof(*numbers));
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

static uint32_t put_struct(struct nt_nodes *nodes, size_t kind, const void *from)
{
	const struct nt_shape *shape = nodes->kinds->items[kind].shape;
	unsigned char copy[STRUCT_BYTES];
	nt_assert(shape->size <= sizeof(copy));
	memcpy(copy, from, shape->size);
	put_parts(nodes, shape, copy);
	return put_bytes(nodes, kind, copy, shape->size);
}

uint32_t nt_nodes_put(struct nt_nodes *nodes, const struct nt_shape *shape, const void *from)
{
	return put_struct(nodes, nt_node_kind(nodes->kinds, shape, NT_NODE_ROW), from);
}
