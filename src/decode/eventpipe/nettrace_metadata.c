// SPDX-License-Identifier: GPL-2.0-only
/*
 * A metadata record (NetTraceFormat_v5.md, "Metadata event encoding"): number, provider, id, name, keywords, version, level, fields; then tags. Fields
 * that hold arrays do not fit the old layout: they come once more in a tag, in a layout that says the length of each field.
 */
#include "decode/eventpipe/nettrace_metadata.h"

#include "base/alloc.h"
#include "base/text.h"
#include "decode/common/reader.h"

#include <stdlib.h>

enum {
	KINDS_MAX = 1 << 16,
	ARENA_MAX = 16 << 20,
	FIELDS_MAX = 1024, /* of one object */
	DEPTH_MAX = 16,
	TEXT_MAX = 4096, /* bytes of a name */
};

enum tag { TAG_OPCODE = 1, TAG_FIELDS_V2 = 2 };

/* In the old layout a field's name follows its type, in the new one it precedes it, after the length of all of it. */
enum layout { LAYOUT_V1, LAYOUT_V2 };

void nt_nettrace_kinds_init(struct nt_nettrace_kinds *kinds)
{
	*kinds = (struct nt_nettrace_kinds){ .arena = nt_arena_new() };
}

void nt_nettrace_kinds_fini(struct nt_nettrace_kinds *kinds)
{
	nt_arena_free(kinds->arena);
	nt_index_fini(&kinds->by_number);
	free(kinds->items);
}

struct nt_nettrace_meta *nt_nettrace_kinds_get(const struct nt_nettrace_kinds *kinds, uint32_t number)
{
	uint32_t index = nt_index_get(&kinds->by_number, number);
	return index == NT_INDEX_NONE ? NULL : kinds->items[index];
}

static const char *read_text(struct nt_nettrace_kinds *kinds, struct nt_reader *reader)
{
	char text[TEXT_MAX];
	size_t units, length = 0;
	const uint8_t *utf16 = nt_reader_utf16(reader, &units);
	if (utf16)
		length = nt_utf16_to_utf8(utf16, units, text, sizeof(text));
	return nt_arena_text(kinds->arena, text, length);
}

static const struct nt_nettrace_field *read_fields(struct nt_nettrace_kinds *kinds, struct nt_reader *reader, enum layout layout,
						   unsigned depth, uint32_t *count);

static void read_type(struct nt_nettrace_kinds *kinds, struct nt_reader *reader, enum layout layout, unsigned depth,
		      struct nt_nettrace_field *field)
{
	field->type = nt_reader_u32(reader);
	if (depth == DEPTH_MAX) {
		reader->bad = true;
	} else if (field->type == NT_NETTRACE_OBJECT) {
		field->children = read_fields(kinds, reader, layout, depth + 1, &field->child_count);
	} else if (field->type == NT_NETTRACE_ARRAY) {
		struct nt_nettrace_field *element = nt_arena_alloc(kinds->arena, sizeof(*element));
		*element = (struct nt_nettrace_field){ .name = "" };
		read_type(kinds, reader, layout, depth + 1, element);
		field->children = element;
		field->child_count = 1;
	}
}

static void read_field(struct nt_nettrace_kinds *kinds, struct nt_reader *reader, enum layout layout, unsigned depth,
		       struct nt_nettrace_field *field)
{
	*field = (struct nt_nettrace_field){ .name = "" };
	if (layout == LAYOUT_V1) {
		read_type(kinds, reader, layout, depth, field);
		field->name = read_text(kinds, reader);
		return;
	}
	/* The length counts itself. What a later version appends to a field is skipped. */
	uint32_t length = nt_reader_u32(reader);
	const uint8_t *bytes = nt_reader_bytes(reader, length >= sizeof(length) ? length - sizeof(length) : SIZE_MAX);
	if (!bytes)
		return;
	struct nt_reader inner = nt_reader_of(bytes, length - sizeof(length));
	field->name = read_text(kinds, &inner);
	read_type(kinds, &inner, layout, depth, field);
	reader->bad |= inner.bad;
}

static const struct nt_nettrace_field *read_fields(struct nt_nettrace_kinds *kinds, struct nt_reader *reader, enum layout layout,
						   unsigned depth, uint32_t *count)
{
	uint32_t announced = nt_reader_u32(reader);
	if (announced > FIELDS_MAX || nt_arena_bytes(kinds->arena) > ARENA_MAX)
		reader->bad = true;
	if (reader->bad || !announced)
		return NULL;
	struct nt_nettrace_field *fields = nt_arena_alloc(kinds->arena, announced * sizeof(*fields));
	for (*count = 0; *count < announced && !reader->bad; ++*count)
		read_field(kinds, reader, layout, depth, &fields[*count]);
	return fields;
}

static void read_tags(struct nt_nettrace_kinds *kinds, struct nt_reader *reader, struct nt_nettrace_meta *meta)
{
	while (nt_reader_left(reader) && !reader->bad) {
		uint32_t length = nt_reader_u32(reader);
		enum tag tag = nt_reader_u8(reader);
		const uint8_t *bytes = nt_reader_bytes(reader, length);
		if (tag != TAG_FIELDS_V2 || !bytes)
			continue;
		struct nt_reader inner = nt_reader_of(bytes, length);
		meta->fields = read_fields(kinds, &inner, LAYOUT_V2, 0, &meta->field_count);
		reader->bad |= inner.bad;
	}
}

static void put(struct nt_nettrace_kinds *kinds, uint32_t number, struct nt_nettrace_meta *meta)
{
	kinds->items = nt_grow(kinds->items, &kinds->capacity, kinds->count + 1, sizeof(struct nt_nettrace_meta *));
	kinds->items[kinds->count] = meta;
	nt_index_put(&kinds->by_number, number, (uint32_t)kinds->count++);
}

enum nt_status nt_nettrace_kinds_add(struct nt_nettrace_kinds *kinds, const uint8_t *bytes, size_t length)
{
	struct nt_reader reader = nt_reader_of(bytes, length);
	uint32_t number = nt_reader_u32(&reader);
	if (nt_nettrace_kinds_get(kinds, number))
		return NT_OK;
	if (kinds->count == KINDS_MAX || nt_arena_bytes(kinds->arena) > ARENA_MAX)
		return NT_ERR_MALFORMED;
	struct nt_nettrace_meta *meta = nt_arena_alloc(kinds->arena, sizeof(*meta));
	*meta = (struct nt_nettrace_meta){ 0 };
	meta->provider = read_text(kinds, &reader);
	meta->id = nt_reader_u32(&reader);
	meta->name = read_text(kinds, &reader);
	meta->keywords = nt_reader_u64(&reader);
	meta->version = nt_reader_u32(&reader);
	meta->level = nt_reader_u32(&reader);
	meta->fields = read_fields(kinds, &reader, LAYOUT_V1, 0, &meta->field_count);
	read_tags(kinds, &reader, meta);
	if (reader.bad)
		return NT_ERR_MALFORMED;
	put(kinds, number, meta);
	return NT_OK;
}
