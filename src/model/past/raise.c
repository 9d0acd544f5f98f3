// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/raise.h"

#include "base/alloc.h"
#include "nettop/status.h"
#include "base/arena.h"
#include "model/past/shape.h"

#include <stdlib.h>
#include <string.h>

/* What a node has become: equal texts, and lists of equal rows, have one pointer, as in a snapshot that was never kept. */
struct made {
	const struct nt_shape *as; /* NULL = a text, or nothing yet */
	void *at;
};

struct raising {
	const struct nt_nodes_view *nodes;
	struct nt_arena *arena; /* where all of it lies */
	struct made *made;      /* owned: of node number i + 1 */
};

static const unsigned char *node_at(const struct nt_nodes_view *nodes, uint64_t number, size_t *size)
{
	nt_assert(number && number <= nodes->count);
	size_t start = number > 1 ? nodes->ends[number - 2] : 0;
	*size = nodes->ends[number - 1] - start;
	return nodes->bytes + start;
}

static uint64_t number_at(const unsigned char *at)
{
	uint64_t number;
	memcpy(&number, at, sizeof(number));
	return number;
}

static void set_pointer(unsigned char *at, const void *pointer)
{
	memcpy(at, &pointer, sizeof(pointer));
}

static void raise_parts(const struct raising *raising, const struct nt_shape *shape, unsigned char *at);

static void raise_struct(const struct raising *raising, const struct nt_shape *shape, uint64_t number, unsigned char *to)
{
	size_t size;
	const unsigned char *bytes = node_at(raising->nodes, number, &size);
	nt_assert(size == shape->size);
	memcpy(to, bytes, size);
	raise_parts(raising, shape, to);
}

static const char *raise_text(const struct raising *raising, uint64_t number)
{
	size_t size;
	if (!number)
		return NULL;
	const unsigned char *bytes = node_at(raising->nodes, number, &size);
	struct made *made = &raising->made[number - 1];
	if (!made->at || made->as)
		*made = (struct made){ .at = memcpy(nt_arena_alloc(raising->arena, size), bytes, size) };
	return made->at;
}

static void *make_rows(const struct raising *raising, const struct nt_shape *shape, uint64_t number)
{
	size_t size;
	const unsigned char *bytes = node_at(raising->nodes, number, &size);
	if (!shape->part_count)
		return memcpy(nt_arena_alloc(raising->arena, size), bytes, size);
	size_t count = size / sizeof(uint32_t);
	unsigned char *rows = nt_arena_alloc(raising->arena, count * shape->size);
	for (size_t i = 0; i < count; i++) {
		uint32_t row;
		memcpy(&row, bytes + i * sizeof(row), sizeof(row));
		raise_struct(raising, shape, row, rows + i * shape->size);
	}
	return rows;
}

static void *raise_rows(const struct raising *raising, const struct nt_shape *shape, uint64_t number)
{
	if (!number)
		return NULL;
	struct made *made = &raising->made[number - 1];
	if (made->as == shape)
		return made->at;
	void *rows = make_rows(raising, shape, number);
	*made = (struct made){ .as = shape, .at = rows };
	return rows;
}

static void *raise_refs(const struct raising *raising, const struct nt_shape *shape, uint64_t number, size_t count)
{
	unsigned char *rows = raise_rows(raising, shape, number);
	if (!rows)
		return NULL;
	const void **refs = nt_arena_alloc(raising->arena, count * sizeof(*refs));
	for (size_t i = 0; i < count; i++)
		refs[i] = rows + i * shape->size;
	return refs;
}

static void raise_part(const struct raising *raising, const struct nt_part *part, unsigned char *whole)
{
	unsigned char *at = whole + part->at;
	switch (part->kind) {
	case NT_PART_TEXT:
		for (size_t i = 0; i < part->count; i++, at += sizeof(char *))
			set_pointer(at, raise_text(raising, number_at(at)));
		break;
	case NT_PART_ROWS:
	case NT_PART_FIXED:
		set_pointer(at, raise_rows(raising, part->of, number_at(at)));
		break;
	case NT_PART_REFS:
		set_pointer(at, raise_refs(raising, part->of, number_at(at), nt_part_count(part, whole)));
		break;
	case NT_PART_INSIDE:
		for (size_t i = 0; i < part->count; i++)
			raise_parts(raising, part->of, at + i * part->of->size);
		break;
	case NT_PART_LEFT:
		set_pointer(at, NULL);
		break;
	}
}

static void raise_parts(const struct raising *raising, const struct nt_shape *shape, unsigned char *at)
{
	for (size_t i = 0; i < shape->part_count; i++)
		raise_part(raising, &shape->parts[i], at);
}

struct nt_snapshot *nt_raise(const struct nt_nodes_view *nodes, uint32_t number)
{
	const struct raising raising = { .nodes = nodes, .arena = nt_arena_new(), .made = nt_alloc(nodes->count * sizeof(struct made)) };
	struct nt_snapshot *snapshot = nt_alloc(sizeof(*snapshot));
	raise_struct(&raising, &nt_snapshot_shape, number, (unsigned char *)snapshot);
	free(raising.made);
	snapshot->refs = 1;
	snapshot->arena = raising.arena;
	snapshot->whole = true;
	return snapshot;
}
