/* SPDX-License-Identifier: GPL-2.0-only */
/* The lists of sections in a ReadyToRun image: it has one, and each component of a composite one has one. */
#ifndef NT_DECODE_R2R_SECTIONS_H
#define NT_DECODE_R2R_SECTIONS_H

#include "decode/assembly/pe.h"

/* Those that are read here; rva 0 = not there. */
struct nt_r2r_sections {
	struct nt_pe_range runtime_functions, method_entries, debug_info, instance_entries, manifest, components, owner_composite, mvids;
};

/* A list of sections, whose number stands at `rva`. False: broken. */
bool nt_r2r_sections_read(const struct nt_pe *pe, uint32_t rva, struct nt_r2r_sections *out);

#endif
