// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/heap_events.h"

enum { IS_ARRAY = 8, RANK_SHIFT = 8, RANK_MASK = 0x3F, IS_WEAK = 2 /* of a root */ };

struct nt_heap_entries nt_heap_types_begin(const uint8_t *payload, size_t length)
{
	struct nt_heap_entries entries = { .reader = nt_reader_of(payload, length) };
	entries.left = nt_reader_u32(&entries.reader);
	nt_reader_u16(&entries.reader); /* which runtime in the process */
	return entries;
}

struct nt_heap_entries nt_heap_numbered_begin(const uint8_t *payload, size_t length)
{
	struct nt_heap_entries entries = { .reader = nt_reader_of(payload, length) };
	entries.index = nt_reader_u32(&entries.reader);
	entries.left = nt_reader_u32(&entries.reader);
	nt_reader_u16(&entries.reader);
	return entries;
}

struct nt_heap_entries nt_heap_statics_begin(const uint8_t *payload, size_t length)
{
	struct nt_heap_entries entries = { .reader = nt_reader_of(payload, length) };
	entries.left = nt_reader_u32(&entries.reader);
	nt_reader_u64(&entries.reader); /* domain */
	nt_reader_u16(&entries.reader);
	return entries;
}

/* Is there one more, as far as the count says? */
static bool go_on(struct nt_heap_entries *entries)
{
	if (entries->reader.bad || !entries->left)
		return false;
	entries->left--;
	return true;
}

bool nt_heap_type_next(struct nt_heap_entries *entries, struct nt_heap_type_entry *out)
{
	struct nt_reader *reader = &entries->reader;
	if (!go_on(entries))
		return false;
	*out = (struct nt_heap_type_entry){ .id = nt_reader_u64(reader) };
	out->module = nt_reader_u64(reader);
	nt_reader_u32(reader); /* token */
	uint32_t flags = nt_reader_u32(reader);
	nt_reader_u8(reader); /* CorElementType */
	out->is_array = flags & IS_ARRAY;
	out->rank = flags >> RANK_SHIFT & RANK_MASK;
	out->name = nt_reader_utf16(reader, &out->name_units);
	out->argument_count = nt_reader_u32(reader);
	/* A count that does not fit has no bytes: no product of it is made. */
	if (out->argument_count > nt_reader_left(reader) / sizeof(uint64_t))
		reader->bad = true;
	else
		out->arguments = nt_reader_bytes(reader, out->argument_count * sizeof(uint64_t));
	return !reader->bad;
}

bool nt_heap_edge_next(struct nt_heap_entries *entries, uint64_t *object)
{
	if (!go_on(entries))
		return false;
	*object = nt_reader_u64(&entries->reader);
	nt_reader_u32(&entries->reader); /* field, always 0 */
	return !entries->reader.bad;
}

bool nt_heap_root_next(struct nt_heap_entries *entries, struct nt_heap_root_entry *out)
{
	struct nt_reader *reader = &entries->reader;
	if (!go_on(entries))
		return false;
	out->object = nt_reader_u64(reader);
	uint8_t kind = nt_reader_u8(reader);
	out->kind = kind < NT_HEAP_ROOT_KINDS ? (enum nt_heap_root_kind)kind : NT_HEAP_ROOT_OTHER;
	out->is_weak = nt_reader_u32(reader) & IS_WEAK;
	nt_reader_u64(reader); /* where the root is */
	return !reader->bad;
}

bool nt_heap_pair_next(struct nt_heap_entries *entries, struct nt_heap_pair_entry *out)
{
	struct nt_reader *reader = &entries->reader;
	if (!go_on(entries))
		return false;
	out->key = nt_reader_u64(reader);
	out->value = nt_reader_u64(reader);
	nt_reader_u64(reader);
	return !reader->bad;
}

bool nt_heap_static_next(struct nt_heap_entries *entries, struct nt_heap_static_entry *out)
{
	struct nt_reader *reader = &entries->reader;
	if (!go_on(entries))
		return false;
	out->place = nt_reader_u64(reader);
	out->object = nt_reader_u64(reader);
	out->type = nt_reader_u64(reader);
	nt_reader_u32(reader); /* flags */
	out->name = nt_reader_utf16(reader, &out->name_units);
	return !reader->bad;
}

bool nt_heap_is_asked_collection(const uint8_t *payload, size_t length, uint32_t *number)
{
	enum { DEPTH_FULL = 2, INDUCED = 1, NON_CONCURRENT = 0 };
	struct nt_reader reader = nt_reader_of(payload, length);
	*number = nt_reader_u32(&reader);
	uint32_t depth = nt_reader_u32(&reader), reason = nt_reader_u32(&reader), type = nt_reader_u32(&reader);
	return !reader.bad && depth == DEPTH_FULL && reason == INDUCED && type == NON_CONCURRENT;
}
