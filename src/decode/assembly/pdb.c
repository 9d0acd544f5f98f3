// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/pdb.h"

#include "decode/common/reader.h"

enum {
	RECORD_BYTES = 32, /* more than any one of the sequence points has: at most five integers of four bytes */
	HIDDEN_LINE = 0,   /* of a point in the results */
	LINE_MAX_SAID = 0x1fffffff,
	POINTS_BYTES = 4 << 20, /* of a method: some 500 000 points */
	PARTS_BYTES = 4096,     /* of a document's name: what is looked at */
};

bool nt_pdb_read(struct nt_window *window, struct nt_pdb *pdb)
{
	uint64_t size = nt_window_size(window);
	if (size > UINT32_MAX || !nt_metadata_read(window, 0, (uint32_t)size, &pdb->metadata) || pdb->metadata.pdb.size < NT_PDB_ID_BYTES)
		return false;
	const uint8_t *id = nt_window_at(window, pdb->metadata.pdb.offset, NT_PDB_ID_BYTES);
	if (id)
		memcpy(pdb->id, id, NT_PDB_ID_BYTES);
	return id;
}

/* ---- sequence points (the blob of that name) ---- */

/* The integers of the next record: as many bytes as may belong to it. */
static struct nt_reader look(const struct nt_pdb_points *points)
{
	size_t size = points->blob.size < RECORD_BYTES ? points->blob.size : RECORD_BYTES;
	const uint8_t *bytes = nt_window_at(points->window, points->blob.offset, size);
	return nt_reader_of(bytes, bytes ? size : 0);
}

/* Step over what was read. False: it was broken. */
static bool pass(struct nt_pdb_points *points, const struct nt_reader *reader, const struct nt_reader *start)
{
	size_t used = (size_t)(reader->at - start->at);
	points->blob.offset += used;
	points->blob.size -= (uint32_t)used;
	return !reader->bad;
}

bool nt_pdb_points_of(const struct nt_pdb *pdb, uint32_t rid, struct nt_pdb_points *points)
{
	uint32_t columns[NT_COLUMNS_MAX];
	*points = (struct nt_pdb_points){ .window = pdb->metadata.window };
	if (!nt_metadata_row(&pdb->metadata, NT_TABLE_METHOD_DEBUG, rid, columns) ||
	    !nt_metadata_blob_place(&pdb->metadata, columns[NT_METHOD_DEBUG_POINTS], &points->blob))
		return false;
	if (points->blob.size > POINTS_BYTES)
		points->blob.size =
			POINTS_BYTES; /* what is looked at: it could consist of hundreds of millions of changes of the document */
	struct nt_reader start = look(points), reader = start;
	nt_metadata_compressed(&reader); /* LocalSignature */
	points->last.document = columns[NT_METHOD_DEBUG_DOCUMENT];
	if (!points->last.document)
		points->last.document = nt_metadata_compressed(&reader); /* the first of several */
	return pass(points, &reader, &start);
}

/* Lines and columns are told by their difference to those before, the first ones as they are. */
static bool move(uint32_t *at, struct nt_reader *reader, bool from_before)
{
	int64_t to = from_before ? (int64_t)*at + nt_metadata_compressed_signed(reader) : (int64_t)nt_metadata_compressed(reader);
	*at = (uint32_t)to;
	return to >= 0 && to <= LINE_MAX_SAID;
}

static bool read_place(struct nt_pdb_points *points, struct nt_reader *reader, struct nt_pdb_point *out)
{
	uint32_t lines = nt_metadata_compressed(reader);
	bool hidden = !(lines ? nt_metadata_compressed_signed(reader) : (int32_t)nt_metadata_compressed(reader)) && !lines;
	out->line = HIDDEN_LINE;
	if (hidden)
		return true;
	if (!move(&points->line, reader, points->placed) || !move(&points->column, reader, points->placed))
		return false;
	points->placed = true;
	out->line = points->line;
	return true;
}

bool nt_pdb_points_next(struct nt_pdb_points *points, struct nt_pdb_point *out)
{
	while (points->blob.size) {
		struct nt_reader start = look(points), reader = start;
		uint32_t further = nt_metadata_compressed(&reader);
		*out = points->last;
		bool other_document = points->begun && !further;
		if (other_document)
			points->last.document = nt_metadata_compressed(&reader);
		else if (further > UINT32_MAX - out->il_offset || !read_place(points, &reader, out))
			break;
		if (!pass(points, &reader, &start))
			break;
		if (other_document)
			continue;
		out->il_offset += further;
		points->begun = true;
		points->last = *out;
		return true;
	}
	points->blob.size = 0; /* what is behind a broken record means nothing */
	return false;
}

/* ---- documents ---- */

/* A separator, then the parts as blobs: /src/App, Program.cs. */
size_t nt_pdb_document(const struct nt_pdb *pdb, uint32_t document, char *buf, size_t size)
{
	const struct nt_metadata *md = &pdb->metadata;
	uint8_t parts[PARTS_BYTES];
	uint32_t name;
	size_t length, used = 0;
	buf[0] = '\0';
	if (!nt_metadata_cell(md, NT_TABLE_DOCUMENT, document, NT_DOCUMENT_NAME, &name) ||
	    !nt_metadata_blob(md, name, parts, sizeof(parts), &length))
		return 0;
	struct nt_reader reader = nt_reader_of(parts, length);
	char separator = (char)nt_reader_u8(&reader);
	for (bool first = true; nt_reader_left(&reader) && used + 1 < size; first = false) {
		if (!first && separator)
			buf[used++] = separator;
		size_t room = size - 1 - used, part;
		if (room && nt_metadata_blob(md, nt_metadata_compressed(&reader), (uint8_t *)buf + used, room, &part))
			used += part;
	}
	used = strnlen(buf, used);
	buf[used] = '\0';
	return used;
}
