/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What Native AOT's compiler leaves of the metadata, for stack traces of exceptions and for reflection: the names of types and methods as
 * they were written, whose symbols it mangles beyond telling a dot from an underscore. Records of CoreCLR's NativeFormat
 * (NativeFormatGen, SchemaDef.cs): integers, texts and handles to other records, behind each other without lengths. Pure; every handle is
 * outside input, and how many records are looked at for a name is limited.
 */
#ifndef NT_DECODE_AOT_METADATA_H
#define NT_DECODE_AOT_METADATA_H

#include "decode/names/type_text.h"

struct nt_aot_metadata {
	const uint8_t *bytes; /* borrowed */
	size_t size;
	unsigned kind_bits; /* of a handle: which kind of record it leads to; the other bits say where that lies */
};

/*
 * The metadata of an executable whose ReadyToRun header has this major version: 9 and 10 (.NET 8 and 9), 16 (.NET 10). False: it is
 * another one, whose form nobody knows, or they do not begin as such metadata do.
 */
bool nt_aot_metadata_read(const void *bytes, size_t size, unsigned major, struct nt_aot_metadata *out);

/* Does a table of this executable mark entries that have metadata? Before .NET 10, when there were others. */
static inline bool nt_aot_metadata_marks(const struct nt_aot_metadata *metadata)
{
	return metadata->kind_bits == 8;
}

/* The kind of a type that is defined here. */
enum { NT_AOT_TYPE_DEFINITION = 0x3a };

/* The handle of a record of this kind, as it is written outside of records. */
static inline uint32_t nt_aot_handle(const struct nt_aot_metadata *metadata, uint32_t kind, uint32_t offset)
{
	return kind << (32 - metadata->kind_bits) | offset;
}

/* One method, by its records. */
struct nt_aot_method {
	uint64_t address; /* virtual, of its code */
	uint32_t type;    /* handle of its type: a definition, a reference or a specification */
	uint32_t name;    /* where the text lies */
	uint32_t signature;
};

/*
 * Put the method's name as the perf map would have it, without tier: `RET [Assembly] Type::Method(ARGS)`. False: the records are broken,
 * or of a kind that is not known; what was put is then undefined.
 */
bool nt_aot_method_put(const struct nt_aot_metadata *metadata, const struct nt_aot_method *method, struct nt_text_out *out);

#endif
