// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/raise.h"

#include "base/alloc.h"
#include "nettop/status.h"
#include "base/arena.h"
#include "model/past/shape.h"

#include <stdlib.h>
#include <string.h>

/*
 * What the nodes of each kind have become, each when it is first asked for: equal texts, and lists of equal rows, have one pointer, as in a snapshot that was never kept. Of rows alone nothing
 * is known: each that points at one has its own.
 */
struct raising {
	const struct nt_nodes *nodes;
	struct nt_arena *arena;      /* where all of it lies */
	void **made;                 /* owned: one list of pointers after the other */
	size_t *first;               /* owned: of each kind */
	const struct nt_shape *only; /* what lies behind other pointers is left out; NULL = nothing is */
};

static struct raising begin(const struct nt_nodes *nodes, struct nt_arena *arena)
{
	struct raising raising = { .nodes = nodes, .arena = arena, .first = nt_alloc((nodes->list_count + 1) * sizeof(size_t)) };
	size_t count = 0;
	for (size_t i = 0; i < nodes->list_count; i++) {
		raising.first[i] = count;
		count += nodes->kinds->items[i].form == NT_NODE_ROW ? 0 : nodes->lists[i].count;
	}
	raising.made = nt_alloc((count + 1) * sizeof(*raising.made));
	return raising;
}

static void end(struct raising *raising)
{
	free(raising->made);
	free(raising->first);
}

