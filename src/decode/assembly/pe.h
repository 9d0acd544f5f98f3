/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame of a managed assembly: PE headers, sections and the CLI header (PE/COFF specification; ECMA-335 II.25). Two kinds of places: an offset is in
 * the file, an RVA in memory as the headers lay it out.
 */
#ifndef NT_DECODE_PE_H
#define NT_DECODE_PE_H

#include "decode/common/window.h"

enum { NT_PE_SECTIONS_MAX = 32 };

/* `machine` of images for Linux: the processor's number XORed with the system's, 0x7b79 (ReadyToRun of CoreCLR). */
enum { NT_PE_LINUX_AMD64 = 0xfd1d, NT_PE_LINUX_ARM64 = 0xd11d };

struct nt_pe_section {
	uint32_t rva, offset, size; /* as much of it as is in the file */
};

struct nt_pe_range {
	uint32_t rva, size;
};

struct nt_pe {
	struct nt_window *window; /* borrowed */
	uint64_t base;            /* where the image begins in the file: not 0 in a single-file program */
	bool mapped;              /* the window is memory as the headers lay it out: an offset is an RVA there */
	uint16_t machine;
	uint32_t section_count;
	struct nt_pe_section sections[NT_PE_SECTIONS_MAX];
	struct nt_pe_range metadata;
	struct nt_pe_range debug;  /* the debug directory (pe_debug.h); size 0 = none */
	struct nt_pe_range native; /* header of the precompiled code; rva 0 = IL only */
};

/* False: not a PE file with a CLI header, or broken. */
bool nt_pe_read(struct nt_window *window, uint64_t base, struct nt_pe *pe);

/* The same of an image that was laid out in memory, which the window is. */
bool nt_pe_read_mapped(struct nt_window *window, struct nt_pe *pe);

/* The section that has `rva`; NULL = none. */
const struct nt_pe_section *nt_pe_section_of(const struct nt_pe *pe, uint32_t rva);

/* The RVA of an offset that is counted from the file's start. False: in no section. */
bool nt_pe_rva(const struct nt_pe *pe, uint64_t offset, uint32_t *rva);

/* Where [rva, rva + size) lies in the file, from the file's start. False: not all of it is in one section. */
bool nt_pe_offset(const struct nt_pe *pe, uint32_t rva, uint32_t size, uint64_t *offset);

/* How many bytes of its section there are from `rva` on; 0 = none. */
uint32_t nt_pe_left(const struct nt_pe *pe, uint32_t rva);

/* The bytes there, as nt_window_at(). */
const uint8_t *nt_pe_at(const struct nt_pe *pe, uint32_t rva, size_t size);

#endif
