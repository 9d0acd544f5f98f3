// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/pe.h"

#include "decode/common/reader.h"

/* Offsets within the headers (PE/COFF specification) and the CLI header (ECMA-335 II.25.3.3). */
enum {
	DOS_HEADER_BYTES = 0x40,
	DOS_NEW_HEADER_AT = 0x3c,
	COFF_BYTES = 24,           /* with the signature */
	OPTIONAL_MAGIC_32 = 0x10b, /* assemblies for any processor have it, too */
	OPTIONAL_MAGIC_64 = 0x20b,
	DIRECTORIES_AT_32 = 96,
	DIRECTORIES_AT_64 = 112,
	DEBUG_DIRECTORY = 6 * 8,
	CLI_DIRECTORY = 14 * 8,
	SECTION_BYTES = 40,
	CLI_BYTES = 72,
	CLI_METADATA_AT = 8,
	CLI_NATIVE_AT = 64,
};

#define PE_SIGNATURE UINT32_C(0x00004550)

static struct nt_pe_range range_at(const uint8_t *bytes)
{
	struct nt_reader reader = nt_reader_of(bytes, 8);
	uint32_t rva = nt_reader_u32(&reader);
	return (struct nt_pe_range){ rva, nt_reader_u32(&reader) };
}

static struct nt_pe_section section_at(const uint8_t *bytes)
{
	struct nt_reader reader = nt_reader_of(bytes + 8, SECTION_BYTES - 8);
	nt_reader_u32(&reader); /* VirtualSize: what is beyond the file's part are zeros */
	struct nt_pe_section section = { .rva = nt_reader_u32(&reader) };
	section.size = nt_reader_u32(&reader);
	section.offset = nt_reader_u32(&reader);
	return section;
}

static bool read_sections(struct nt_pe *pe, uint64_t at, uint32_t count)
{
	if (count > NT_PE_SECTIONS_MAX)
		return false;
	for (; pe->section_count < count; at += SECTION_BYTES) {
		const uint8_t *bytes = nt_window_at(pe->window, at, SECTION_BYTES);
		if (!bytes)
			return false;
		struct nt_pe_section section = section_at(bytes);
		if (section.rva > UINT32_MAX - section.size)
			return false;
		if (pe->mapped)
			section.offset = section.rva;
		pe->sections[pe->section_count++] = section;
	}
	return true;
}

static bool read_headers(struct nt_pe *pe)
{
	struct nt_window *window = pe->window;
	uint64_t base = pe->base;
	const uint8_t *dos = base <= nt_window_size(window) ? nt_window_at(window, base, DOS_HEADER_BYTES) : NULL;
	if (!dos || dos[0] != 'M' || dos[1] != 'Z')
		return false;
	uint64_t headers = base + range_at(dos + DOS_NEW_HEADER_AT - 4).size;
	const uint8_t *coff = nt_window_at(window, headers, COFF_BYTES + 2);
	if (!coff)
		return false;
	struct nt_reader reader = nt_reader_of(coff, COFF_BYTES + 2);
	if (nt_reader_u32(&reader) != PE_SIGNATURE)
		return false;
	pe->machine = nt_reader_u16(&reader);
	uint32_t section_count = nt_reader_u16(&reader);
	nt_reader_bytes(&reader, 12); /* time, symbols */
	uint32_t optional_bytes = nt_reader_u16(&reader);
	nt_reader_u16(&reader); /* characteristics */
	uint32_t magic = nt_reader_u16(&reader);
	uint32_t directories_at = magic == OPTIONAL_MAGIC_32 ? DIRECTORIES_AT_32 : DIRECTORIES_AT_64;
	if ((magic != OPTIONAL_MAGIC_32 && magic != OPTIONAL_MAGIC_64) || optional_bytes < directories_at + CLI_DIRECTORY + 8)
		return false;
	const uint8_t *directories = nt_window_at(window, headers + COFF_BYTES + directories_at, CLI_DIRECTORY + 8);
	if (!directories)
		return false;
	pe->debug = range_at(directories + DEBUG_DIRECTORY);
	struct nt_pe_range cli = range_at(directories + CLI_DIRECTORY);
	if (!read_sections(pe, headers + COFF_BYTES + optional_bytes, section_count))
		return false;
	const uint8_t *header = nt_pe_at(pe, cli.rva, CLI_BYTES);
	if (!header)
		return false;
	pe->metadata = range_at(header + CLI_METADATA_AT);
	pe->native = range_at(header + CLI_NATIVE_AT);
	return true;
}

bool nt_pe_read(struct nt_window *window, uint64_t base, struct nt_pe *pe)
{
	*pe = (struct nt_pe){ .window = window, .base = base };
	return read_headers(pe);
}

bool nt_pe_read_mapped(struct nt_window *window, struct nt_pe *pe)
{
	*pe = (struct nt_pe){ .window = window, .mapped = true };
	return read_headers(pe);
}

const struct nt_pe_section *nt_pe_section_of(const struct nt_pe *pe, uint32_t rva)
{
	for (uint32_t i = 0; i < pe->section_count; i++)
		if (rva >= pe->sections[i].rva && rva - pe->sections[i].rva < pe->sections[i].size)
			return &pe->sections[i];
	return NULL;
}

bool nt_pe_rva(const struct nt_pe *pe, uint64_t offset, uint32_t *rva)
{
	if (offset < pe->base)
		return false;
	offset -= pe->base;
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const struct nt_pe_section *section = &pe->sections[i];
		if (offset >= section->offset && offset - section->offset < section->size) {
			*rva = section->rva + (uint32_t)(offset - section->offset);
			return true;
		}
	}
	return false;
}

uint32_t nt_pe_left(const struct nt_pe *pe, uint32_t rva)
{
	const struct nt_pe_section *section = nt_pe_section_of(pe, rva);
	return section ? section->size - (rva - section->rva) : 0;
}

bool nt_pe_offset(const struct nt_pe *pe, uint32_t rva, uint32_t size, uint64_t *offset)
{
	const struct nt_pe_section *section = nt_pe_section_of(pe, rva);
	if (!section || size > section->size - (rva - section->rva))
		return false;
	*offset = pe->base + section->offset + (rva - section->rva);
	return true;
}

const uint8_t *nt_pe_at(const struct nt_pe *pe, uint32_t rva, size_t size)
{
	uint64_t offset;
	return size <= NT_WINDOW_MAX && nt_pe_offset(pe, rva, (uint32_t)size, &offset) ? nt_window_at(pe->window, offset, size) : NULL;
}
