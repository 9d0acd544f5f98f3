// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/row_copy.h"

static void *pointer_at(const unsigned char *at)
{
	void *pointer;
	memcpy(&pointer, at, sizeof(pointer));
	return pointer;
}

static void set_pointer(unsigned char *at, const void *pointer)
{
	memcpy(at, &pointer, sizeof(pointer));
}

static void *copy_rows(const struct nt_shape *shape, const void *rows, size_t count, struct nt_arena *arena)
{
	if (!rows || !count)
		return NULL;
	unsigned char *copy = memcpy(nt_arena_alloc(arena, count * shape->size), rows, count * shape->size);
	for (size_t i = 0; shape->part_count && i < count; i++)
		nt_row_copy(shape, copy + i * shape->size, arena);
	return copy;
}

static void *copy_refs(const struct nt_shape *shape, const void *const *refs, size_t count, struct nt_arena *arena)
{
	if (!refs || !count)
		return NULL;
	void **copies = nt_arena_alloc(arena, count * sizeof(*copies));
	for (size_t i = 0; i < count; i++)
		copies[i] = copy_rows(shape, refs[i], 1, arena);
	return copies;
}

static void copy_part(const struct nt_part *part, unsigned char *whole, struct nt_arena *arena)
{
	unsigned char *at = whole + part->at;
	switch (part->kind) {
	case NT_PART_TEXT:
		for (size_t i = 0; i < part->count; i++, at += sizeof(char *))
			set_pointer(at, nt_arena_copy(arena, pointer_at(at)));
		break;
	case NT_PART_ROWS:
		set_pointer(at, copy_rows(part->of, pointer_at(at), nt_part_count(part, whole), arena));
		break;
	case NT_PART_REFS:
		set_pointer(at, copy_refs(part->of, pointer_at(at), nt_part_count(part, whole), arena));
		break;
	case NT_PART_FIXED:
		set_pointer(at, copy_rows(part->of, pointer_at(at), part->count, arena));
		break;
	case NT_PART_INSIDE:
		for (size_t i = 0; i < part->count; i++)
			nt_row_copy(part->of, at + i * part->of->size, arena);
		break;
	case NT_PART_LEFT:
		set_pointer(at, NULL);
		break;
	}
}

void nt_row_copy(const struct nt_shape *shape, void *row, struct nt_arena *arena)
{
	for (size_t i = 0; i < shape->part_count; i++)
		copy_part(&shape->parts[i], row, arena);
}
