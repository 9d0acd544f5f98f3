/* SPDX-License-Identifier: GPL-2.0-only */
/* Debug directory of an assembly (PE/COFF specification; dotnet/runtime, docs/design/specs/PE-COFF.md): which PDB is its own, and where that is. */
#ifndef NT_DECODE_PE_DEBUG_H
#define NT_DECODE_PE_DEBUG_H

#include "decode/assembly/pdb.h"
#include "decode/assembly/pe.h"

/* A part of the file; size 0 = there is none. */
struct nt_pe_debug_part {
	uint64_t offset;
	uint32_t size;
};

struct nt_pe_debug {
	bool has_id;
	uint8_t id[NT_PDB_ID_BYTES];      /* of the PDB */
	struct nt_pe_debug_part embedded; /* the PDB, compressed (nt_pe_debug_unpack) */
};

/* False: there is no debug directory, or it is broken. */
bool nt_pe_debug_read(const struct nt_pe *pe, struct nt_pe_debug *out);

/* An embedded PDB is unpacked up to this size. */
enum { NT_PDB_UNPACKED_MAX = 32 << 20 };

/* The bytes of the embedded PDB, which the caller frees. NULL: it is broken, or too large. */
uint8_t *nt_pe_debug_unpack(struct nt_window *window, const struct nt_pe_debug_part *embedded, size_t *size);

#endif
