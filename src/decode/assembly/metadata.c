// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/metadata.h"

#include "decode/assembly/metadata_tables.h"
#include "decode/common/reader.h"

#include <string.h>

#define METADATA_SIGNATURE UINT32_C(0x424a5342)

enum {
	STREAMS_MAX = 16,
	STREAM_NAME_MAX = 32,
	VERSION_MAX = 256,
	ROWS_MAX = 1 << 24,  /* a token has 24 bits for a row */
	EXTRA_DATA = 1 << 6, /* of heap_sizes: four bytes more behind the row counts */
};

/* ---- the root and its streams (II.24.2.1, II.24.2.2) ---- */

struct stream {
	struct nt_metadata_heap place;
	char name[STREAM_NAME_MAX];
};

/* One stream header at `*at`, which is moved behind it. */
static bool read_stream(struct nt_window *window, struct nt_metadata_heap root, uint64_t *at, struct stream *out)
{
	uint64_t left = root.offset + root.size - *at;
	size_t size = left < 8 + STREAM_NAME_MAX ? left : 8 + STREAM_NAME_MAX;
	const uint8_t *bytes = nt_window_at(window, *at, size);
	if (!bytes || size < 8)
		return false;
	struct nt_reader reader = nt_reader_of(bytes, size);
	uint32_t offset = nt_reader_u32(&reader);
	out->place = (struct nt_metadata_heap){ root.offset + offset, nt_reader_u32(&reader) };
	const uint8_t *end = memchr(reader.at, '\0', nt_reader_left(&reader));
	if (!end || offset > root.size || out->place.size > root.size - offset)
		return false;
	size_t length = (size_t)(end - reader.at);
	memcpy(out->name, reader.at, length + 1);
	*at += 8 + (length / 4 + 1) * 4;
	return true;
}

static bool find_streams(struct nt_metadata *md, struct nt_metadata_heap root, struct nt_metadata_heap *tables)
{
	const uint8_t *bytes = root.size >= 16 ? nt_window_at(md->window, root.offset, 16) : NULL;
	if (!bytes)
		return false;
	struct nt_reader reader = nt_reader_of(bytes, 16);
	uint32_t signature = nt_reader_u32(&reader);
	nt_reader_u64(&reader); /* versions, reserved */
	uint32_t version_bytes = nt_reader_u32(&reader);
	if (signature != METADATA_SIGNATURE || version_bytes > VERSION_MAX || root.size < 20 + version_bytes)
		return false;
	uint64_t at = root.offset + 16 + version_bytes;
	bytes = nt_window_at(md->window, at, 4);
	if (!bytes)
		return false;
	unsigned count = bytes[2] | (unsigned)bytes[3] << 8;
	at += 4;
	for (unsigned i = 0; i < count && i < STREAMS_MAX; i++) {
		struct stream stream;
		if (at > root.offset + root.size || !read_stream(md->window, root, &at, &stream))
			return false;
		if (strcmp(stream.name, "#~") == 0)
			*tables = stream.place;
		else if (strcmp(stream.name, "#Strings") == 0)
			md->strings = stream.place;
		else if (strcmp(stream.name, "#Blob") == 0)
			md->blobs = stream.place;
		else if (strcmp(stream.name, "#GUID") == 0)
			md->guids = stream.place;
		else if (strcmp(stream.name, "#Pdb") == 0)
			md->pdb = stream.place;
	}
	return tables->size != 0;
}

/* ---- tables (II.24.2.6) ---- */

enum { TABLES_HEADER_BYTES = 24 };

static bool read_counts(struct nt_metadata *md, struct nt_metadata_heap tables, uint64_t *rows_at)
{
	size_t size = tables.size < TABLES_HEADER_BYTES + 64 * 4 ? tables.size : TABLES_HEADER_BYTES + 64 * 4;
	const uint8_t *bytes = nt_window_at(md->window, tables.offset, size);
	if (!bytes)
		return false;
	struct nt_reader reader = nt_reader_of(bytes, size);
	nt_reader_bytes(&reader, 6); /* reserved, versions */
	md->heap_sizes = nt_reader_u8(&reader);
	nt_reader_u8(&reader);
	uint64_t present = nt_reader_u64(&reader);
	nt_reader_u64(&reader); /* which are sorted */
	for (unsigned table = 0; table < 64; table++) {
		uint32_t count = present >> table & 1 ? nt_reader_u32(&reader) : 0;
		if (count > ROWS_MAX)
			return false;
		if (table < NT_TABLE_COUNT)
			md->tables[table].count = count;
		else
			md->further_counts[table - NT_TABLE_COUNT] = count;
	}
	if (md->heap_sizes & EXTRA_DATA)
		nt_reader_u32(&reader);
	*rows_at = tables.offset + (size - nt_reader_left(&reader));
	/* Through MethodPtr the methods of a type would not lie together. */
	return !reader.bad && !md->tables[NT_TABLE_METHOD_PTR].count;
}

static bool place_tables(struct nt_metadata *md, struct nt_metadata_heap tables, uint64_t at)
{
	uint64_t end = tables.offset + tables.size;
	for (unsigned table = 0; table < NT_TABLE_COUNT; table++) {
		struct nt_metadata_rows *rows = &md->tables[table];
		uint64_t bytes = (uint64_t)rows->count * rows->bytes;
		if (bytes > end - at)
			return false;
		rows->offset = at;
		at += bytes;
	}
	return true;
}

bool nt_metadata_read(struct nt_window *window, uint64_t offset, uint32_t size, struct nt_metadata *md)
{
	*md = (struct nt_metadata){ .window = window };
	struct nt_metadata_heap tables = { 0 };
	uint64_t rows_at;
	if (offset > nt_window_size(window) || !find_streams(md, (struct nt_metadata_heap){ offset, size }, &tables) ||
	    !read_counts(md, tables, &rows_at))
		return false;
	nt_metadata_lay_out(md);
	return place_tables(md, tables, rows_at);
}

