// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/pe_debug.h"

#include "base/alloc.h"
#include "decode/common/reader.h"

#include <stdlib.h>
#include <zlib.h>

enum {
	ENTRY_BYTES = 28,
	ENTRIES_MAX = 64,
	CODE_VIEW = 2,
	EMBEDDED_PDB = 17,
	CODE_VIEW_BYTES = 4 + 16, /* signature, GUID; age and path follow */
	PORTABLE_VERSION = 0x504d,
	EMBEDDED_HEAD_BYTES = 8, /* signature, size when unpacked */
	DEFLATE_RATIO_MAX = 1032,
};

#define CODE_VIEW_SIGNATURE UINT32_C(0x53445352) /* "RSDS" */
#define EMBEDDED_SIGNATURE  UINT32_C(0x4244504d) /* "MPDB" */

/* ---- the directory ---- */

struct entry {
	uint32_t stamp, type;
	uint16_t minor_version;
	struct nt_pe_debug_part part;
};

static struct entry entry_at(const struct nt_pe *pe, const uint8_t *bytes)
{
	struct nt_reader reader = nt_reader_of(bytes, ENTRY_BYTES);
	nt_reader_u32(&reader); /* characteristics */
	struct entry entry = { .stamp = nt_reader_u32(&reader) };
	nt_reader_u16(&reader);
	entry.minor_version = nt_reader_u16(&reader);
	entry.type = nt_reader_u32(&reader);
	entry.part.size = nt_reader_u32(&reader);
	nt_reader_u32(&reader); /* RVA: 0 where it is not mapped */
	entry.part.offset = pe->base + nt_reader_u32(&reader);
	return entry;
}

/* The id is the GUID and the directory's time stamp. */
static void read_id(struct nt_window *window, const struct entry *entry, struct nt_pe_debug *out)
{
	const uint8_t *bytes = entry->part.size >= CODE_VIEW_BYTES ? nt_window_at(window, entry->part.offset, CODE_VIEW_BYTES) : NULL;
	struct nt_reader reader = nt_reader_of(bytes, bytes ? CODE_VIEW_BYTES : 0);
	if (nt_reader_u32(&reader) != CODE_VIEW_SIGNATURE)
		return;
	memcpy(out->id, reader.at, 16);
	memcpy(out->id + 16, &entry->stamp, sizeof(entry->stamp));
	out->has_id = true;
}

bool nt_pe_debug_read(const struct nt_pe *pe, struct nt_pe_debug *out)
{
	*out = (struct nt_pe_debug){ 0 };
	uint32_t count = pe->debug.size / ENTRY_BYTES;
	for (uint32_t i = 0; i < count && i < ENTRIES_MAX; i++) {
		const uint8_t *bytes = nt_pe_at(pe, pe->debug.rva + i * ENTRY_BYTES, ENTRY_BYTES);
		if (!bytes)
			return false;
		struct entry entry = entry_at(pe, bytes);
		if (entry.type == CODE_VIEW && entry.minor_version == PORTABLE_VERSION)
			read_id(pe->window, &entry, out);
		else if (entry.type == EMBEDDED_PDB)
			out->embedded = entry.part;
	}
	return count;
}

/* ---- the embedded PDB ---- */

/* Unpack [offset, end) into exactly `size` bytes. */
static bool inflate_all(struct nt_window *window, uint64_t offset, uint64_t end, uint8_t *out, uint32_t size)
{
	z_stream stream = { .next_out = out, .avail_out = size };
	if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) /* without zlib's header */
		return false;
	int status = Z_OK;
	while (status == Z_OK && offset < end) {
		uint32_t piece = end - offset < NT_WINDOW_MAX ? (uint32_t)(end - offset) : NT_WINDOW_MAX;
		stream.next_in = (uint8_t *)(uintptr_t)nt_window_at(window, offset, piece); /* zlib only reads it */
		if (!stream.next_in)
			break;
		stream.avail_in = piece;
		status = inflate(&stream, Z_NO_FLUSH);
		offset += piece;
	}
	inflateEnd(&stream);
	return status == Z_STREAM_END && !stream.avail_out;
}

uint8_t *nt_pe_debug_unpack(struct nt_window *window, const struct nt_pe_debug_part *embedded, size_t *size)
{
	const uint8_t *head = embedded->size > EMBEDDED_HEAD_BYTES ? nt_window_at(window, embedded->offset, EMBEDDED_HEAD_BYTES) : NULL;
	struct nt_reader reader = nt_reader_of(head, head ? EMBEDDED_HEAD_BYTES : 0);
	uint32_t signature = nt_reader_u32(&reader), unpacked = nt_reader_u32(&reader);
	/* A size that so few bytes cannot give is a lie that would cost memory. */
	if (reader.bad || signature != EMBEDDED_SIGNATURE || !unpacked || unpacked > NT_PDB_UNPACKED_MAX ||
	    unpacked / DEFLATE_RATIO_MAX > embedded->size)
		return NULL;
	uint8_t *out = nt_realloc(NULL, unpacked, 1);
	*size = unpacked;
	if (inflate_all(window, embedded->offset + EMBEDDED_HEAD_BYTES, embedded->offset + embedded->size, out, unpacked))
		return out;
	free(out);
	return NULL;
}
