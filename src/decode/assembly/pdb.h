/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Portable PDBs (dotnet/runtime, docs/design/specs/PortablePdb-Metadata.md): which line of which source file each instruction of IL comes from. They have the
 * form of metadata, with tables of their own. All of it is outside input: what does not fit is "no such point", never more.
 */
#ifndef NT_DECODE_PDB_H
#define NT_DECODE_PDB_H

#include "decode/assembly/metadata.h"

enum { NT_PDB_ID_BYTES = 20 };

struct nt_pdb {
	struct nt_metadata metadata; /* its window is borrowed */
	uint8_t id[NT_PDB_ID_BYTES]; /* by which an assembly knows its PDB (pe_debug.h) */
};

/* The PDB that the window is. False: none, or broken. */
bool nt_pdb_read(struct nt_window *window, struct nt_pdb *pdb);

/* From `il_offset` on the code is that of `line`, until the next point. */
struct nt_pdb_point {
	uint32_t il_offset, line; /* line 0: code that no source line stands for */
	uint32_t document;        /* for nt_pdb_document(); meaningless with line 0 */
};

/* Reads the points of one method, in the order of their offsets. */
struct nt_pdb_points {
	struct nt_window *window;     /* borrowed */
	struct nt_metadata_heap blob; /* what is left of it */
	struct nt_pdb_point last;     /* the one before, 0 = none yet */
	uint32_t line, column;        /* where the last one that is not hidden starts */
	bool begun, placed;           /* there was a point, one that is not hidden */
};

/* Those of the method in row `rid` of MethodDef. False: it has none, as it has no code of its own, or no source. */
bool nt_pdb_points_of(const struct nt_pdb *pdb, uint32_t rid, struct nt_pdb_points *points);

/* False: there are no further ones, or the rest is broken. */
bool nt_pdb_points_next(struct nt_pdb_points *points, struct nt_pdb_point *out);

/* Path of a document as the compiler had it, NUL-terminated, cut at size - 1; its length. "" when there is none. */
size_t nt_pdb_document(const struct nt_pdb *pdb, uint32_t document, char *buf, size_t size);

#endif