bool nt_metadata_of(const struct nt_pe *pe, struct nt_metadata *md)
{
	uint64_t offset;
	return nt_pe_offset(pe, pe->metadata.rva, pe->metadata.size, &offset) &&
	       nt_metadata_read(pe->window, offset, pe->metadata.size, md);
}

/* ---- rows ---- */

static uint32_t number_of(const uint8_t *bytes, uint8_t width)
{
	uint32_t value = 0;
	memcpy(&value, bytes, width); /* nettop runs on little-endian machines only */
	return value;
}

bool nt_metadata_row(const struct nt_metadata *md, enum nt_metadata_table table, uint32_t rid, uint32_t columns[NT_COLUMNS_MAX])
{
	const struct nt_metadata_rows *rows = &md->tables[table];
	if (!rid || rid > rows->count)
		return false;
	const uint8_t *bytes = nt_window_at(md->window, rows->offset + (uint64_t)(rid - 1) * rows->bytes, rows->bytes);
	if (!bytes)
		return false;
	for (unsigned i = 0; i < NT_COLUMNS_MAX && rows->widths[i]; i++) {
		columns[i] = number_of(bytes, rows->widths[i]);
		bytes += rows->widths[i];
	}
	return true;
}

bool nt_metadata_cell(const struct nt_metadata *md, enum nt_metadata_table table, uint32_t rid, unsigned column, uint32_t *value)
{
	uint32_t columns[NT_COLUMNS_MAX] = { 0 };
	if (!nt_metadata_row(md, table, rid, columns))
		return false;
	*value = columns[column];
	return true;
}

uint32_t nt_metadata_last_up_to(const struct nt_metadata *md, enum nt_metadata_table table, unsigned column, uint32_t value)
{
	uint32_t low = 0, high = md->tables[table].count; /* rows 1..low are <= value */
	while (low < high) {
		uint32_t middle = low + (high - low + 1) / 2, found;
		if (!nt_metadata_cell(md, table, middle, column, &found))
			return 0;
		if (found <= value)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* ---- heaps (II.24.2.3 - II.24.2.5) ---- */

size_t nt_metadata_string(const struct nt_metadata *md, uint32_t index, char *buf, size_t size)
{
	buf[0] = '\0';
	if (index >= md->strings.size)
		return 0;
	size_t left = md->strings.size - index;
	size_t wanted = size < NT_WINDOW_MAX ? size : NT_WINDOW_MAX;
	size_t most = left < wanted ? left : wanted;
	const uint8_t *bytes = nt_window_at(md->window, md->strings.offset + index, most);
	if (!bytes)
		return 0;
	size_t length = strnlen((const char *)bytes, most);
	if (length == size)
		length = size - 1;
	memcpy(buf, bytes, length);
	buf[length] = '\0';
	return length;
}

uint32_t nt_metadata_compressed_long(struct nt_reader *reader)
{
	uint32_t first = nt_reader_u8(reader);
	if (!(first & 0x80))
		return first;
	uint32_t second = nt_reader_u8(reader);
	if (!(first & 0x40))
		return (first & 0x3f) << 8 | second;
	uint32_t third = nt_reader_u8(reader);
	return (first & 0x1f) << 24 | second << 16 | third << 8 | nt_reader_u8(reader);
}

int32_t nt_metadata_compressed_signed(struct nt_reader *reader)
{
	static const int32_t beyond[] = { 1 << 6, 1 << 13, 1 << 28 }; /* by the number of bytes: 1, 2, 4 */
	size_t left = nt_reader_left(reader);
	uint32_t value = nt_metadata_compressed(reader);
	size_t bytes = left - nt_reader_left(reader);
	int32_t magnitude = (int32_t)(value >> 1); /* the sign is the lowest bit */
	return value & 1 ? magnitude - beyond[bytes / 2] : magnitude;
}

bool nt_metadata_blob_place(const struct nt_metadata *md, uint32_t index, struct nt_metadata_heap *place)
{
	if (!index || index >= md->blobs.size)
		return false;
	uint32_t left = md->blobs.size - index;
	size_t head = left < 4 ? left : 4;
	const uint8_t *bytes = nt_window_at(md->window, md->blobs.offset + index, head);
	if (!bytes)
		return false;
	struct nt_reader reader = nt_reader_of(bytes, head);
	place->size = nt_metadata_compressed(&reader);
	uint32_t prefix = (uint32_t)(head - nt_reader_left(&reader));
	place->offset = md->blobs.offset + index + prefix;
	return !reader.bad && place->size <= left - prefix;
}

bool nt_metadata_blob(const struct nt_metadata *md, uint32_t index, uint8_t *buf, size_t size, size_t *length)
{
	struct nt_metadata_heap place;
	if (!nt_metadata_blob_place(md, index, &place) || place.size > size || place.size > NT_WINDOW_MAX)
		return false;
	*length = place.size;
	const uint8_t *bytes = nt_window_at(md->window, place.offset, *length);
	if (bytes)
		memcpy(buf, bytes, *length);
	return bytes;
}

bool nt_metadata_mvid(const struct nt_metadata *md, uint8_t mvid[16])
{
	uint32_t index;
	if (!nt_metadata_cell(md, NT_TABLE_MODULE, 1, NT_MODULE_MVID, &index) || !index || index > md->guids.size / 16)
		return false;
	const uint8_t *bytes = nt_window_at(md->window, md->guids.offset + (uint64_t)(index - 1) * 16, 16);
	if (bytes)
		memcpy(mvid, bytes, 16);
	return bytes;
}
