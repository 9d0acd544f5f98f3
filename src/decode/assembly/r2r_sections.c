// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/r2r_sections.h"

#include "decode/common/reader.h"

/* Those of the READYTORUN_HEADER, of which each has its number. */
enum {
	RUNTIME_FUNCTIONS = 102,
	METHOD_ENTRIES = 103,
	DEBUG_INFO = 105,
	INSTANCE_ENTRIES = 109,
	MANIFEST = 112,
	COMPONENTS = 115,
	OWNER_COMPOSITE = 116,
	MVIDS = 118,
};

enum { SECTION_BYTES = 12, SECTIONS_MAX = 200 };

static struct nt_pe_range *place_of(struct nt_r2r_sections *sections, uint32_t number)
{
	switch (number) {
	case RUNTIME_FUNCTIONS:
		return &sections->runtime_functions;
	case METHOD_ENTRIES:
		return &sections->method_entries;
	case DEBUG_INFO:
		return &sections->debug_info;
	case INSTANCE_ENTRIES:
		return &sections->instance_entries;
	case MANIFEST:
		return &sections->manifest;
	case COMPONENTS:
		return &sections->components;
	case OWNER_COMPOSITE:
		return &sections->owner_composite;
	case MVIDS:
		return &sections->mvids;
	default:
		return NULL;
	}
}

bool nt_r2r_sections_read(const struct nt_pe *pe, uint32_t rva, struct nt_r2r_sections *out)
{
	*out = (struct nt_r2r_sections){ 0 };
	const uint8_t *bytes = nt_pe_at(pe, rva, 4);
	if (!bytes)
		return false;
	struct nt_reader reader = nt_reader_of(bytes, 4);
	uint32_t count = nt_reader_u32(&reader);
	bytes = count <= SECTIONS_MAX ? nt_pe_at(pe, rva + 4, (size_t)count * SECTION_BYTES) : NULL;
	if (!bytes)
		return false;
	reader = nt_reader_of(bytes, (size_t)count * SECTION_BYTES);
	while (count--) {
		struct nt_pe_range *place = place_of(out, nt_reader_u32(&reader));
		uint32_t at = nt_reader_u32(&reader), size = nt_reader_u32(&reader);
		if (place)
			*place = (struct nt_pe_range){ at, size };
	}
	return true;
}
