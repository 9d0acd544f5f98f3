// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/r2r.h"

#include "decode/assembly/metadata_names.h"
#include "decode/assembly/r2r_internal.h"

#include <stdlib.h>

#define READYTORUN_SIGNATURE UINT32_C(0x00525452) /* "RTR" */

enum {
	HEADER_BYTES = 12, /* signature, version, flags; the list of sections follows */
	MVID_BYTES = 16,
};

static uint32_t entry_bytes(uint16_t machine)
{
	switch (machine) {
	case NT_PE_LINUX_AMD64:
		return 12; /* begin, end, unwind data */
	case NT_PE_LINUX_ARM64:
		return 8; /* begin, unwind data */
	default:
		return 0;
	}
}

/* The manifest names the components, in the same order as the list of them. */
static bool read_components(struct nt_r2r *r2r, const struct nt_r2r_sections *sections)
{
	enum { COMPONENT_BYTES = 16, COMPONENTS_MAX = 1 << (31 - NT_R2R_RID_BITS) };
	uint64_t offset;
	r2r->component_count = sections->components.size / COMPONENT_BYTES;
	return r2r->component_count <= COMPONENTS_MAX && nt_pe_offset(&r2r->pe, sections->manifest.rva, sections->manifest.size, &offset) &&
	       nt_metadata_read(r2r->pe.window, offset, sections->manifest.size, &r2r->metadata);
}

static bool read_header(const struct nt_pe *pe, uint16_t *major_version)
{
	const uint8_t *bytes = nt_pe_at(pe, pe->native.rva, HEADER_BYTES);
	if (!bytes)
		return false;
	struct nt_reader reader = nt_reader_of(bytes, HEADER_BYTES);
	uint32_t signature = nt_reader_u32(&reader);
	*major_version = nt_reader_u16(&reader);
	return signature == READYTORUN_SIGNATURE;
}

enum nt_r2r_verdict nt_r2r_read(const struct nt_pe *pe, struct nt_r2r *r2r)
{
	*r2r = (struct nt_r2r){ .pe = *pe, .component_count = 1, .entry_bytes = entry_bytes(pe->machine) };
	struct nt_r2r_sections sections;
	if (!pe->native.rva || !read_header(pe, &r2r->major_version))
		return NT_R2R_IL_ONLY;
	if (!nt_r2r_sections_read(pe, pe->native.rva + HEADER_BYTES, &sections))
		return NT_R2R_BROKEN;
	if (sections.owner_composite.rva)
		return NT_R2R_IN_COMPOSITE;
	if (!sections.runtime_functions.rva)
		return NT_R2R_IL_ONLY;
	if (!r2r->entry_bytes)
		return NT_R2R_MACHINE;
	r2r->composite = sections.components.rva;
	r2r->runtime_functions = sections.runtime_functions;
	r2r->debug_info = sections.debug_info;
	r2r->mvids = sections.mvids;
	if (!(r2r->composite ? read_components(r2r, &sections) : nt_metadata_of(pe, &r2r->metadata)))
		return NT_R2R_BROKEN;
	return nt_r2r_table_make(r2r, &sections) ? NT_R2R_READ : NT_R2R_BROKEN;
}

void nt_r2r_fini(struct nt_r2r *r2r)
{
	free(r2r->functions);
	r2r->functions = NULL;
	r2r->function_count = 0;
}

size_t nt_r2r_component_name(const struct nt_r2r *r2r, uint32_t component, char *buf, size_t size)
{
	uint32_t name;
	if (!r2r->composite)
		return nt_metadata_assembly(&r2r->metadata, buf, size);
	if (!nt_metadata_cell(&r2r->metadata, NT_TABLE_ASSEMBLY_REF, component + 1, NT_ASSEMBLY_REF_NAME, &name))
		name = UINT32_MAX;
	return nt_metadata_string(&r2r->metadata, name, buf, size);
}

bool nt_r2r_component_mvid(const struct nt_r2r *r2r, uint32_t component, uint8_t mvid[16])
{
	if (component >= r2r->mvids.size / MVID_BYTES)
		return false;
	const uint8_t *bytes = nt_pe_at(&r2r->pe, r2r->mvids.rva + component * MVID_BYTES, MVID_BYTES);
	if (bytes)
		memcpy(mvid, bytes, MVID_BYTES);
	return bytes;
}
