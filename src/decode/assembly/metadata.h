/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/assembly: PE files, metadata, precompiled code, debug information. */
/*
 * Metadata of an assembly (ECMA-335 II.22-24): its tables, strings and blobs, read where they are needed. All of it is outside input: what does not fit is
 * "no such row", never more.
 */
#ifndef NT_DECODE_METADATA_H
#define NT_DECODE_METADATA_H

#include "decode/assembly/pe.h"
#include "decode/common/reader.h"

/* Tables by number (II.22; from 0x30 on those of portable PDBs), those that are read here; the others only take place before them. */
enum nt_metadata_table {
	NT_TABLE_MODULE = 0x00,
	NT_TABLE_TYPE_REF = 0x01,
	NT_TABLE_TYPE_DEF = 0x02,
	NT_TABLE_FIELD = 0x04,
	NT_TABLE_METHOD_PTR = 0x05,
	NT_TABLE_METHOD_DEF = 0x06,
	NT_TABLE_TYPE_SPEC = 0x1b,
	NT_TABLE_ASSEMBLY = 0x20,
	NT_TABLE_ASSEMBLY_REF = 0x23,
	NT_TABLE_NESTED_CLASS = 0x29,
	NT_TABLE_DOCUMENT = 0x30,
	NT_TABLE_METHOD_DEBUG = 0x31,
	NT_TABLE_COUNT = 0x32, /* as many as are laid out */
};

/* Columns of these tables, by their order in a row. */
enum { NT_MODULE_MVID = 2 };
enum { NT_TYPE_REF_SCOPE, NT_TYPE_REF_NAME, NT_TYPE_REF_NAMESPACE };
enum { NT_TYPE_DEF_FLAGS, NT_TYPE_DEF_NAME, NT_TYPE_DEF_NAMESPACE, NT_TYPE_DEF_EXTENDS, NT_TYPE_DEF_FIELDS, NT_TYPE_DEF_METHODS };
enum { NT_FIELD_FLAGS, NT_FIELD_NAME };
enum { NT_METHOD_DEF_RVA, NT_METHOD_DEF_IMPL, NT_METHOD_DEF_FLAGS, NT_METHOD_DEF_NAME, NT_METHOD_DEF_SIGNATURE };
enum { NT_ASSEMBLY_NAME = 7 };
enum { NT_ASSEMBLY_REF_NAME = 6 };
enum { NT_NESTED_INNER, NT_NESTED_OUTER };
enum { NT_DOCUMENT_NAME };
enum { NT_METHOD_DEBUG_DOCUMENT, NT_METHOD_DEBUG_POINTS };
enum { NT_COLUMNS_MAX = 9 };

struct nt_metadata_heap {
	uint64_t offset; /* in the file */
	uint32_t size;
};

struct nt_metadata {
	struct nt_window *window; /* borrowed */
	struct nt_metadata_heap strings, blobs, guids;
	struct nt_metadata_heap pdb; /* of a portable PDB; else empty */
	uint8_t heap_sizes;          /* II.24.2.6 */
	struct nt_metadata_rows {
		uint64_t offset; /* of row 1, in the file */
		uint32_t count;
		uint8_t bytes; /* of a row */
		uint8_t widths[NT_COLUMNS_MAX];
	} tables[NT_TABLE_COUNT];
	uint32_t further_counts[0x40 - NT_TABLE_COUNT]; /* rows of the tables behind */
};

/* The metadata root at [offset, offset + size) of the file. False: broken, or of a form that compilers do not leave (unordered, edit and continue). */
bool nt_metadata_read(struct nt_window *window, uint64_t offset, uint32_t size, struct nt_metadata *md);

/* The metadata of an assembly. */
bool nt_metadata_of(const struct nt_pe *pe, struct nt_metadata *md);

/* Row `rid` (from 1 on), each column as a number. False: no such row. */
bool nt_metadata_row(const struct nt_metadata *md, enum nt_metadata_table table, uint32_t rid, uint32_t columns[NT_COLUMNS_MAX]);

/* One column alone. */
bool nt_metadata_cell(const struct nt_metadata *md, enum nt_metadata_table table, uint32_t rid, unsigned column, uint32_t *value);

/* The last row up to `last` in a table sorted by `column` whose value is <= `value`; 0 = none. */
uint32_t nt_metadata_last_up_to(const struct nt_metadata *md, enum nt_metadata_table table, unsigned column, uint32_t value);

/* Copy a string of #Strings, NUL-terminated, cut at size - 1; its length. "" when there is none. */
size_t nt_metadata_string(const struct nt_metadata *md, uint32_t index, char *buf, size_t size);

/* Where the bytes of a blob lie in the file. False: there is none. */
bool nt_metadata_blob_place(const struct nt_metadata *md, uint32_t index, struct nt_metadata_heap *place);

/* Copy a blob into buf. False: there is none, or it is longer than `size`. */
bool nt_metadata_blob(const struct nt_metadata *md, uint32_t index, uint8_t *buf, size_t size, size_t *length);

/* The module's version id, by which a file of an assembly is known to be the one that was compiled against. */
bool nt_metadata_mvid(const struct nt_metadata *md, uint8_t mvid[16]);

/* An unsigned integer compressed to 1, 2 or 4 bytes (II.23.2). */
uint32_t nt_metadata_compressed_long(struct nt_reader *reader);
static inline uint32_t nt_metadata_compressed(struct nt_reader *reader)
{
	/* One byte, mostly; the signatures of an image have some hundred thousand. */
	if (!reader->bad && reader->at < reader->end && *reader->at < 0x80)
		return *reader->at++;
	return nt_metadata_compressed_long(reader);
}

/* A signed one. */
int32_t nt_metadata_compressed_signed(struct nt_reader *reader);

#endif