static void **made_at(const struct raising *raising, size_t kind, uint64_t number)
{
	nt_assert(kind < raising->nodes->list_count && number && number <= raising->nodes->lists[kind].count);
	return &raising->made[raising->first[kind] + number - 1];
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

static void raise_struct(const struct raising *raising, size_t kind, uint64_t number, unsigned char *to)
{
	size_t size;
	const unsigned char *bytes = nt_node_at(raising->nodes, kind, number, &size);
	memcpy(to, bytes, size);
	raise_parts(raising, raising->nodes->kinds->items[kind].shape, to);
}

/* A node that has nothing to be raised in it. */
static void *raise_bytes(const struct raising *raising, const struct nt_shape *shape, enum nt_node_form form, uint64_t number)
{
	if (!number)
		return NULL;
	size_t size, kind = nt_node_kind(raising->nodes->kinds, shape, form);
	void **made = made_at(raising, kind, number);
	const unsigned char *bytes = nt_node_at(raising->nodes, kind, number, &size);
	if (!*made)
		*made = memcpy(nt_arena_alloc(raising->arena, size), bytes, size);
	return *made;
}

static uint32_t row_at(const unsigned char *numbers, size_t index)
{
	uint32_t number;
	memcpy(&number, numbers + index * sizeof(number), sizeof(number));
	return number;
}

/* Those that lie among the same nodes, which mostly come one after the other, together. */
static void raise_elsewhere(const struct raising *raising, size_t kind, const unsigned char *numbers, size_t count, unsigned char *to)
{
	struct nt_rows_elsewhere *elsewhere = raising->nodes->elsewhere;
	struct raising block = { .nodes = NULL };
	size_t size = raising->nodes->kinds->items[kind].shape->size;
	for (size_t i = 0; i < count; i++) {
		uint32_t node;
		const struct nt_nodes *nodes = elsewhere->find(elsewhere, row_at(numbers, i), &node);
		if (nodes != block.nodes) {
			end(&block);
			block = begin(nodes, raising->arena);
		}
		raise_struct(&block, kind, node, to + i * size);
	}
	end(&block);
}

static void *make_rows(const struct raising *raising, const struct nt_shape *shape, size_t kind, uint64_t number)
{
	size_t size, of = nt_node_kind(raising->nodes->kinds, shape, NT_NODE_ROW);
	const unsigned char *bytes = nt_node_at(raising->nodes, kind, number, &size);
	size_t count = size / sizeof(uint32_t);
	unsigned char *rows = nt_arena_alloc(raising->arena, count * shape->size);
	if (raising->nodes->elsewhere && shape->is_logged) {
		raise_elsewhere(raising, of, bytes, count, rows);
		return rows;
	}
	for (size_t i = 0; i < count; i++)
		raise_struct(raising, of, row_at(bytes, i), rows + i * shape->size);
	return rows;
}

static void *raise_listed(const struct raising *raising, const struct nt_shape *shape, uint64_t number)
{
	if (!number)
		return NULL;
	size_t kind = nt_node_kind(raising->nodes->kinds, shape, NT_NODE_NUMBERS);
	void **made = made_at(raising, kind, number);
	if (!*made)
		*made = make_rows(raising, shape, kind, number);
	return *made;
}

static void *raise_rows(const struct raising *raising, const struct nt_shape *shape, uint64_t number)
{
	return shape->part_count ? raise_listed(raising, shape, number) : raise_bytes(raising, shape, NT_NODE_ROWS, number);
}

static void *raise_refs(const struct raising *raising, const struct nt_shape *shape, uint64_t number, size_t count)
{
	unsigned char *rows = raise_listed(raising, shape, number);
	if (!rows)
		return NULL;
	const void **refs = nt_arena_alloc(raising->arena, count * sizeof(*refs));
	for (size_t i = 0; i < count; i++)
		refs[i] = rows + i * shape->size;
	return refs;
}

/* Is `wanted` inside of it, or behind its pointers? A row of a snapshot is no deeper than that. */
static bool leads_to(const struct nt_shape *shape, const struct nt_shape *wanted, int depth)
{
	bool found = shape == wanted;
	for (size_t i = 0; shape && depth && !found && i < shape->part_count; i++)
		found = leads_to(shape->parts[i].of, wanted, depth - 1);
	return found;
}

static bool is_left_out(const struct raising *raising, const struct nt_part *part)
{
	return raising->only && part->kind != NT_PART_INSIDE && !leads_to(part->of, raising->only, 2);
}

static void leave_out(const struct nt_part *part, unsigned char *at)
{
	size_t count = part->kind == NT_PART_TEXT ? part->count : 1;
	for (size_t i = 0; i < count; i++, at += sizeof(char *))
		set_pointer(at, NULL);
}

static void raise_part(const struct raising *raising, const struct nt_part *part, unsigned char *whole)
{
	unsigned char *at = whole + part->at;
	if (is_left_out(raising, part)) {
		leave_out(part, at);
		return;
	}
	switch (part->kind) {
	case NT_PART_TEXT:
		for (size_t i = 0; i < part->count; i++, at += sizeof(char *))
			set_pointer(at, raise_bytes(raising, NULL, NT_NODE_TEXT, number_at(at)));
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
		leave_out(part, at);
		break;
	}
}

static void raise_parts(const struct raising *raising, const struct nt_shape *shape, unsigned char *at)
{
	if (shape == raising->only) {
		struct raising all = *raising;
		all.only = NULL;
		raise_parts(&all, shape, at);
		return;
	}
	for (size_t i = 0; i < shape->part_count; i++)
		raise_part(raising, &shape->parts[i], at);
}

static struct nt_snapshot *raise_only(const struct nt_nodes *nodes, uint32_t number, const struct nt_shape *only)
{
	struct raising raising = begin(nodes, nt_arena_new());
	raising.only = only;
	struct nt_snapshot *snapshot = nt_alloc(sizeof(*snapshot));
	raise_struct(&raising, nt_node_kind(nodes->kinds, &nt_snapshot_shape, NT_NODE_ROW), number, (unsigned char *)snapshot);
	end(&raising);
	snapshot->refs = 1;
	snapshot->arena = raising.arena;
	snapshot->whole = true;
	return snapshot;
}

struct nt_snapshot *nt_raise(const struct nt_nodes *nodes, uint32_t number)
{
	return raise_only(nodes, number, NULL);
}

struct nt_snapshot *nt_raise_samples(const struct nt_nodes *nodes, uint32_t number)
{
	return raise_only(nodes, number, &nt_interval_samples_shape);
}
